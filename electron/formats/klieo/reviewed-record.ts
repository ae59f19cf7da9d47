import type { NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import { type JsonNode, member, raw } from '../../../shared/json.js';
import { type Patch, patchSpans } from '../../../shared/json-patch.js';
import { findPending } from '../../../shared/pending-in-history.js';
import { rejectionText } from '../../../shared/rejection.js';
import { REPAIR_TEXT } from '../../../shared/repair.js';
import { checkTranscript } from '../../../shared/transcript.js';
import { readTurns } from '../../../shared/turns.js';
import { usableIds } from '../../../shared/usable-ids.js';
import { jsonText } from '../json-text.js';
import type { Parts } from './parts.js';
import { messageText } from './write.js';

/**
 * The record of a mixed or edited batch, patched from the original text so that everything else in it stays: the pending
 * list holds the approved calls with the arguments that were approved, the conversation holds an answer for each rejected
 * one, and, where the reviewer agreed to it, for calls of the history that nobody answered.
 */
export function reviewedRecord(
  parts: Parts,
  record: NormalRecord,
  decision: Decision,
): { record: string; notes: string[] } {
  const calls = record.pending ?? [];
  const ids = usableIds(record.runId, calls);
  const verdictOf = (call: PendingCall) => decision.verdicts.find((verdict) => verdict.index === call.index);
  const approved = calls.filter((call) => verdictOf(call)?.verdict === 'approve');
  const items = approved.map((call) => itemText(parts, call, ids[call.index] ?? '', verdictOf(call)));
  const patches: Patch[] = [
    ...idPatches(parts, record, ids),
    ...repairPatches(parts, record, decision),
    ...strayPatches(parts, record, decision),
    unlatch(parts),
  ].flat();
  if (parts.pending !== null) patches.push({ ...span(parts.pending), replacement: `[${items.join(',')}]` });
  patches.push(appended(parts, closingMessages(record, ids, verdictOf)));
  return { record: patchSpans(parts.text, patches), notes: notes(calls, verdictOf, decision) };
}

/** One approved call as it stood in the record, with its id and its arguments as approved. */
function itemText({ text, pending }: Parts, call: PendingCall, id: string, verdict: Verdict | undefined): string {
  const item = pending?.items[call.index];
  if (item === undefined) throw new Error(`pending call ${call.index} is not in the record`);
  const [idNode, args] = [member(item, 'id'), member(item, 'args')];
  const patches: Patch[] = [];
  if (idNode !== undefined && id !== call.id) patches.push({ ...span(idNode), replacement: jsonText(id) });
  if (args !== undefined && verdict?.editedArguments !== undefined) {
    patches.push({ ...span(args), replacement: verdict.editedArguments });
  }
  const local = patches.map((patch) => ({ ...patch, start: patch.start - item.start, end: patch.end - item.start }));
  return patchSpans(raw(text, item), local);
}

/** The same new ids in the assistant message that asked, so that the answers find their calls (H8). */
function idPatches({ messages }: Parts, record: NormalRecord, ids: readonly string[]): Patch[] {
  const { turns } = readTurns(record.messages);
  const held = findPending(record.messages, turns, record.pending ?? []);
  if (held === null || typeof held === 'string') return [];
  const asked = messages.items[held.turn.message];
  const list = asked === undefined ? undefined : member(asked, 'tool_calls');
  return held.positions.flatMap((position, index) => {
    const node = list?.kind === 'array' ? list.items[position] : undefined;
    const answer = messages.items[held.turn.answers[position] ?? -1];
    const nodes = [node && member(node, 'id'), answer && member(answer, 'tool_call_id')];
    const id = ids[index] ?? '';
    if (id === record.pending?.[index]?.id) return [];
    return nodes.filter((found) => found !== undefined).map((found) => ({ ...span(found), replacement: jsonText(id) }));
  });
}

/** Synthetic answers behind each turn of the history that lacks some (C30). */
function repairPatches({ messages }: Parts, record: NormalRecord, decision: Decision): Patch[] {
  if (decision.repair === undefined) return [];
  const { turns } = readTurns(record.messages);
  const { unanswered } = checkTranscript(record.messages, record.pending);
  return unanswered.flatMap(({ message, id }) => {
    const last = messages.items[(turns.find((turn) => turn.message === message)?.end ?? 0) - 1];
    if (last === undefined) return [];
    return [{ start: last.end, end: last.end, replacement: `,${answerText(id, REPAIR_TEXT)}` }];
  });
}

/** Takes the answers to nothing out, each with a comma. */
function strayPatches({ messages: { items } }: Parts, record: NormalRecord, decision: Decision): Patch[] {
  const out = new Set(decision.repair?.leftOut ?? []);
  const first = items.findIndex((_, at) => !out.has(at));
  const leading = first === -1 ? items.length : first;
  const [head, next, last] = [items[0], items[leading], items[leading - 1]];
  const atStart =
    leading === 0 || head === undefined
      ? []
      : [{ start: head.start, end: next?.start ?? last?.end ?? head.end, replacement: '' }];
  const later = checkTranscript(record.messages, record.pending).strays.flatMap(({ message }) => {
    const [before, item] = [items[message - 1], items[message]];
    if (message < leading || !out.has(message) || before === undefined || item === undefined) return [];
    return [{ start: before.end, end: item.end, replacement: '' }];
  });
  return [...atStart, ...later];
}

/** What goes to the end of the conversation: the message that asks, where the history lacks it (K3), and the rejections. */
function closingMessages(
  record: NormalRecord,
  ids: readonly string[],
  verdictOf: (call: PendingCall) => Verdict | undefined,
): string[] {
  const calls = record.pending ?? [];
  const toolCalls = calls.map((call, index) => ({ id: ids[index] ?? '', name: call.name, arguments: call.arguments }));
  const asked = messageText({ role: 'assistant', content: '', toolCalls, toolCallId: null });
  const rejections = calls.flatMap((call, index) => {
    const verdict = verdictOf(call);
    return verdict?.verdict === 'reject' ? [answerText(ids[index] ?? '', rejectionText(verdict.reason ?? ''))] : [];
  });
  return [...(checkTranscript(record.messages, calls).pendingInHistory ? [] : [asked]), ...rejections];
}

function appended({ messages }: Parts, texts: readonly string[]): Patch {
  const last = messages.items.at(-1);
  const at = last?.end ?? messages.start + 1;
  const replacement = last === undefined ? texts.join(',') : texts.map((text) => `,${text}`).join('');
  return { start: at, end: at, replacement };
}

function unlatch({ latch }: Parts): Patch[] {
  return latch?.kind === 'boolean' && latch.value ? [{ ...span(latch), replacement: 'false' }] : [];
}

function notes(
  calls: readonly PendingCall[],
  verdictOf: (call: PendingCall) => Verdict | undefined,
  decision: Decision,
): string[] {
  const lines = calls.flatMap((call) => {
    const verdict = verdictOf(call);
    const name = `call ${call.index + 1} (${call.name})`;
    if (verdict?.verdict === 'reject')
      return [`${name} was rejected and is left out; its answer stands in the conversation`];
    if (verdict === undefined) return [`${name} already has an answer in the conversation and is left out`];
    if (verdict.editedArguments === undefined) return [];
    return [`${name} has the arguments that the reviewer edited; the conversation keeps the proposed ones`];
  });
  const { unanswered = [], leftOut = [] } = decision.repair ?? {};
  return [
    ...lines,
    ...(unanswered.length > 0
      ? ['calls of the history without an answer got a synthetic one, as the reviewer agreed']
      : []),
    ...(leftOut.length > 0 ? ['answers of the history to no call are left out, as the reviewer agreed'] : []),
  ];
}

function answerText(id: string, content: string): string {
  return messageText({ role: 'tool', content, toolCalls: [], toolCallId: id });
}

function span(node: JsonNode): { start: number; end: number } {
  return { start: node.start, end: node.end };
}
