import type { BucketIndex } from './bucket-index.js';
import type { KeyState } from './bucket-shard.js';
import type { Head, Page } from './contract.js';
import { slices } from './slices.js';

/**
 * Heads from an encoded name on, in ascending order, by header only. The order is total and each step goes on from the
 * last key, so a key that is there throughout is listed exactly once, whatever comes and goes meanwhile. Keys that
 * cannot be trusted are left to `quarantined`.
 */
export async function pageOf(index: BucketIndex, from: string, limit: number, tombstones: boolean): Promise<Page> {
  const slice = slices();
  const heads: Head[] = [];
  for (let key = index.keys.from(from); key !== undefined; key = index.keys.after(key)) {
    const head = headOf(index, key);
    if (head !== null && (tombstones || !head.deleted)) {
      if (heads.length >= limit) return { heads, next: head.key };
      heads.push(head);
    }
    await slice.pass();
  }
  return { heads, next: null };
}

function headOf(index: BucketIndex, key: KeyState): Head | null {
  if (index.isDoubtful(key)) return null;
  const info = index.infoOf(key);
  if (info?.kind !== 'record') return null;
  return { key: info.key, revision: key.head, meta: info.meta, deleted: info.deleted };
}
