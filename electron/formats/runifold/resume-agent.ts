import { accepted, type Outcome } from '../../../shared/refusal.js';
import type { ModelName } from './agent-shape.js';
import { reopen } from './open.js';
import { type AgentOutcome, agentOutcome } from './outcome.js';
import { refusedAs } from './refused-as.js';
import { covers, sameUsage, type Usage } from './usage-shape.js';

export type ResumePolicy = 'RejectAmbiguous' | 'RetryInterruptedTurn';

export interface AgentCaller {
  agent: string;
  model: ModelName;
  usage: Usage;
  /** RejectAmbiguous unless a person chose to retry. */
  policy: ResumePolicy;
  /** Resumed as a turn of a durable conversation. */
  durable: boolean;
}

export type AgentResume =
  /** `conversationVersion` is the one after the turn, for a durable one. */
  | { kind: 'stored_outcome'; outcome: AgentOutcome; conversationVersion: bigint | null }
  | { kind: 'continue'; turn: number }
  /** The whole interrupted turn, once more, from the stored transcript. */
  | { kind: 'retry'; turn: number };

/** What resuming an agent checkpoint means, before anything is asked or written (R5, R6, R7). */
export function resumeAgent(bytes: Uint8Array, caller: AgentCaller): Outcome<AgentResume> {
  const document = reopen(bytes);
  if (document.kind !== 'agent')
    return refusedAs('InvalidPayload', 'checkpoint kind or schema version is not supported');
  const { state } = document;
  const { model, phase, durable_conversation: durable } = state;
  if (state.agent !== caller.agent || model.name !== caller.model.name || model.provider !== caller.model.provider)
    return refusedAs('InvalidPayload', 'checkpoint Agent or model identity does not match', {
      stored: { agent: state.agent, ...model },
      configured: { agent: caller.agent, ...caller.model },
    });
  if (caller.durable && durable === null)
    return refusedAs('InvalidPayload', 'checkpoint is not a durable conversation turn');
  const outcome = agentOutcome(document);
  if (outcome !== null) {
    const conversationVersion = caller.durable && durable !== null ? durable.expected_version + 1n : null;
    if (!caller.durable && !sameUsage(state.usage, caller.usage)) return usageDiffers();
    return accepted({ kind: 'stored_outcome', outcome, conversationVersion });
  }
  if (phase.state !== 'turn_in_flight')
    return sameUsage(state.usage, caller.usage)
      ? accepted({ kind: 'continue', turn: state.turns + 1 })
      : usageDiffers();
  if (caller.policy === 'RejectAmbiguous') return turnRefused(phase.turn);
  if (!covers(state.usage, caller.usage))
    return refusedAs('InvalidPayload', 'Run budget usage is below the in-flight checkpoint snapshot');
  return accepted({ kind: 'retry', turn: state.turns + 1 });
}

/** R7: what the default policy says of an interrupted turn. */
export function turnRefused(turn: number): ReturnType<typeof refusedAs> {
  return refusedAs('AmbiguousCheckpoint', `checkpoint contains an ambiguous in-flight turn ${turn}`, { turn });
}

function usageDiffers(): ReturnType<typeof refusedAs> {
  return refusedAs('InvalidPayload', 'Run budget usage does not match the checkpoint snapshot');
}
