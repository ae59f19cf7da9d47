import type { Message, PendingCall, ToolCall } from './checkpoint.js';
import { readJsonText } from './json.js';
import { sameJson } from './json-compare.js';
import type { Turn } from './turns.js';

/** Which pending call stands where in the last turn. */
export interface Held {
  turn: Turn;
  /** For each pending call its position in the message of the turn. */
  positions: number[];
}

/**
 * Finds the pending calls in the last turn, if nothing stands behind it: equal id, name and arguments, equal ids in
 * order. Null when they are not there; words when the two disagree on what was asked (I5).
 */
export function findPending(
  messages: readonly Message[],
  turns: readonly Turn[],
  pending: readonly PendingCall[],
): Held | string | null {
  const turn = turns.at(-1);
  if (pending.length === 0 || turn === undefined || turn.end !== messages.length) return null;
  const calls = callsOf(messages, turn);
  const used = new Set<number>();
  const found = pending.map((call) => {
    const position = calls.findIndex((asked, at) => asked.id === call.id && !used.has(at));
    if (position === -1) return { call, position, same: false, open: false };
    used.add(position);
    const open = turn.answers[position] === null && turn.blanket === null;
    return { call, position, same: sameCall(calls[position], call), open };
  });
  if (found.every(({ same }) => same)) return { turn, positions: found.map(({ position }) => position) };
  // An id that an answered call had before may come again for another call; one that still waits may not.
  const differs = found.find(({ open, same }) => open && !same);
  if (differs !== undefined) {
    return `message ${turn.message} asks other than pending call ${differs.call.index + 1} (${differs.call.name}) under the same id`;
  }
  return found.some(({ same, open }) => same && open)
    ? `message ${turn.message} holds only some of the pending calls`
    : null;
}

export function callsOf(messages: readonly Message[], turn: Turn): readonly ToolCall[] {
  return messages[turn.message]?.toolCalls ?? [];
}

function sameCall(asked: ToolCall | undefined, call: PendingCall): boolean {
  if (asked === undefined || asked.name !== call.name) return false;
  if (asked.arguments === call.arguments) return true;
  const [a, b] = [readJsonText(asked.arguments), readJsonText(call.arguments)];
  return a.ok && b.ok && sameJson(a.root, b.root);
}
