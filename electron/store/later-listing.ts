import { attempt } from './faults.js';
import { slices } from './slices.js';

const LATER_MS = 1000;

/**
 * Lists shards that this process has written in about a second later, when nothing waits for it: what another process
 * did in the very moment of an own change would hide behind it.
 */
export class LaterListing {
  readonly #list: (shard: string) => void;
  readonly #shards = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(list: (shard: string) => void) {
    this.#list = list;
  }

  add(shard: string): void {
    this.#shards.add(shard);
    this.#timer ??= setTimeout(() => void this.#listAll(), LATER_MS).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#shards.clear();
  }

  async #listAll(): Promise<void> {
    const slice = slices();
    for (const shard of this.#shards) {
      this.#shards.delete(shard);
      // A fault is for whoever lists next to meet.
      attempt(() => this.#list(shard));
      await slice.pass();
    }
    this.#timer = null;
  }
}
