import type { BucketIndex } from './bucket-index.js';
import type { KeyState } from './bucket-shard.js';
import type { Head, Page } from './contract.js';
import type { Snapshot } from './index-snapshot.js';
import { headOf } from './page.js';
import { slices } from './slices.js';
import { inOrder } from './sorted-keys.js';

/**
 * A page before the index is built: straight from the snapshot's blocks, with the keys of every folder that changed
 * since taken from its listing instead. Costs the same whatever the bucket holds. Null when the snapshot is torn.
 */
export async function warmPage(
  index: BucketIndex,
  snapshot: Snapshot,
  from: string,
  limit: number,
  tombstones: boolean,
): Promise<Page | null> {
  const slice = slices();
  const heads: Head[] = [];
  try {
    const walk = new SnapshotWalk(index, snapshot, from);
    let listed = index.keys.from(from);
    for (;;) {
      const row = walk.current(listed);
      const key = row === null || (listed !== undefined && inOrder(listed, row) <= 0) ? listed : row;
      if (key === undefined) return { heads, next: null };
      const head = headOf(index, key);
      if (row === key && index.tells(key)) {
        // Its file was gone, and its folder has been listed since: the listing tells.
        listed = index.keys.from(key.enc);
        continue;
      }
      if (head !== null && (tombstones || !head.deleted)) {
        if (heads.length >= limit) return { heads, next: head.key };
        heads.push(head);
      }
      await slice.pass();
      // Meanwhile more folders may have been listed, and keys come and gone: what comes next is found by its name.
      if (row === key && walk.current(listed) === row) walk.next();
      listed = index.keys.after(key);
    }
  } catch (error) {
    if (error instanceof Torn) return null;
    throw error;
  }
}

class Torn extends Error {}

/** Steps through the snapshot's rows, leaving out those of folders that have been listed since; tells the listing what they know. */
class SnapshotWalk {
  readonly #index: BucketIndex;
  readonly #snapshot: Snapshot;
  #block: number;
  #rows: readonly KeyState[] = [];
  #at = 0;

  constructor(index: BucketIndex, snapshot: Snapshot, from: string) {
    this.#index = index;
    this.#snapshot = snapshot;
    let [low, high] = [0, snapshot.firsts.length];
    // The last block that begins before the name, for the name may be within it.
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((snapshot.firsts[middle] ?? '') < from) low = middle + 1;
      else high = middle;
    }
    this.#block = Math.max(0, low - 1);
    this.#load();
    while ((this.#rows[this.#at]?.enc ?? from) < from) this.next();
  }

  /** The next row that counts, or null when there is none before the next key of the listing. */
  current(listed: KeyState | undefined): KeyState | null {
    for (let row = this.#rows[this.#at]; row !== undefined; row = this.#rows[this.#at]) {
      if (!this.#index.tells(row)) return row;
      if (listed !== undefined && inOrder(row, listed) > 0) return null;
      this.next();
    }
    return null;
  }

  next(): void {
    this.#at += 1;
    if (this.#at < this.#rows.length || this.#block + 1 >= this.#snapshot.firsts.length) return;
    this.#block += 1;
    this.#load();
  }

  #load(): void {
    this.#at = 0;
    if (this.#snapshot.firsts.length === 0) return;
    try {
      this.#rows = this.#snapshot.block(this.#block);
    } catch {
      throw new Torn();
    }
  }
}
