import type { Timers } from './gc-timer.js';
import type { Sealer } from './seals.js';

/** How long what a window is told of stays unsealed at most, while it is open. Milliseconds. */
export const SOON = 5_000;
/** Everything is looked through this often: what was written while nobody looked, or more at once than is named. */
const INTERVAL = 5 * 60_000;
/** A wait for the last seal holds nobody's quitting up for longer. */
const LAST_MS = 1_500;

type Sealing = Pick<Sealer, 'seal' | 'sealOf'>;

/** Seals the history soon after it changed, and now and then all of it; nothing that is acknowledged waits for it. */
export class SealTimer {
  readonly #sealer: Sealing;
  readonly #timers: Timers;
  readonly #failed: (error: unknown) => void;
  readonly #changed = new Map<string, Set<string>>();
  #all: unknown = null;
  #soon: unknown = null;
  /** A pass over everything that is under way, or waits for its turn. */
  #whole: Promise<void> | null = null;
  /** The end of what is under way: one pass at a time. */
  #last: Promise<void> = Promise.resolve();
  #begun = false;
  #disposed = false;

  constructor(sealer: Sealing, timers: Timers, failed: (error: unknown) => void) {
    this.#sealer = sealer;
    this.#timers = timers;
    this.#failed = failed;
  }

  /** Seals at once, and from then on again and again. */
  start(): void {
    this.#begun = true;
    void this.sealNow();
  }

  /** Keys of a bucket changed; null where nobody names them: those are left to the look through everything. */
  changed(bucket: string, keys: readonly string[] | null): void {
    if (keys === null || keys.length === 0 || this.#disposed) return;
    const known = this.#changed.get(bucket) ?? new Set();
    this.#changed.set(bucket, known);
    for (const key of keys) known.add(key);
    if (this.#begun) this.#soon ??= this.#timers.set(SOON, () => void this.#sealChanged());
  }

  /** One pass over everything; who asks meanwhile waits for the same one. */
  sealNow(): Promise<void> {
    this.#whole ??= this.#inTurn((goOn) => this.#sealer.seal(goOn)).finally(() => {
      this.#whole = null;
      this.#timers.clear(this.#all);
      if (!this.#disposed) this.#all = this.#timers.set(INTERVAL, () => void this.sealNow());
    });
    return this.#whole;
  }

  /** Seals what changed, and starts nothing more. Returns in a bounded time. */
  async finish(): Promise<void> {
    const late = new Promise<void>((resolve) => {
      this.#timers.set(LAST_MS, resolve);
    });
    // What was written just now is told in the next turn.
    await new Promise((resolve) => setImmediate(resolve));
    if (this.#begun) await Promise.race([this.#sealChanged(), late]);
    this.dispose();
  }

  #sealChanged(): Promise<void> {
    this.#timers.clear(this.#soon);
    this.#soon = null;
    return this.#inTurn(async (goOn) => {
      const changed = new Map(this.#changed);
      this.#changed.clear();
      return changed.size > 0 ? this.#sealer.sealOf(changed, goOn) : 0;
    });
  }

  #inTurn(act: (goOn: () => Promise<boolean>) => Promise<number>): Promise<void> {
    this.#last = this.#last.then(() => this.#try(act));
    return this.#last;
  }

  async #try(act: (goOn: () => Promise<boolean>) => Promise<number>): Promise<void> {
    try {
      await act(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return !this.#disposed;
      });
    } catch (error) {
      // Tried again with the next look through everything; a full disk or a store that was taken away passes.
      if (!this.#disposed) this.#failed(error);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#timers.clear(this.#all);
    this.#timers.clear(this.#soon);
  }
}
