import type { Message } from '../../../shared/checkpoint.js';
import { type JsonNode, member } from '../../../shared/json.js';
import { REJECTION_PREFIX } from '../../../shared/rejection.js';
import { REPAIR_TEXT } from '../../../shared/repair.js';
import { type Carried, carryOver, openTurn } from '../carry-over.js';
import type { Continued } from '../format.js';
import { jsonList } from '../json-text.js';
import { completedPhase } from './completed-phase.js';
import { envelopeText, milliseconds } from './envelope-text.js';
import { keptText, messageText } from './message-text.js';
import { type AgentDocument, reopen } from './open.js';
import { nextRevision } from './revision.js';
import { sortedObject, sortedText } from './sorted.js';
import { type AgentTurns, agentTurns } from './turn.js';

/**
 * The next revision of an agent checkpoint (R3): ready_for_turn after answered calls, completed after an answer without
 * calls. A turn whose calls wait for a person is written as in flight, with its messages beside the stable transcript.
 * What stood in the record keeps its text, numbers and unknown keys included; the payload is sorted (J2).
 */
export function writeContinued(bytes: Uint8Array, continued: Continued): Uint8Array {
  const document = reopen(bytes);
  if (document.kind !== 'agent') throw new Error('a workflow goes on in its own worker, never here');
  const revision = nextRevision(document.envelope.revision);
  if (!revision.ok) throw new Error(revision.refusal.text);
  const before = agentTurns(document);
  const carried = carryOver(before.messages, continued.messages);
  const open = openTurn(carried.map(({ message }) => message)) ?? carried.length;
  const failed = failures(before, carried, continued);
  const settled = carried.slice(0, open);
  const held = carried.slice(open);
  const counted = counters(document, before, settled);
  const payload = fieldsOf(document.root);
  payload.set('phase', phaseText(document, carried, held.length > 0, counted.turns, continued));
  payload.set('transcript', jsonList(texts(before, settled, failed)));
  payload.set('turns', String(counted.turns));
  payload.set('tool_calls', String(counted.toolCalls));
  payload.set('usage', usageText(document, counted));
  payload.delete('holdpoint_pending');
  if (held.length > 0) payload.set('holdpoint_pending', jsonList(texts(before, held, (at) => failed(at + open))));
  return envelopeText(document, {
    revision: revision.value,
    payload: sortedObject([...payload]),
    updatedAtMs: milliseconds(continued.createdAt),
  });
}

function fieldsOf(root: JsonNode): Map<string, string> {
  const payload = member(root, 'payload');
  if (payload?.kind !== 'object') throw new Error('the payload is no object');
  return new Map(payload.entries.map(({ key, value }) => [key, sortedText(value)]));
}

/** One JSON text a message of the transcript; the results that stood in one message stay in one. */
function texts(before: AgentTurns, carried: readonly Carried[], failed: (at: number) => boolean): string[] {
  const kept = new Map<number, { message: Message; part: number | null }[]>();
  for (const { message, from } of carried) {
    const source = from === null ? undefined : before.sources[from];
    if (source === undefined) continue;
    const together = kept.get(source.item) ?? [];
    together.push({ message, part: source.part });
    kept.set(source.item, together);
  }
  return carried.flatMap(({ message, from }, at) => {
    if (from === null) return [messageText(message, { tool: toolOf(carried, at), failed: failed(at) })];
    const item = before.sources[from]?.item ?? 0;
    const node = before.nodes[item];
    const together = kept.get(item) ?? [];
    return node === undefined || together[0]?.message !== message ? [] : [keptText(node, together)];
  });
}

/** The name of the tool behind an answer: that of the call with its id, in the message that asked. */
function toolOf(carried: readonly Carried[], at: number): string | null {
  const { message } = carried[at] ?? {};
  const asked = carried.slice(0, at).findLast((other) => other.message.toolCalls.length > 0)?.message.toolCalls ?? [];
  return asked.find((call) => call.id === message?.toolCallId)?.name ?? null;
}

/** Is the answer at a position of the continued conversation a failure? Told of the pending calls, else by its text. */
function failures(before: AgentTurns, carried: readonly Carried[], { ended }: Continued): (at: number) => boolean {
  const asking = before.messages.findLastIndex((message) => message.toolCalls.length > 0);
  const asked = before.pending === null ? -1 : carried.findIndex(({ from }) => from === asking);
  const ids = (ended ?? [])
    .filter(({ how }) => how !== 'done')
    .map(({ index }) => carried[asked]?.message.toolCalls[index]?.id);
  return (at) => {
    const message = carried[at]?.message;
    if (message?.role !== 'tool') return false;
    return isSynthetic(message) || (asked !== -1 && at > asked && ids.includes(message.toolCallId));
  };
}

/** Answers that no tool gave: a person's rejection, and one put in with the reviewer's consent. */
function isSynthetic({ content }: Message): boolean {
  return content.startsWith(REJECTION_PREFIX) || content === REPAIR_TEXT;
}

/** Turns completed and tool calls attempted (R3): those of messages that were not in the stable transcript before. */
function counters(
  { state }: AgentDocument,
  before: AgentTurns,
  settled: readonly Carried[],
): { turns: number; toolCalls: number; newTurns: number; newToolCalls: number } {
  const added = settled.filter(({ from }) => from === null || (before.sources[from]?.item ?? 0) >= before.stable);
  const newTurns = added.filter(({ message }) => message.role === 'assistant').length;
  const newToolCalls = added.filter(({ message }) => message.role === 'tool' && !isSynthetic(message)).length;
  return { turns: state.turns + newTurns, toolCalls: state.tool_calls + newToolCalls, newTurns, newToolCalls };
}

/** What the model itself used is not known here: tokens and cost stay as they were. */
function usageText({ root, state }: AgentDocument, counted: { newTurns: number; newToolCalls: number }): string {
  const payload = member(root, 'payload');
  const usage = payload === undefined ? undefined : member(payload, 'usage');
  if (usage?.kind !== 'object') throw new Error('the usage is no object');
  const fields = new Map(usage.entries.map(({ key, value }) => [key, sortedText(value)]));
  fields.set('turns', String(state.usage.turns + BigInt(counted.newTurns)));
  fields.set('tool_calls', String(state.usage.tool_calls + BigInt(counted.newToolCalls)));
  return sortedObject([...fields]);
}

/** A turn without calls is an agent's last (R3), also where nobody says that the run is over. */
function phaseText(
  { state }: AgentDocument,
  carried: readonly Carried[],
  held: boolean,
  turns: number,
  { pending, completed }: Continued,
): string {
  if (held) return `{"state":"turn_in_flight","turn":${turns + 1}}`;
  const last = carried.at(-1);
  const answered = last?.from === null && last.message.role === 'assistant' && pending === null;
  if (completed === undefined && !answered) return '{"state":"ready_for_turn"}';
  return completedPhase(state.model, completed?.answer ?? last?.message.content ?? '');
}
