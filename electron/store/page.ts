import type { BucketIndex } from './bucket-index.js';
import type { KeyState } from './bucket-shard.js';
import type { Head, Page } from './contract.js';
import { decodeKey } from './names.js';
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
    if (slice.isDue()) await slice.pass();
  }
  return { heads, next: null };
}

/** A key by its header; null when it cannot be trusted, or went away. */
export function headOf(index: BucketIndex, key: KeyState): Head | null {
  if (index.isDoubtful(key)) return null;
  const info = index.infoOf(key);
  if (info?.kind !== 'record') return null;
  const name = info.key ?? decodeKey(key.enc);
  return name === null ? null : { key: name, revision: key.head, meta: info.meta, deleted: info.deleted };
}

const TELL_MS = 100;

/** Reads every header that is not known yet. Tells how many are known of how many, now and then and at the end. */
export async function readHeaders(index: BucketIndex, progress: (known: number, all: number) => void): Promise<void> {
  await index.refresh();
  const slice = slices();
  let known = 0;
  let told = performance.now();
  for (let key = index.keys.from(''); key !== undefined; key = index.keys.after(key)) {
    index.infoOf(key);
    known += 1;
    if (slice.isDue() && (await slice.pass()) && performance.now() - told > TELL_MS) {
      told = performance.now();
      progress(known, Math.max(known, index.keys.size));
    }
  }
  progress(known, known);
}
