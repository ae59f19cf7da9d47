import type { BucketIndex } from './bucket-index.js';
import type { Quarantined } from './contract.js';
import { quarantinedIn, type Round, strayFolders } from './quarantine.js';
import { bucketsOf } from './shards.js';
import type { Volume } from './volume.js';

/** Looks for what cannot be trusted, a bounded share of each bucket at a time, and remembers how far it came. */
export class QuarantineLook {
  readonly #volume: Volume;
  readonly #indexOf: (bucket: string) => BucketIndex;
  readonly #rounds = new Map<string, Round>();

  constructor(volume: Volume, indexOf: (bucket: string) => BucketIndex) {
    this.#volume = volume;
    this.#indexOf = indexOf;
  }

  /** Everything found so far in the rounds under way and the last ones. */
  async look(): Promise<Quarantined[]> {
    const found = strayFolders(this.#volume, null);
    for (const bucket of bucketsOf(this.#volume)) {
      const looked = await quarantinedIn(this.#volume, bucket, this.#indexOf(bucket), this.#rounds.get(bucket) ?? null);
      this.#rounds.set(bucket, looked.round);
      found.push(...looked.found);
    }
    return found;
  }
}
