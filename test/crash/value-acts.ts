import type { KvStore } from '../../electron/store/contract.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { type Ack, PLAIN } from './acks.js';
import type { Seeded } from './seeded.js';

const KEYS = ['a', 'A', 'with/slash', 'Long '.repeat(60), 'hot', 'hot', 'hot'] as const;
const FILLING = 'x'.repeat(40_000);

export const bytesOf = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(JSON.stringify(value), 'utf8'));
/** The name that a value was written under. */
export const idOf = (bytes: Uint8Array): string => JSON.parse(Buffer.from(bytes).toString('utf8')).id;

/** What a writer does with plain keys. */
export interface ValueActs {
  put(): Promise<Ack>;
  cas(): Promise<Ack>;
  many(): Promise<Ack | null>;
  remove(): Promise<Ack | null>;
  payload(): Promise<Ack>;
  list(): Promise<Ack>;
  thin(): Promise<Ack>;
  tidy(): Promise<Ack>;
}

export function valueActs(store: FileStore, name: string, seeded: Seeded): ValueActs {
  let count = 0;
  const next = () => {
    count += 1;
    const id = `${name} ${count}`;
    return { id, value: bytesOf({ id, filling: seeded.below(3) === 0 ? FILLING : '' }), meta: { meta: id } };
  };
  return {
    async put() {
      const [key, { id, value, meta }] = [seeded.pick(KEYS), next()];
      return { t: 'value', key, revision: await store.put(PLAIN, key, value, meta), id };
    },
    async cas() {
      const [key, { id, value, meta }] = [seeded.pick(KEYS), next()];
      const newest = await newestOf(store, key);
      return { t: 'value', key, revision: await store.cas(PLAIN, key, value, newest, meta), id };
    },
    async many() {
      const planned = [];
      for (const key of new Set(KEYS)) {
        const { id, value, meta } = next();
        planned.push({ id, write: { key, value, expected: await newestOf(store, key), options: meta } });
      }
      const results = await store.casMany(
        PLAIN,
        planned.map(({ write }) => write),
      );
      const values = planned.flatMap(({ id, write }, n) => {
        const revision = results[n];
        return typeof revision === 'number' ? [{ key: write.key, revision, id }] : [];
      });
      // Who came second is told so; anything else is a fault of this one act.
      const failed = results.find((one) => one instanceof Error && one.name !== 'CasConflict');
      if (values.length === 0 && failed instanceof Error) throw failed;
      return values.length === 0 ? null : { t: 'values', values };
    },
    async remove() {
      const key = seeded.pick(KEYS);
      const newest = await newestOf(store, key);
      if (newest === null) return null;
      return { t: 'value', key, revision: await store.delete(PLAIN, key, newest), id: null };
    },
    async payload() {
      // One that no record names may go with the next clean-up; this one stays as long as its key does.
      const { value, meta } = next();
      const sha256 = await store.putPayload(value);
      await store.put(PLAIN, `holds ${sha256}`, bytesOf({ id: meta.meta, sha256 }), { ...meta, payloads: [sha256] });
      return { t: 'payload', sha256 };
    },
    async list() {
      return { t: 'listed', keys: (await store.keysPage(PLAIN, null, 3)).heads.length };
    },
    async tidy() {
      return { t: 'tidied', gone: (await store.tidy({ payloads: seeded.below(3) === 0 })).revisions };
    },
    async thin() {
      return { t: 'thinned', gone: await store.thin(PLAIN, seeded.pick(KEYS)) };
    },
  };
}

async function newestOf(store: KvStore, key: string): Promise<number | null> {
  const head = await store.head(PLAIN, key);
  return head === null || head.deleted ? null : head.revision;
}
