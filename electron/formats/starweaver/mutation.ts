import { accepted, type Outcome } from '../../../shared/refusal.js';
import { parseTime } from '../../../shared/time.js';
import { refusedAs } from './names.js';

const U64_MAX = 18_446_744_073_709_551_615n;

/** What every command on an approval or a deferred call carries (S8, S9). Revisions are decimal texts (J6). */
export interface Mutation {
  /** Who may command; owns the idempotency keys. */
  authority: string;
  expectedRevision: string;
  idempotencyKey: string;
  /** Of the whole command, so that one key cannot mean two. */
  fingerprint: string;
  /** RFC 3339. */
  at: string;
}

/** What stays of a command that was carried out: the same command again gets the same result (S9). */
export interface Receipt {
  authority: string;
  idempotencyKey: string;
  fingerprint: string;
  operation: string;
  /** Kind, session, run and id of what was changed. */
  target: string;
  at: string;
  /** The record after it. */
  result: Uint8Array;
  replayed: boolean;
}

/** Refuses a command that says too little, before anything is looked up. */
export function checkMutation(mutation: Mutation): Outcome<null> {
  const empty = (['authority', 'idempotencyKey', 'fingerprint'] as const).find((key) => mutation[key] === '');
  if (empty !== undefined) return refusedAs('Failed', `the command's ${empty} cannot be empty`, {}, 'bad_request');
  if (!/^[1-9]\d{0,19}$/.test(mutation.expectedRevision)) {
    return refusedAs('Conflict', `the expected revision must be at least 1, not ${mutation.expectedRevision}`);
  }
  if (!parseTime(mutation.at).ok) return refusedAs('Failed', `${mutation.at} is no time`, {}, 'bad_request');
  return accepted(null);
}

/**
 * The first result of the same command, marked as replayed; null when the key is new. The key with another fingerprint,
 * operation or target is an IdempotencyConflict (S9).
 */
export function replayOf(
  receipts: readonly Receipt[],
  mutation: Mutation,
  operation: string,
  target: string,
): Outcome<Receipt | null> {
  const known = receipts.find(
    (receipt) => receipt.authority === mutation.authority && receipt.idempotencyKey === mutation.idempotencyKey,
  );
  if (known === undefined) return accepted(null);
  const bound = `interaction key ${mutation.idempotencyKey} is already bound to another`;
  if (known.fingerprint !== mutation.fingerprint) return refusedAs('IdempotencyConflict', `${bound} fingerprint`);
  if (known.operation !== operation || known.target !== target) {
    return refusedAs('IdempotencyConflict', `${bound} operation or target`);
  }
  return accepted({ ...known, replayed: true });
}

/** The next revision, when the record is at the one that was looked at (S8). */
export function nextRevision(what: string, actual: string, mutation: Mutation): Outcome<string> {
  const { expectedRevision } = mutation;
  if (actual !== expectedRevision) {
    return refusedAs('Conflict', `${what} revision mismatch: expected ${expectedRevision}, actual ${actual}`, {
      expected: expectedRevision,
      actual,
    });
  }
  const next = BigInt(actual) + 1n;
  return next > U64_MAX ? refusedAs('Conflict', `${what} revision is exhausted`) : accepted(String(next));
}

export function receiptOf(mutation: Mutation, operation: string, target: string, result: Uint8Array): Receipt {
  const { authority, idempotencyKey, fingerprint, at } = mutation;
  return { authority, idempotencyKey, fingerprint, operation, target, at, result, replayed: false };
}

/** Unambiguous: no id can be read as two. */
export function targetOf(kind: string, sessionId: string, runId: string, id: string): string {
  return JSON.stringify([kind, sessionId, runId, id]);
}
