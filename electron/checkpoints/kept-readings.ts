/**
 * What stored bytes say, kept by name: the card, the decision and the claim read the same record one after the other.
 * The bytes come from the files each time, and only while they are exactly those that were read before is the reading
 * not made again. Whoever reads freezes it, so that nobody changes what another acts on. A reading that throws is not kept.
 */
export class KeptReadings<T> {
  readonly #mostBytes: number;
  readonly #read: (bytes: Uint8Array, name: string) => T;
  /** Least lately used first. */
  readonly #kept = new Map<string, { bytes: Uint8Array; value: T }>();
  #total = 0;

  constructor(mostBytes: number, read: (bytes: Uint8Array, name: string) => T) {
    this.#mostBytes = mostBytes;
    this.#read = read;
  }

  of(name: string, bytes: Uint8Array): T {
    const known = this.#kept.get(name);
    const isSame = known !== undefined && Buffer.compare(known.bytes, bytes) === 0;
    const one = isSame ? known : { bytes, value: this.#read(bytes, name) };
    this.#drop(name);
    this.#kept.set(name, one);
    this.#total += one.bytes.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#total <= this.#mostBytes) break;
      this.#drop(oldest);
    }
    return one.value;
  }

  #drop(name: string): void {
    this.#total -= this.#kept.get(name)?.bytes.length ?? 0;
    this.#kept.delete(name);
  }
}
