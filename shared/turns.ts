import type { Message } from './checkpoint.js';
import { REJECTION_PREFIX } from './rejection.js';

/** One assistant message with calls, and the run of tool messages right behind it. All numbers are message indices. */
export interface Turn {
  message: number;
  /** For each call of the message, the tool message that answers it. */
  answers: (number | null)[];
  /** A rejection as klieo writes it, without a call id: it answers every call that has no other answer (K7). */
  blanket: number | null;
  /** The first message behind the turn. */
  end: number;
}

export interface Turns {
  turns: Turn[];
  /** Answers that no model takes: to a call that is not before them, or to one that has its answer already. */
  strays: Stray[];
}

/** One message that is an answer to nothing. */
export interface Stray {
  message: number;
  text: string;
}

/**
 * Pairs calls with answers the way a chat-completions endpoint does: the answers stand right behind the message with
 * the calls, one for each. Equal ids in one message are paired in order.
 */
export function readTurns(messages: readonly Message[]): Turns {
  const turns: Turn[] = [];
  const strays: Stray[] = [];
  let open: { turn: Turn; ids: (string | null)[] } | null = null;
  for (const [index, message] of messages.entries()) {
    if (message.role === 'tool') {
      const fault = takeAnswer(message, index, open);
      if (fault !== null) strays.push({ message: index, text: fault });
      if (open !== null) open.turn.end = index + 1;
      continue;
    }
    open = null;
    if (message.role !== 'assistant' || message.toolCalls.length === 0) continue;
    const turn = { message: index, answers: message.toolCalls.map(() => null), blanket: null, end: index + 1 };
    open = { turn, ids: message.toolCalls.map((call) => call.id) };
    turns.push(turn);
  }
  return { turns, strays };
}

/** Puts one tool message into the turn that is open; says why where it has no place. */
function takeAnswer(
  message: Message,
  index: number,
  open: { turn: Turn; ids: (string | null)[] } | null,
): string | null {
  const id = message.toolCallId;
  if (id === null && isUpstreamRejection(message)) {
    if (open !== null) open.turn.blanket = index;
    return null;
  }
  if (id === null) return `message ${index} is an answer without a call id`;
  if (open === null || !open.ids.includes(id))
    return `message ${index} answers ${JSON.stringify(id)}, which no call before it asks`;
  const { answers } = open.turn;
  const call = open.ids.findIndex((candidate, at) => candidate === id && answers[at] === null);
  if (call === -1) return `message ${index} answers ${JSON.stringify(id)} a second time`;
  answers[call] = index;
  return null;
}

/** klieo's own form of a rejection: a tool message without a call id. Without a turn it stands for a user's word. */
export function isUpstreamRejection(message: Message): boolean {
  return message.role === 'tool' && message.toolCallId === null && message.content.startsWith(REJECTION_PREFIX);
}
