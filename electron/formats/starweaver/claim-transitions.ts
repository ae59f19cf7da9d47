import { accepted, type Outcome } from '../../../shared/refusal.js';
import { parseTime } from '../../../shared/time.js';
import type { Claim } from './claim.js';
import { refusedAs } from './names.js';
import type { RunStatus } from './shape.js';

/** How long an admission lives without a heartbeat. Nanoseconds. */
export const LEASE_NS = 30_000_000_000n;

/** The admission of the run that goes on; it is the lease that ends, never the claim (S16). */
export interface Lease {
  claimId: string;
  /** Nanoseconds since the epoch. */
  expiresAtNs: bigint;
}

/**
 * Takes the one claim of a waiting run. The same claim again is no change, while it is in preflight; any other is refused
 * and the winner stays as it was (S16).
 */
export function acquire(
  existing: Claim | null,
  request: Omit<Claim, 'state'>,
  status: RunStatus | 'queued',
): Outcome<Claim> {
  if (request.claimId.trim() === '') return refusedAs('Failed', 'a claim needs an id of its own', {}, 'bad_request');
  if (status !== 'waiting') return refusedAs('Conflict', `run ${request.runId} is not waiting`, {}, 'not_waiting');
  if (existing === null) return accepted({ ...request, state: 'preflight' });
  if (isSame(existing, request) && existing.state === 'preflight') return accepted(existing);
  const { claimId, state, createdAt } = existing;
  const text = `run ${request.runId} already has an active resume claim`;
  return refusedAs('Conflict', text, { claimId, state, createdAt }, 'already_claimed');
}

/** The new run was admitted under the claim; from here it cannot be released. */
export function admit(existing: Claim | null, claimId: string, now: string): Outcome<{ claim: Claim; lease: Lease }> {
  const held = inState(existing, claimId, 'preflight');
  if (!held.ok) return held;
  const at = parseTime(now);
  if (!at.ok) return refusedAs('Failed', `${now} is no time`, {}, 'bad_request');
  const claim: Claim = { ...held.value, state: 'admitted' };
  return accepted({ claim, lease: { claimId, expiresAtNs: at.ns + LEASE_NS } });
}

/** Right before the first effect, in one step with the check of a live lease. A lease ends at its instant. */
export function start(existing: Claim | null, lease: Lease, nowNs: bigint): Outcome<Claim> {
  if (lease.expiresAtNs <= nowNs) return refusedAs('StaleFence', 'the run admission lease expired');
  const held = inState(existing, lease.claimId, 'admitted');
  return held.ok ? accepted({ ...held.value, state: 'started' }) : held;
}

/** Gives the claim back. Only in preflight; none to release is no refusal. */
export function release(existing: Claim | null, claimId: string): Outcome<null> {
  if (existing === null) return accepted(null);
  const { runId, state } = existing;
  if (existing.claimId !== claimId)
    return refusedAs(
      'Conflict',
      `resume claim conflict for run ${runId}`,
      { claimId: existing.claimId },
      'wrong_token',
    );
  if (state === 'preflight') return accepted(null);
  return refusedAs('Conflict', `the ${state} resume claim for run ${runId} cannot be released`, { state }, 'too_late');
}

/** Ends an admission whose worker never began: the claim is gone and the source still waits, unless effects began (S17). */
export function abort(
  existing: Claim | null,
  claimId: string,
): Outcome<{ outcome: 'aborted_before_effect'; claim: null } | { outcome: 'effect_started'; claim: Claim }> {
  if (existing?.claimId === claimId && existing.state === 'started') {
    return accepted({ outcome: 'effect_started', claim: existing });
  }
  const held = inState(existing, claimId, 'admitted');
  return held.ok ? accepted({ outcome: 'aborted_before_effect', claim: null }) : held;
}

/** A started claim goes only together with the terminal status of its source run (S15, S17). */
export function consume(existing: Claim | null, claimId: string, ended: RunStatus): Outcome<null> {
  if (ended !== 'completed' && ended !== 'failed') {
    return refusedAs('Conflict', `the source run of a started claim ends as completed or failed, not as ${ended}`);
  }
  const held = inState(existing, claimId, 'started');
  return held.ok ? accepted(null) : held;
}

/** What the metadata of a run says when its host was lost after the start: a person must reconcile it (S17). */
export const LOST_AFTER_START: readonly [key: string, value: string] = [
  'starweaver.continuation.effect',
  '{"phase":"started","outcome":"indeterminate"}',
];

function inState(existing: Claim | null, claimId: string, state: Claim['state']): Outcome<Claim> {
  if (existing === null) return refusedAs('NotFound', 'there is no resume claim');
  if (existing.claimId === claimId && existing.state === state) return accepted(existing);
  const text = `invalid ${state} resume claim for run ${existing.runId}`;
  return refusedAs('Conflict', text, { claimId: existing.claimId, state: existing.state }, 'already_claimed');
}

function isSame(a: Claim, b: Omit<Claim, 'state'>): boolean {
  return a.claimId === b.claimId && a.sessionId === b.sessionId && a.runId === b.runId;
}
