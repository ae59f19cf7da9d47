import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { AgentState } from './agent-shape.js';
import { agentWarnings } from './agent-warnings.js';
import { type Fact, fact, updatedAt } from './facts.js';
import { U64_MAX } from './numbers.js';
import type { AgentDocument } from './open.js';
import { agentTurns } from './turn.js';
import { usageText } from './usage-shape.js';

/**
 * An agent checkpoint in the normal form. It never waits for a person (R4), but for a turn that Holdpoint itself holds.
 * An in-flight turn is not resumable: the default policy refuses it, and a retry is an act of its own (R7).
 */
export function agentRecord(document: AgentDocument): NormalRecord {
  const { envelope, state } = document;
  const { phase } = state;
  const turns = agentTurns(document);
  const { messages } = turns;
  const pending = turns.pending?.map((call) => ({ ...call, paths: [turns.placeOfCall(call.index)] })) ?? null;
  const held = pending !== null;
  const ready = phase.state === 'ready_for_turn' || held;
  return {
    system: 'runifold',
    runId: envelope.run_id,
    checkpointId: envelope.id,
    threadId: state.durable_conversation?.conversation_id ?? null,
    revision: String(envelope.revision),
    createdAt: null,
    createdAtNs: null,
    updatedAt: updatedAt(envelope),
    completedStep: state.turns,
    resumeStep: state.turns + 1,
    state: held ? 'waiting' : phase.state === 'completed' ? 'finished' : ready ? 'running' : 'in_flight',
    resumable: ready && envelope.revision < U64_MAX,
    pending,
    messages,
    warnings: agentWarnings({
      document,
      messages,
      pending: pending ?? [],
      places: {
        batch: 'payload.holdpoint_pending',
        call: turns.placeOfCall,
        history: 'payload.transcript',
        message: turns.place,
      },
      inContent: turns.warnings,
    }),
    classification: classification(state, held),
    about: about(document),
  };
}

function classification({ phase, turns }: AgentState, held: boolean): string {
  switch (phase.state) {
    case 'ready_for_turn':
      return `ready for turn ${turns + 1}; nothing waits for a person`;
    case 'turn_in_flight':
      return held ? `turn ${phase.turn} is held for a person` : `in flight: turn ${phase.turn} may have run`;
    case 'completed':
      return 'finished; nothing to decide';
  }
}

function about({ envelope, state }: AgentDocument): Fact[] {
  const { phase, durable_conversation: durable } = state;
  return [
    fact('Agent', state.agent),
    fact('Model', `${state.model.provider}/${state.model.name}`),
    fact('Phase', phase.state === 'turn_in_flight' ? `turn_in_flight (turn ${phase.turn})` : phase.state),
    ...(phase.state === 'completed' ? [fact('Finish reason', finishReason(phase.response.finish_reason))] : []),
    fact('Turns completed', state.turns),
    fact('Tool calls', state.tool_calls),
    fact('Delegations', state.delegations),
    fact('Usage', usageText(state.usage)),
    ...(durable === null
      ? []
      : [
          fact('Conversation', `${durable.conversation_id} in ${durable.namespace}`),
          fact('Conversation version', durable.expected_version),
        ]),
    fact('Execution', state.execution_id),
    fact('Revision', envelope.revision),
    fact('Schema version', envelope.schema_version),
  ];
}

function finishReason(reason: string | { other: string }): string {
  return typeof reason === 'string' ? reason : `other: ${reason.other}`;
}
