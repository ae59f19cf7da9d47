import type { Message, PendingCall } from './checkpoint.js';
import { findPending } from './pending-in-history.js';
import { accepted, type Outcome, refused } from './refusal.js';
import { REPAIR_TEXT } from './repair.js';
import { isUpstreamRejection, readTurns, type Turn } from './turns.js';
import { uniqueIds, usableIds } from './usable-ids.js';

export { rejectionText } from './rejection.js';
export { checkTranscript, type TranscriptCheck } from './transcript-check.js';
export { usableIds } from './usable-ids.js';

export interface Continuing {
  runId: string;
  messages: readonly Message[];
  pending: readonly PendingCall[];
  /** One for each pending call; ignored for a call that the history already answers (H7). */
  answers: readonly { index: number; text: string }[];
  /** The reviewer agreed to synthetic answers for calls deep in the history, and to leave out answers to nothing. */
  repair: boolean;
}

/**
 * The conversation that the model is asked with: the history, the assistant message with the pending calls (put in when
 * the history has none, K3), and right behind it one answer for each call under its own id (I7). Ids that are empty or
 * repeated in one message are replaced in call and answer alike (H8). A rejection that klieo wrote without a call id
 * becomes the answer of the calls it meant, or a user message (H6 K7). Check the result with `assertPaired`.
 */
export function continuedTranscript(continuing: Continuing): Message[] {
  const { messages, pending, runId } = continuing;
  const { turns, strays } = readTurns(messages);
  const leftOut = new Set(continuing.repair ? strays.map(({ message }) => message) : []);
  const held = findPending(messages, turns, pending);
  const holder = held === null || typeof held === 'string' ? null : held;
  const byMessage = new Map(turns.map((turn) => [turn.message, turn]));
  const result: Message[] = [];
  for (let at = 0; at < messages.length; ) {
    const turn = byMessage.get(at);
    const message = messages[at];
    if (message === undefined) break;
    if (leftOut.has(at)) {
      at += 1;
      continue;
    }
    if (turn === undefined) {
      result.push(isUpstreamRejection(message) ? { ...message, role: 'user' } : message);
      at += 1;
      continue;
    }
    const positions = turn === holder?.turn ? holder.positions : [];
    result.push(...continuedTurn(continuing, turn, positions, leftOut));
    at = turn.end;
  }
  if (pending.length > 0 && holder === null) {
    const ids = usableIds(runId, pending);
    const toolCalls = pending.map((call, index) => ({
      id: ids[index] ?? '',
      name: call.name,
      arguments: call.arguments,
    }));
    result.push({ role: 'assistant', content: '', toolCalls, toolCallId: null });
    for (const [index, call] of pending.entries()) {
      const answer = continuing.answers.find((candidate) => candidate.index === call.index);
      if (answer !== undefined) result.push(answerMessage(ids[index] ?? '', answer.text));
    }
  }
  return result;
}

/** One assistant message and its answers; `positions` are those of the pending calls in it, in batch order. */
function continuedTurn(
  continuing: Continuing,
  turn: Turn,
  positions: readonly number[],
  leftOut: ReadonlySet<number>,
): Message[] {
  const { messages, pending, runId, answers, repair } = continuing;
  const asked = messages[turn.message];
  if (asked === undefined) return [];
  const usable = usableIds(runId, pending);
  const own = asked.toolCalls.map((call, position) => usable[positions.indexOf(position)] ?? call.id);
  const ids = uniqueIds(own, (position) => `hp-${turn.message}-${position}-${runId.slice(-8)}`);
  const toolCalls = asked.toolCalls.map((call, position) => ({ ...call, id: ids[position] ?? '' }));
  const kept = messages.slice(turn.message + 1, turn.end).flatMap((message, offset) => {
    const position = turn.answers.indexOf(turn.message + 1 + offset);
    if (position !== -1) return [{ ...message, toolCallId: ids[position] ?? '' }];
    // Anything else is broken, and stays for `assertPaired` to refuse.
    return isUpstreamRejection(message) || leftOut.has(turn.message + 1 + offset) ? [] : [message];
  });
  const blanket = turn.blanket === null ? undefined : messages[turn.blanket]?.content;
  const text = (position: number): string | undefined => {
    const call = pending[positions.indexOf(position)];
    const given = call === undefined ? undefined : answers.find((answer) => answer.index === call.index)?.text;
    return blanket ?? given ?? (call === undefined && repair ? REPAIR_TEXT : undefined);
  };
  const open = [...positions, ...asked.toolCalls.keys()].filter(
    (position, at, all) => turn.answers[position] === null && all.indexOf(position) === at,
  );
  const added = open.flatMap((position) => {
    const answer = text(position);
    return answer === undefined ? [] : [answerMessage(ids[position] ?? '', answer)];
  });
  return [{ ...asked, toolCalls }, ...kept, ...added];
}

/** The last look before a model is asked: every call answered once, no answer without a call, every id usable (I7). */
export function assertPaired(messages: readonly Message[]): Outcome<null> {
  const { turns, strays } = readTurns(messages);
  const faults = strays.map(({ text }) => text);
  for (const turn of turns) {
    const calls = messages[turn.message]?.toolCalls ?? [];
    const ids = calls.map((call) => call.id ?? '');
    if (ids.includes('') || new Set(ids).size < ids.length)
      faults.push(`message ${turn.message} has calls with empty or equal ids`);
    for (const [position, call] of calls.entries()) {
      if (turn.answers[position] === null)
        faults.push(`call ${JSON.stringify(call.id)} of message ${turn.message} has no answer`);
    }
  }
  if (messages.some(isUpstreamRejection)) faults.push('a rejection stands without a call id');
  if (faults.length === 0) return accepted(null);
  return refused('transcript_invalid', `No model would take this conversation: ${faults.join('; ')}.`, { faults });
}

function answerMessage(id: string, text: string): Message {
  return { role: 'tool', content: text, toolCalls: [], toolCallId: id };
}
