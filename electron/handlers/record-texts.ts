import type { NormalRecord } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import { suspensionText } from '../checkpoints/keys.js';
import { load, readHead } from '../checkpoints/records.js';
import type { KvStore } from '../store/contract.js';

/**
 * The record whose long texts the page is fetching piece by piece: read once, not once a piece. Only texts are taken
 * from it, and only while the head in the store has its digest; whatever decides or fires reads the record anew.
 */
export class RecordTexts {
  readonly #store: KvStore;
  #last: { name: string; digest: string; record: NormalRecord } | null = null;

  constructor(store: KvStore) {
    this.#store = store;
  }

  async of(key: SuspensionKey): Promise<Outcome<NormalRecord>> {
    const name = suspensionText(key);
    const head = this.#last?.name === name ? await readHead(this.#store, key) : null;
    if (this.#last !== null && head?.head.digest === this.#last.digest) return accepted(this.#last.record);
    const loaded = await load(this.#store, key);
    if (!loaded.ok) return loaded;
    this.#last = { name, digest: loaded.value.head.digest, record: loaded.value.record };
    return accepted(loaded.value.record);
  }
}
