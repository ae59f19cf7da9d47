import type { Message, PendingCall } from './checkpoint.js';
import { callsOf, findPending } from './pending-in-history.js';
import { readTurns } from './turns.js';

export interface TranscriptCheck {
  /** Calls deep in the history that nothing answers; the pending ones are not among them (C30). */
  unanswered: { message: number; id: string; name: string }[];
  /** What cannot be repaired: answers without a call, second answers, a history that contradicts the pending calls. */
  broken: string[];
  /** Positions of pending calls that the history already answers: shown, never dispatched (H7). */
  answeredPending: number[];
  /** True when the last assistant message holds the pending calls; klieo does not promise it (K3). */
  pendingInHistory: boolean;
}

/** Is this conversation one that a model takes, once the pending calls have their answers (I7)? */
export function checkTranscript(messages: readonly Message[], pending: readonly PendingCall[] | null): TranscriptCheck {
  const { turns, broken } = readTurns(messages);
  const held = findPending(messages, turns, pending ?? []);
  const contradiction = typeof held === 'string' ? [held] : [];
  const holder = typeof held === 'string' ? null : held;
  const unanswered = turns.flatMap((turn) =>
    callsOf(messages, turn).flatMap((call, position) => {
      if (turn.answers[position] !== null || turn.blanket !== null) return [];
      if (turn === holder?.turn && holder.positions.includes(position)) return [];
      return [{ message: turn.message, id: call.id ?? '', name: call.name }];
    }),
  );
  const answeredPending = (pending ?? []).filter((_, index) => {
    const position = holder?.positions[index];
    return position !== undefined && (holder?.turn.answers[position] !== null || holder?.turn.blanket !== null);
  });
  return {
    unanswered,
    broken: [...broken, ...contradiction],
    answeredPending: answeredPending.map((call) => call.index),
    pendingInHistory: holder !== null,
  };
}
