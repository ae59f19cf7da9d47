import type { Timers } from './gc-timer.js';
import type { Sealer } from './seals.js';

/** How long what happened stays unsealed at most, while a window is open. Milliseconds. */
const INTERVAL = 5 * 60_000;

/** Seals the history now and then; nothing that is acknowledged waits for it. */
export class SealTimer {
  readonly #sealer: Pick<Sealer, 'seal'>;
  readonly #timers: Timers;
  readonly #failed: (error: unknown) => void;
  #timer: unknown = null;
  #running: Promise<void> | null = null;
  #disposed = false;

  constructor(sealer: Pick<Sealer, 'seal'>, timers: Timers, failed: (error: unknown) => void) {
    this.#sealer = sealer;
    this.#timers = timers;
    this.#failed = failed;
  }

  /** Seals at once, and from then on again and again. */
  start(): void {
    void this.sealNow();
  }

  /** One pass; who asks meanwhile waits for the same one. */
  sealNow(): Promise<void> {
    this.#running ??= this.#seal().finally(() => {
      this.#running = null;
      this.#timers.clear(this.#timer);
      if (!this.#disposed) this.#timer = this.#timers.set(INTERVAL, () => void this.sealNow());
    });
    return this.#running;
  }

  async #seal(): Promise<void> {
    try {
      await this.#sealer.seal(async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return !this.#disposed;
      });
    } catch (error) {
      // Tried again after the interval; a full disk or a store that was taken away passes.
      if (!this.#disposed) this.#failed(error);
    }
  }

  dispose(): void {
    this.#disposed = true;
    this.#timers.clear(this.#timer);
  }
}
