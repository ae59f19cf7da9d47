import type { ApproveState } from '../../shared/approve.js';
import { type FactChange, factChanges } from '../run/fact-changes.js';

type Offered = NonNullable<ApproveState['offered']>;

/** What of one proposal became another thing while it was on screen; nothing for another proposal, or for the same reading. */
export function changedSince(before: Offered | null | undefined, now: Offered | null): FactChange[] {
  if (!before || !now || before.offer !== now.offer || before.seal === now.seal) return [];
  const { release: was } = before;
  const { release: is } = now;
  return 'calls' in was && 'calls' in is ? factChanges(was, is) : [];
}
