import { argumentsWarnings } from '../../../shared/argument-warnings.js';
import type { Message, PendingCall, Warning } from '../../../shared/checkpoint.js';
import { collidingIds, duplicatesElsewhere, emptyIds, type Places, transcriptWarnings } from '../batch-warnings.js';
import { historyArguments } from '../history-arguments.js';
import type { AgentState } from './agent-shape.js';
import { U64_MAX } from './numbers.js';
import type { AgentDocument } from './open.js';

interface Facts {
  document: AgentDocument;
  messages: readonly Message[];
  pending: readonly PendingCall[];
  places: Places;
  inContent: readonly Warning[];
}

/** Everything about a readable agent checkpoint that its reviewer must know. */
export function agentWarnings({ document, messages, pending, places, inContent }: Facts): Warning[] {
  const { state, duplicates, envelope } = document;
  const inCalls = (path: string): boolean =>
    pending.some(({ index }) => new RegExp(`^${escaped(places.call(index))}\\.arguments($|[.[])`).test(path));
  return [
    ...collidingIds(pending, places),
    ...emptyIds(pending, places, 'id'),
    ...pending.flatMap((call) => argumentsWarnings(call.arguments, `${places.call(call.index)}.arguments`)),
    ...duplicatesElsewhere(duplicates, inCalls),
    ...(pending.length === 0 ? ambiguousTurn(state) : []),
    ...turnMismatch(state),
    ...durableWarnings(state),
    ...(envelope.revision === U64_MAX ? [lastRevision] : []),
    ...transcriptWarnings(messages, pending, places),
    ...historyArguments(messages, pending, places),
    ...inContent,
  ];
}

/** R4, R7: the record cannot say what of the turn happened. */
function ambiguousTurn({ phase }: AgentState): Warning[] {
  if (phase.state !== 'turn_in_flight') return [];
  const text = `turn ${phase.turn} had begun when this was written and may have run: asking the model again may cost twice, and its tool calls, of which the record shows nothing, may happen twice`;
  return [{ code: 'ambiguous_turn', path: 'payload.phase', text, blocksApproval: false }];
}

/** R3: the turn in flight is always the one after those completed. */
function turnMismatch({ phase, turns }: AgentState): Warning[] {
  if (phase.state !== 'turn_in_flight' || phase.turn === turns + 1) return [];
  const text = `turn ${phase.turn} is in flight after ${turns} completed ${turns === 1 ? 'turn' : 'turns'}; runifold writes ${turns + 1} there`;
  return [{ code: 'turn_mismatch', path: 'payload.phase.turn', text, blocksApproval: true }];
}

/** What runifold checks only when it commits (R10, FORMATS 5.2). */
function durableWarnings({ durable_conversation: durable, transcript }: AgentState): Warning[] {
  if (durable === null) return [];
  const path = 'payload.durable_conversation';
  const warnings: Warning[] = [];
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(durable.namespace)) {
    const text = 'the namespace is none that runifold makes: 1 to 128 of A-Z a-z 0-9 _ . -';
    warnings.push({ code: 'bad_namespace', path: `${path}.namespace`, text, blocksApproval: false });
  }
  if (durable.persisted_prefix_len >= BigInt(transcript.length)) {
    const text = `the first ${durable.persisted_prefix_len} messages are not to be appended, but there are only ${transcript.length}; the conversation cannot be committed like this`;
    warnings.push({ code: 'bad_prefix', path: `${path}.persisted_prefix_len`, text, blocksApproval: false });
  }
  return warnings;
}

/** R1: there is no revision after it. */
export const lastRevision: Warning = {
  code: 'revision_overflow',
  path: 'revision',
  text: 'this is the last revision that 64 bits can count: nothing can be written after it',
  blocksApproval: true,
};

function escaped(path: string): string {
  return path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
