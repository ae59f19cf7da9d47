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
  remove(): Promise<Ack | null>;
  payload(): Promise<Ack>;
  list(): Promise<Ack>;
  thin(): Promise<Ack>;
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
    async remove() {
      const key = seeded.pick(KEYS);
      const newest = await newestOf(store, key);
      if (newest === null) return null;
      return { t: 'value', key, revision: await store.delete(PLAIN, key, newest), id: null };
    },
    async payload() {
      return { t: 'payload', sha256: await store.putPayload(next().value) };
    },
    async list() {
      return { t: 'listed', keys: (await store.keysPage(PLAIN, null, 3)).heads.length };
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
