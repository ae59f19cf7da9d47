import { hash } from 'node:crypto';

/** Enough of a name's sha256 that no two of a store's names are ever taken for one another. */
const NAME = 12;
const FIRST = 1024;

/**
 * Names with a few bytes each, for looks at a whole store: a hundred thousand take megabytes where strings and objects take a
 * hundred times that. It knows names by their digests, so it cannot list them.
 */
export class KeyTable {
  /** Bytes of a row: the digest, then what is kept with the name. */
  readonly #width: number;
  #rows: Buffer;
  #count = 0;

  /** `bytes`: how many are kept with each name; at first they are zeros. */
  constructor(bytes: number) {
    this.#width = NAME + bytes;
    this.#rows = Buffer.alloc(FIRST * this.#width);
  }

  get count(): number {
    return this.#count;
  }

  /** What is kept with a name, to be read and written in place until the next `add`; null when it was never added. */
  get(name: string): Buffer | null {
    const at = this.#find(this.#rows, digestOf(name));
    return this.#isFree(this.#rows, at) ? null : this.#kept(at);
  }

  /** The same, made when it was not there. */
  add(name: string): Buffer {
    if ((this.#count + 1) * this.#width * 1.5 > this.#rows.length) this.#grow();
    const digest = digestOf(name);
    const at = this.#find(this.#rows, digest);
    if (this.#isFree(this.#rows, at)) {
      digest.copy(this.#rows, at);
      this.#count += 1;
    }
    return this.#kept(at);
  }

  /** What is kept with each name, in no order. */
  *values(): Generator<Buffer> {
    for (let at = 0; at < this.#rows.length; at += this.#width) if (!this.#isFree(this.#rows, at)) yield this.#kept(at);
  }

  #kept(at: number): Buffer {
    return this.#rows.subarray(at + NAME, at + this.#width);
  }

  /** A digest of zeros is never met; the row that has one is free. */
  #isFree(rows: Buffer, at: number): boolean {
    return rows.readUInt32LE(at) === 0 && rows.readUInt32LE(at + 4) === 0 && rows.readUInt32LE(at + 8) === 0;
  }

  #find(rows: Buffer, digest: Buffer): number {
    const most = rows.length / this.#width;
    for (let row = digest.readUInt32LE(0) % most; ; row = (row + 1) % most) {
      const at = row * this.#width;
      if (this.#isFree(rows, at) || digest.compare(rows, at, at + NAME) === 0) return at;
    }
  }

  #grow(): void {
    const old = this.#rows;
    const next = Buffer.alloc(old.length * 2);
    for (let at = 0; at < old.length; at += this.#width)
      if (!this.#isFree(old, at)) old.copy(next, this.#find(next, old.subarray(at, at + NAME)), at, at + this.#width);
    this.#rows = next;
  }
}

const digestOf = (name: string): Buffer => hash('sha256', name, 'buffer').subarray(0, NAME);
