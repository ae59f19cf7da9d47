import { accepted, type Outcome } from '../../../shared/refusal.js';
import { U64_MAX } from './numbers.js';
import { refusedAs } from './refused-as.js';

/** What of a checkpoint its compare-and-swap looks at. */
export interface Revision {
  /** Checkpoint id, canonical: the identity under which revisions count. */
  id: string;
  revision: bigint;
}

/** The revision after this one; refused as Conflict where 64 bits end. */
export function nextRevision(revision: bigint): Outcome<bigint> {
  if (revision < U64_MAX) return accepted(revision + 1n);
  return refusedAs('Conflict', 'checkpoint revision overflow', { revision: String(revision) });
}

/**
 * May `next` be written over `stored` (R1)? `expected` null creates only, at revision 0; otherwise the stored revision
 * must be the expected one, and `next` the one after it. The loser of two writers has its old revision in hand: this is
 * the claim of a run (R8).
 */
export function compareAndSwap(stored: Revision | null, next: Revision, expected: bigint | null): Outcome<Revision> {
  if (stored === null && expected !== null)
    return refusedAs('NotFound', `checkpoint \`${next.id}\` does not exist`, { id: next.id });
  const follows =
    expected === null
      ? stored === null && next.revision === 0n
      : stored?.id === next.id && stored.revision === expected && next.revision === expected + 1n;
  if (follows) return accepted(next);
  return refusedAs('Conflict', `checkpoint \`${next.id}\` revision precondition failed`, {
    id: next.id,
    expected: expected === null ? null : String(expected),
    actual: stored === null ? null : String(stored.revision),
    next: String(next.revision),
  });
}
