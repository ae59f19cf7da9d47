import type { KeyState } from './bucket-shard.js';

const MANY = 64;

type Position = Pick<KeyState, 'enc' | 'shard'>;

/** By encoded name; the shard only tells apart a record that someone moved to the wrong folder. */
export function inOrder(a: Position, b: Position): number {
  if (a.enc !== b.enc) return a.enc < b.enc ? -1 : 1;
  return a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0;
}

/** All keys of a bucket in ascending order of their encoded names. */
export class SortedKeys {
  #sorted: KeyState[] = [];
  /** Added but not in place yet. */
  #added: KeyState[] = [];
  /** Where the key after the last one that was asked for stands: a walk goes on there. */
  #next = 0;

  get size(): number {
    return this.#sorted.length + this.#added.length;
  }

  add(key: KeyState): void {
    this.#added.push(key);
  }

  remove(key: KeyState): void {
    this.#settle();
    const at = this.#firstFrom(key);
    if (this.#sorted[at] === key) this.#sorted.splice(at, 1);
  }

  /** The first key at or after an encoded name. */
  from(enc: string): KeyState | undefined {
    this.#settle();
    return this.#sorted[this.#firstFrom({ enc, shard: '' })];
  }

  /** The key after another, which may be gone by now. */
  after(key: Position): KeyState | undefined {
    this.#settle();
    const before = this.#sorted[this.#next - 1];
    const at = before === key ? this.#next - 1 : this.#firstFrom(key);
    const found = this.#sorted[at];
    const isIt = found !== undefined && (found === key || inOrder(found, key) === 0);
    this.#next = isIt ? at + 2 : at + 1;
    return this.#sorted[this.#next - 1];
  }

  #firstFrom(position: Position): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const key = this.#sorted[middle];
      if (key !== undefined && inOrder(key, position) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #settle(): void {
    const added = this.#added;
    if (added.length === 0) return;
    this.#added = [];
    if (added.length > MANY) this.#sorted = this.#sorted.concat(added).sort(inOrder);
    else for (const key of added) this.#sorted.splice(this.#firstFrom(key), 0, key);
  }
}
