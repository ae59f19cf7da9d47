import { z } from 'zod';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore, type Link } from '../store/contract.js';
import { KeyTable } from '../store/key-table.js';
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

/** Between two seals that are read, or two keys that are looked at, this many pass before others are let in. */
const AT_ONCE = 64;
/** So often another process may be first with a seal; what is left then goes into a later pass. */
const TRIES = 8;

type GoOn = () => Promise<boolean>;
const always: GoOn = async () => true;

/** Keys that changed, by bucket. */
export type Changed = ReadonlyMap<string, Iterable<string>>;

/** Seals the history in the background; any number of processes may, the compare-and-set lets one write each seal. */
export class Sealer {
  readonly #store: KvStore;
  readonly #ports: Pick<Ports, 'clock' | 'process'>;
  /** The revision of each key that is sealed. */
  readonly #sealed = new KeyTable(4);
  #n = 0;
  #previous = '';

  constructor(store: KvStore, ports: Pick<Ports, 'clock' | 'process'>) {
    this.#store = store;
    this.#ports = ports;
  }

  /**
   * Seals what changed since the newest seal, of everything; returns how many keys. `goOn` is asked between small steps, and
   * may wait. What cannot be read is left unsealed: the doctor names it. Throws what the store throws.
   */
  seal(goOn: GoOn = always): Promise<number> {
    const store = this.#store;
    async function* everything(): AsyncGenerator<[string, string, number] | null> {
      for (const bucket of HISTORY)
        for (let cursor: string | null = null; ; ) {
          const page = await store.keysPage(bucket, cursor, PAGE, { tombstones: true });
          for (const { key, revision } of page.heads) yield [bucket, key, revision];
          yield null;
          if (page.next === null) break;
          cursor = page.next;
        }
    }
    return this.#sealThese(everything(), goOn);
  }

  /** The same for keys that are known to have changed: nothing is listed, so it costs the same in any store. */
  sealOf(changed: Changed, goOn: GoOn = always): Promise<number> {
    async function* named(): AsyncGenerator<[string, string, number] | null> {
      let n = 0;
      for (const [bucket, keys] of changed)
        for (const key of HISTORY.includes(bucket) ? keys : []) {
          yield [bucket, key, Number.POSITIVE_INFINITY];
          if (++n % AT_ONCE === 0) yield null;
        }
    }
    return this.#sealThese(named(), goOn);
  }

  /** Each key with the revision that it is said to have; null where others are let in. */
  async #sealThese(keys: AsyncIterable<[string, string, number] | null>, goOn: GoOn): Promise<number> {
    let sealed = 0;
    let entries: Seal['entries'] = [];
    if (!(await this.#catchUp(goOn))) return 0;
    for await (const one of keys) {
      if (one === null) {
        if (!(await goOn())) return sealed;
        continue;
      }
      const [bucket, key, revision] = one;
      if (this.#sealedAt(bucket, key) >= revision) continue;
      const link = await this.#linkOf(bucket, key);
      if (link === null || this.#sealedAt(bucket, key) >= link.revision) continue;
      entries.push([bucket, key, link.revision, link.deleted ? 'del' : 'put', link.hash]);
      if (entries.length < ENTRIES) continue;
      const written = await this.#write(entries, goOn);
      if (written === null) return sealed;
      sealed += written;
      entries = [];
    }
    return sealed + ((await this.#write(entries, goOn)) ?? 0);
  }

  #sealedAt(bucket: string, key: string): number {
    return this.#sealed.get(nameOf(bucket, key))?.readUInt32LE(0) ?? 0;
  }

  async #linkOf(bucket: string, key: string): Promise<Link | null> {
    try {
      return await this.#store.link(bucket, key);
    } catch {
      return null; // It cannot be read: the listing of what cannot be trusted names it.
    }
  }

  /** Writes the next seal, after those that others write meanwhile. Returns how many keys are in it, null when it came to none. */
  async #write(entries: Seal['entries'], goOn: GoOn): Promise<number | null> {
    const { clock, process } = this.#ports;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const open = entries.filter(([bucket, key, revision]) => this.#sealedAt(bucket, key) < revision);
      if (open.length === 0) return 0;
      const n = this.#n + 1;
      const at = formatNs(clock.now());
      const seal: Seal = { v: 1, n, at, by: process.name, previous: this.#previous, entries: open };
      try {
        await this.#store.cas(SEALS, sealName(n), new TextEncoder().encode(JSON.stringify(seal)), null, {
          payloads: [],
        });
        await this.#take(seal);
        return open.length;
      } catch (error) {
        if (!(error instanceof CasConflict)) throw error;
        if (!(await this.#catchUp(goOn))) return null;
      }
    }
    return null;
  }

  /** Reads the seals that were written since, by whichever process. False when it was told to stop. */
  async #catchUp(goOn: GoOn): Promise<boolean> {
    for (;;) {
      const entry = await this.#store.get(SEALS, sealName(this.#n + 1));
      if (entry === null) return true;
      await this.#take(Seal.parse(JSON.parse(new TextDecoder().decode(entry.value))));
      if (this.#n % AT_ONCE === 0 && !(await goOn())) return false;
    }
  }

  async #take(seal: Seal): Promise<void> {
    const link = await this.#store.link(SEALS, sealName(seal.n));
    for (const [bucket, key, revision] of seal.entries) this.#sealed.add(nameOf(bucket, key)).writeUInt32LE(revision);
    this.#n = seal.n;
    this.#previous = link?.hash ?? '';
  }
}

const nameOf = (bucket: string, key: string): string => `${bucket}\0${key}`;
