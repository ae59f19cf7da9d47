import type { Message } from '../../../shared/checkpoint.js';
import type { HistoryEntry } from './history.js';

/** One piece of the continued conversation: a message of the record as it stood, or one that is new. */
export type Piece = { kind: 'kept'; text: string } | { kind: 'new'; message: Message };

/**
 * Finds the record's own messages in the continued conversation, in their order, so that everything the normal form does
 * not hold (pictures, thinking, usage, unknown keys) stays byte for byte. What was put in, or changed, is new.
 */
export function alignHistory(entries: readonly HistoryEntry[], messages: readonly Message[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const entry of entries) {
    // One that says nothing in the normal form stays where it stood.
    const found = entry.messages.length === 0 ? at : placeOf(entry, messages, at);
    // One that was changed has its new form among the messages.
    if (found === -1) continue;
    pieces.push(...fresh(messages.slice(at, found)), { kind: 'kept', text: entry.text });
    at = found + entry.messages.length;
  }
  return [...pieces, ...fresh(messages.slice(at))];
}

function fresh(messages: readonly Message[]): Piece[] {
  return messages.map((message) => ({ kind: 'new', message }));
}

function placeOf(entry: HistoryEntry, messages: readonly Message[], from: number): number {
  for (let at = from; at + entry.messages.length <= messages.length; at++) {
    if (entry.messages.every((message, index) => sameMessage(message, messages[at + index]))) return at;
  }
  return -1;
}

function sameMessage(a: Message, b: Message | undefined): boolean {
  return (
    b !== undefined &&
    a.role === b.role &&
    a.content === b.content &&
    a.toolCallId === b.toolCallId &&
    a.toolCalls.length === b.toolCalls.length &&
    a.toolCalls.every((call, index) => {
      const other = b.toolCalls[index];
      return call.id === other?.id && call.name === other.name && call.arguments === other.arguments;
    })
  );
}
