import { refused } from '../../shared/refusal.js';
import type { Lineage, Succession } from './format.js';

/** Negative when `a` is earlier, positive when it is later; 0 where they are equal or nobody can tell. */
export function compareOrders(a: string | null, b: string | null): number {
  if (a === null || b === null) return 0;
  const [left, right] = [a.split(' '), b.split(' ')];
  for (const [at, text] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 0;
    const [one, two] = [BigInt(text), BigInt(other)];
    if (one !== two) return one < two ? -1 : 1;
  }
  return 0;
}

/**
 * A record that stood earlier in its run than one that is known never takes its place: what it asks was asked before, and
 * may have run since. `words` names the two facts that tell.
 */
export function laterOnly(before: Lineage, next: Lineage, words: string): Succession {
  if (compareOrders(next.order, before.order) >= 0) return { kind: 'supersedes' };
  return {
    kind: 'refused',
    refusal: refused('superseded', `An older record of this run: ${words}. The newer one stays; nothing was changed.`, {
      known: before.order,
      came: next.order,
    }).refusal,
  };
}
