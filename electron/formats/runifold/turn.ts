import type { Message, PendingCall } from '../../../shared/checkpoint.js';
import type { JsonNode } from '../../../shared/json.js';
import { child } from '../refuse-record.js';
import { textDigest } from '../text-digest.js';
import { type ReadMessages, readMessages, type Source } from './messages.js';
import type { AgentDocument } from './open.js';

/** The conversation of an agent checkpoint, and the turn that Holdpoint holds for a person, if any. */
export interface AgentTurns extends ReadMessages {
  /** The message nodes that `sources` count: the transcript's, then those of the held turn. */
  nodes: JsonNode[];
  /** How many of `nodes` are the transcript's. */
  stable: number;
  /** Calls of the held turn; null where nobody is asked, which is what runifold itself always writes (R4). */
  pending: PendingCall[] | null;
  /** Path in the record of one message of the normal form. */
  place(message: number): string;
  /** Path in the record of one pending call. */
  placeOfCall(index: number): string;
}

/**
 * A turn that is continued here and needs a person stands beside the stable transcript, under a key of our own, in the
 * phase that runifold has for it: turn_in_flight. So runifold, which ignores the key, refuses by default to go on (R7),
 * and a retry repeats a turn of which nothing ran.
 */
export function agentTurns({ text, root, state }: AgentDocument): AgentTurns {
  const { transcript, phase } = state;
  const held = phase.state === 'turn_in_flight' ? (state.holdpoint_pending ?? []) : [];
  const stable = transcript.length;
  const placeOfItem = (item: number): string =>
    item < stable ? `payload.transcript[${item}]` : `payload.holdpoint_pending[${item - stable}]`;
  const read = readMessages(text, [...transcript, ...held], placeOfItem);
  const asking = read.messages.findLastIndex(
    (message, at) => message.toolCalls.length > 0 && (read.sources[at]?.item ?? 0) >= stable,
  );
  const parts =
    asking === -1 ? [] : callParts([...transcript, ...held][read.sources[asking]?.item ?? 0]?.content ?? []);
  return {
    ...read,
    nodes: [...listOf(root, 'transcript'), ...(held.length > 0 ? listOf(root, 'holdpoint_pending') : [])],
    stable,
    pending: asking === -1 ? null : pendingCalls(read.messages[asking]),
    place: (message) => placeOf(read.sources[message], placeOfItem),
    placeOfCall: (index) => `${placeOf(read.sources[asking], placeOfItem)}.content[${parts[index] ?? 0}]`,
  };
}

function placeOf(source: Source | undefined, placeOfItem: (item: number) => string): string {
  if (source === undefined) return 'payload.transcript';
  return source.part === null ? placeOfItem(source.item) : `${placeOfItem(source.item)}.content[${source.part}]`;
}

/** Positions of the calls among the parts of one message. */
function callParts(content: readonly { type: string }[]): number[] {
  return content.flatMap(({ type }, at) => (type === 'tool_call' ? [at] : []));
}

function pendingCalls(message: Message | undefined): PendingCall[] {
  return (message?.toolCalls ?? []).map((call, index) => ({
    index,
    ...call,
    argumentsSha256: textDigest(call.arguments),
  }));
}

function listOf(root: JsonNode, key: string): JsonNode[] {
  const payload = child(root, 'payload');
  const list = payload === undefined ? undefined : child(payload, key);
  return list?.kind === 'array' ? list.items : [];
}
