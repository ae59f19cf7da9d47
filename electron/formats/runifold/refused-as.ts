import { type Refusal, type RefusalCode, refused } from '../../../shared/refusal.js';

/** runifold's own names (R2, R7, R9, R15), and what each means here. */
const CODES = {
  NotFound: 'not_found',
  Conflict: 'already_claimed',
  InvalidPayload: 'not_allowed',
  AmbiguousCheckpoint: 'unknown_outcome',
  Ambiguous: 'unknown_outcome',
  IdempotencyConflict: 'changed_since_you_looked',
  Handler: 'nothing_to_continue',
  CheckpointIdentityMismatch: 'not_allowed',
  CheckpointUsageMismatch: 'not_allowed',
  DurableWaitRequiresWorker: 'not_waiting',
  InvalidInput: 'bad_request',
} as const satisfies Record<string, RefusalCode>;
export type RunifoldError = keyof typeof CODES;

/** A refusal with runifold's own name in front of its text, and in the facts as `upstream`. */
export function refusedAs(
  name: RunifoldError,
  text: string,
  facts: Record<string, unknown> = {},
): { ok: false; refusal: Refusal } {
  return refused(CODES[name], `${name}: ${text}`, { ...facts, system: 'runifold', name, upstream: name });
}
