import type { Message, PendingCall } from './checkpoint.js';
import { callsOf, findPending } from './pending-in-history.js';
import { readTurns, type Stray } from './turns.js';

export interface TranscriptCheck {
  /** Calls deep in the history that nothing answers; the pending ones are not among them (C30). */
  unanswered: { message: number; id: string; name: string }[];
  /** Answers to nothing: a history may have been cut in front of them (K3). Going on leaves them out. */
  strays: Stray[];
  /** What cannot be repaired: a history that contradicts the pending calls, or answers one that it does not hold. */
  broken: string[];
  /** Positions of pending calls that the history already answers: shown, never dispatched (H7). */
  answeredPending: number[];
  /** True when the last assistant message holds the pending calls; klieo does not promise it (K3). */
  pendingInHistory: boolean;
}

/** What was found of conversations that nobody can change any more: the rule asks several times on one record. */
const found = new WeakMap<readonly Message[], { pending: readonly PendingCall[] | null; check: TranscriptCheck }>();

/** Is this conversation one that a model takes, once the pending calls have their answers (I7)? */
export function checkTranscript(messages: readonly Message[], pending: readonly PendingCall[] | null): TranscriptCheck {
  const known = found.get(messages);
  if (known !== undefined && known.pending === pending) return known.check;
  const check = checkAnew(messages, pending);
  // A record that is kept is frozen as a whole, with all that is in its lists.
  if (Object.isFrozen(messages) && (pending === null || Object.isFrozen(pending)))
    found.set(messages, { pending, check });
  return check;
}

function checkAnew(messages: readonly Message[], pending: readonly PendingCall[] | null): TranscriptCheck {
  const { turns, strays } = readTurns(messages);
  const held = findPending(messages, turns, pending ?? []);
  const contradiction = typeof held === 'string' ? [held] : [];
  // It may be the answer of that very call: nobody can say that it did not run (H7).
  const ofPending = strays.filter(({ message }) => {
    const id = messages[message]?.toolCallId ?? null;
    return id !== null && id !== '' && (pending ?? []).some((call) => call.id === id);
  });
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
    strays: strays.filter((stray) => !ofPending.includes(stray)),
    broken: [...ofPending.map(({ text }) => text), ...contradiction],
    answeredPending: answeredPending.map((call) => call.index),
    pendingInHistory: holder !== null,
  };
}
