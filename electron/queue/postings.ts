const FIRST_BYTES = 4;

/** Ascending document numbers, each as its distance from the one before, seven bits a byte: one byte for most. */
export class Postings {
  #bytes: Uint8Array;
  #length: number;
  #last: number;

  constructor(bytes: Uint8Array = new Uint8Array(FIRST_BYTES), length = 0, last = -1) {
    this.#bytes = bytes;
    this.#length = length;
    this.#last = last;
  }

  get last(): number {
    return this.#last;
  }

  /** What was added so far, as bytes. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Adds a number greater than all before. */
  add(doc: number): void {
    let distance = doc - this.#last - 1;
    this.#last = doc;
    for (;;) {
      if (this.#length === this.#bytes.length) {
        const more = new Uint8Array(this.#bytes.length * 2);
        more.set(this.#bytes);
        this.#bytes = more;
      }
      const low = distance & 0x7f;
      distance >>>= 7;
      this.#bytes[this.#length++] = distance === 0 ? low : low | 0x80;
      if (distance === 0) return;
    }
  }

  forEach(each: (doc: number) => void): void {
    const bytes = this.#bytes;
    const length = this.#length;
    let doc = -1;
    let distance = 0;
    let shift = 0;
    for (let at = 0; at < length; at += 1) {
      const byte = bytes[at] ?? 0;
      distance |= (byte & 0x7f) << shift;
      if (byte & 0x80) {
        shift += 7;
        continue;
      }
      doc += distance + 1;
      each(doc);
      distance = 0;
      shift = 0;
    }
  }
}
