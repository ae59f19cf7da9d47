/**
 * The states of a file and of a suspension, and the legal moves between them (RULINGS H18). Pure: no I/O, no clock.
 * A status is always derived from checkpoint, decision and journal; nothing stores it.
 */

/** What a record says about itself, read alone, without a store (`holdpoint inspect`). */
export const FILE_STATES = ['waiting', 'latched', 'in_flight', 'running', 'finished', 'unreadable'] as const;

/** Where one suspension stands, in this store. */
export const STATUSES = [
  'waiting',
  'decided',
  'held',
  'resuming',
  'handed_over',
  'unknown_outcome',
  'not_continued',
  'finished',
  'failed',
  'expired',
  'withdrawn',
  'superseded',
  'unreadable',
] as const;
export type Status = (typeof STATUSES)[number];

/** One pending call after the claim. `rejected` and `answered` are settled without a dispatch. */
export const CALL_STATES = ['not_started', 'started', 'done', 'failed', 'unknown', 'rejected', 'answered'] as const;
export type CallState = (typeof CALL_STATES)[number];

/** Every legal next status. A missing pair is illegal and is shown as tampered, never acted on. */
export const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  // A record that came in already latched starts as `unknown_outcome` (H4); one whose claim comes in later goes there (S17).
  waiting: ['decided', 'unknown_outcome', 'expired', 'withdrawn', 'superseded', 'unreadable'],
  // Back to `waiting`: the reviewer took the decision back before the claim (H9).
  // Or to `not_continued`: it was a record in which nothing waits, and that a person had let go on.
  decided: ['waiting', 'held', 'resuming', 'handed_over', 'not_continued', 'expired', 'superseded', 'unreadable'],
  held: ['decided', 'waiting', 'not_continued', 'expired', 'superseded', 'unreadable'],
  // Back to `decided`: a claim that met a withdrawal, or was released before any call started.
  resuming: ['decided', 'unknown_outcome', 'not_continued', 'finished', 'failed'],
  handed_over: ['decided', 'unknown_outcome', 'finished', 'failed'],
  // To `waiting`: a record that came in latched, of which a person said that a call did not run (C01).
  unknown_outcome: ['waiting', 'resuming', 'handed_over', 'not_continued', 'finished', 'failed'],
  // To `decided`: a record of a run that nobody holds, which a person lets go on.
  not_continued: ['decided', 'resuming', 'finished', 'failed', 'expired', 'withdrawn', 'superseded', 'unreadable'],
  // Reaping leaves a tombstone that keeps the word it ended with.
  finished: [],
  failed: [],
  expired: [],
  withdrawn: [],
  superseded: [],
  unreadable: [],
};

/** True when a suspension may move from `from` to `to`; staying is always legal. */
export function isLegal(from: Status, to: Status): boolean {
  return from === to || TRANSITIONS[from].includes(to);
}

/** States of a head in the shared engine's protocol. */
export type HeadState = 'suspended' | 'decided' | 'claimed' | 'done' | 'blocked' | 'expired';

/** The one table between a suspension's status and the shared engine's head states; null has no head. */
export const HEAD_STATE: Readonly<Record<Status, HeadState | null>> = {
  waiting: 'suspended',
  decided: 'decided',
  held: 'suspended',
  resuming: 'claimed',
  handed_over: 'claimed',
  unknown_outcome: 'blocked',
  not_continued: 'claimed',
  finished: 'done',
  failed: 'done',
  expired: 'expired',
  withdrawn: 'expired',
  superseded: 'expired',
  unreadable: null,
};

/** The one predicate behind badge, tray and list: a person has something to do here. */
export function needsPerson(status: Status): boolean {
  return status === 'waiting' || status === 'held' || status === 'unknown_outcome' || status === 'not_continued';
}

/** Legal moves of one call in the journal. `unknown` leaves only through a person (I8). */
export const CALL_TRANSITIONS: Readonly<Record<CallState, readonly CallState[]>> = {
  not_started: ['started', 'rejected', 'answered', 'failed'],
  started: ['done', 'failed', 'unknown'],
  unknown: ['done', 'failed', 'not_started'],
  done: [],
  failed: [],
  rejected: [],
  answered: [],
};
