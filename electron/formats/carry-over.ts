import type { Message } from '../../shared/checkpoint.js';
import { readTurns } from '../../shared/turns.js';

/** A message of a continued conversation; `from` is its position in the record it came from, null for a new one. */
export interface Carried {
  message: Message;
  from: number | null;
}

/**
 * Finds the messages of the record in the conversation that went on from it, so that they keep the text they have there.
 * Only their ids may differ (H8). A system prompt in front that the record lacks belongs to the profile that continued
 * it, not to the record. An answer to nothing may have been left out; any other message that is gone is a fault of the
 * caller.
 */
export function carryOver(before: readonly Message[], after: readonly Message[]): Carried[] {
  const carried: Carried[] = [];
  const strays = new Set(readTurns(before).strays.map(({ message }) => message));
  let next = 0;
  for (const message of after) {
    while (strays.has(next) && !isThere(before[next], message)) next += 1;
    const original = before[next];
    if (original !== undefined && alike(original, message)) {
      carried.push({ message, from: next });
      next += 1;
    } else if (message.role !== 'system' || next > 0) {
      carried.push({ message, from: null });
    }
  }
  while (strays.has(next)) next += 1;
  if (next < before.length) throw new Error(`message ${next} of the record is not in the continued conversation`);
  return carried;
}

const isThere = (stray: Message | undefined, message: Message): boolean =>
  stray !== undefined && alike(stray, message) && stray.toolCallId === message.toolCallId;

/** The calls of the last assistant message that nothing answers yet, from which position on. Null: none is open. */
export function openTurn(messages: readonly Message[]): number | null {
  const at = messages.findLastIndex((message) => message.role === 'assistant');
  const answers = messages.slice(at + 1).filter((message) => message.role === 'tool');
  const calls = messages[at]?.toolCalls ?? [];
  return calls.length > answers.length ? at : null;
}

function alike(a: Message, b: Message): boolean {
  return (
    a.role === b.role &&
    a.content === b.content &&
    a.toolCalls.length === b.toolCalls.length &&
    a.toolCalls.every((call, at) => {
      const other = b.toolCalls[at];
      return call.name === other?.name && call.arguments === other.arguments;
    })
  );
}
