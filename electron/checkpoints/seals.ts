import { z } from 'zod';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore, type Link } from '../store/contract.js';
import { HISTORY, SEALS } from './keys.js';

/** Bucket, key, newest revision, whether it is a tombstone, and the hash that its next revision would name. */
const Entry = z.tuple([z.string(), z.string(), z.number().int().min(1), z.enum(['put', 'del']), z.string()]);

/**
 * What changed in the history since the seal before, and that one's hash. All seals together say what was there, so a
 * key that went as a whole shows, and none of them can be changed without changing all that came after it.
 */
export const Seal = z.strictObject({
  v: z.literal(1),
  n: z.number().int().min(1),
  /** RFC 3339, UTC. */
  at: z.string(),
  by: z.string(),
  /** `hashOf` the first line of the seal before; '' in the first. */
  previous: z.string(),
  entries: z.array(Entry),
});
export type Seal = z.infer<typeof Seal>;

/** A seal is read whole, so it stays small enough to hold nobody up. */
const ENTRIES = 1000;
const PAGE = 256;

export const sealName = (n: number): string => String(n).padStart(9, '0');

/** Seals the history in the background; any number of processes may, the compare-and-set lets one write each seal. */
export class Sealer {
  readonly #store: KvStore;
  readonly #ports: Pick<Ports, 'clock' | 'process'>;
  /** The revision that is sealed of each key, by bucket. */
  readonly #sealed = new Map<string, Map<string, number>>();
  #n = 0;
  #previous = '';

  constructor(store: KvStore, ports: Pick<Ports, 'clock' | 'process'>) {
    this.#store = store;
    this.#ports = ports;
  }

  /**
   * Seals what changed since the newest seal; returns how many keys. `goOn` is asked between pages and may wait. What
   * cannot be read is left unsealed: the doctor names it. Throws what the store throws.
   */
  async seal(goOn: () => Promise<boolean> = async () => true): Promise<number> {
    let sealed = 0;
    let entries: Seal['entries'] = [];
    await this.#catchUp();
    for (const bucket of HISTORY)
      for (let cursor: string | null = null; ; ) {
        const page = await this.#store.keysPage(bucket, cursor, PAGE, { tombstones: true });
        for (const { key, revision } of page.heads) {
          if ((this.#sealed.get(bucket)?.get(key) ?? 0) >= revision) continue;
          const link = await this.#linkOf(bucket, key);
          if (link !== null) entries.push([bucket, key, link.revision, link.deleted ? 'del' : 'put', link.hash]);
          if (entries.length < ENTRIES) continue;
          if (!(await this.#write(entries))) return sealed;
          sealed += entries.length;
          entries = [];
        }
        if (!(await goOn())) return sealed;
        if (page.next === null) break;
        cursor = page.next;
      }
    return entries.length > 0 && (await this.#write(entries)) ? sealed + entries.length : sealed;
  }

  async #linkOf(bucket: string, key: string): Promise<Link | null> {
    try {
      return await this.#store.link(bucket, key);
    } catch {
      return null; // It cannot be read: the listing of what cannot be trusted names it.
    }
  }

  /** False when another process wrote this seal first: what is left goes into a later one. */
  async #write(entries: Seal['entries']): Promise<boolean> {
    const { clock, process } = this.#ports;
    const n = this.#n + 1;
    const seal: Seal = { v: 1, n, at: formatNs(clock.now()), by: process.name, previous: this.#previous, entries };
    try {
      await this.#store.cas(SEALS, sealName(n), new TextEncoder().encode(JSON.stringify(seal)), null, {
        payloads: [],
      });
    } catch (error) {
      if (error instanceof CasConflict) return false;
      throw error;
    }
    await this.#take(seal);
    return true;
  }

  /** Reads the seals that were written since, by whichever process. */
  async #catchUp(): Promise<void> {
    for (;;) {
      const entry = await this.#store.get(SEALS, sealName(this.#n + 1));
      if (entry === null) return;
      await this.#take(Seal.parse(JSON.parse(new TextDecoder().decode(entry.value))));
    }
  }

  async #take(seal: Seal): Promise<void> {
    const link = await this.#store.link(SEALS, sealName(seal.n));
    for (const [bucket, key, revision] of seal.entries) {
      const keys = this.#sealed.get(bucket) ?? new Map<string, number>();
      this.#sealed.set(bucket, keys.set(key, revision));
    }
    this.#n = seal.n;
    this.#previous = link?.hash ?? '';
  }
}
