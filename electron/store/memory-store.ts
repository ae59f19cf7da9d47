import type { Changed } from './bucket-index.js';
import type { WriteOptions } from './contract.js';
import {
  type CasWrite,
  type Entry,
  type Head,
  type KvStore,
  type Link,
  type Page,
  type Quarantined,
  StoreCorrupt,
  type Tidied,
} from './contract.js';
import { checkExpected } from './expectation.js';
import { sha256Hex } from './header.js';
import { checkBucket, checkKey, checkMeta, checkSha256 } from './input.js';
import { encodeKey, shardOf, slotName } from './names.js';

type Op = 'put' | 'cas' | 'delete' | 'payload';

/** Called around each write with its key (a payload's: its sha256). May wait, to let others in, or throw. */
export type WriteHook = (op: Op, bucket: string, key: string) => void | Promise<void>;

export interface MemoryStoreHooks {
  /** Before the condition is checked for good: what it throws, the caller gets, and nothing is written. */
  beforeWrite?: WriteHook;
  /** After the write holds: what it throws makes an answer that got lost. */
  afterWrite?: WriteHook;
}

interface Kept {
  revision: number;
  value: Uint8Array;
  meta: string;
  deleted: boolean;
  /** Names the one before, too. */
  hash: string;
}

/** The store's contract without a disk, for tests of everything above it. Keeps every revision. */
export class MemoryStore implements KvStore {
  beforeWrite: WriteHook | undefined;
  afterWrite: WriteHook | undefined;
  readonly #buckets = new Map<string, Map<string, Kept[]>>();
  readonly #payloads = new Map<string, Uint8Array>();
  readonly #damaged = new Map<string, Quarantined & { bytes: Uint8Array }>();
  readonly #watchers = new Map<string, Set<Changed>>();
  #closed = false;

  constructor(hooks: MemoryStoreHooks = {}) {
    this.beforeWrite = hooks.beforeWrite;
    this.afterWrite = hooks.afterWrite;
  }

  async get(bucket: string, key: string): Promise<Entry | null> {
    return entryOf(this.#newest(bucket, key));
  }

  async head(bucket: string, key: string): Promise<Head | null> {
    const newest = this.#newest(bucket, key);
    return newest === null ? null : headOf(key, newest);
  }

  async link(bucket: string, key: string): Promise<Link | null> {
    const newest = this.#newest(bucket, key);
    return newest === null ? null : { revision: newest.revision, deleted: newest.deleted, hash: newest.hash };
  }

  async getRevision(bucket: string, key: string, revision: number): Promise<Entry | null> {
    this.#check(bucket, key);
    return entryOf(
      this.#buckets
        .get(bucket)
        ?.get(key)
        ?.find((kept) => kept.revision === revision) ?? null,
    );
  }

  async put(bucket: string, key: string, value: Uint8Array, options: WriteOptions = {}): Promise<number> {
    return this.#write('put', bucket, key, () => ({ value, meta: options.meta ?? '', deleted: false }));
  }

  async cas(
    bucket: string,
    key: string,
    value: Uint8Array,
    expected: number | null,
    options: WriteOptions = {},
  ): Promise<number> {
    const check = () => checkExpected(bucket, key, expected, this.#newest(bucket, key));
    check();
    return this.#write('cas', bucket, key, () => {
      check();
      return { value, meta: options.meta ?? '', deleted: false };
    });
  }

  async casMany(bucket: string, writes: readonly CasWrite[]): Promise<(number | Error)[]> {
    const results: (number | Error)[] = [];
    for (const { key, value, expected, options } of writes) {
      const result = this.cas(bucket, key, value, expected, options);
      results.push(await result.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))));
    }
    return results;
  }

  async delete(bucket: string, key: string, expected?: number, options: WriteOptions = {}): Promise<number> {
    return this.#write('delete', bucket, key, (newest) => {
      if (expected !== undefined) checkExpected(bucket, key, expected, newest);
      if (newest === null || (newest.deleted && options.meta === undefined)) return null;
      return { value: new Uint8Array(), meta: options.meta ?? newest.meta, deleted: true };
    });
  }

  async keysPage(
    bucket: string,
    cursor: string | null,
    limit: number,
    options: { tombstones?: boolean } = {},
  ): Promise<Page> {
    this.#check(bucket, cursor ?? '');
    const from = cursor === null ? '' : encodeKey(cursor);
    const heads = [...(this.#buckets.get(bucket) ?? [])]
      .map(([key, kept]) => ({ key, enc: encodeKey(key), newest: kept.at(-1) ?? null }))
      .filter(({ key, enc }) => enc >= from && !this.#damaged.has(`${bucket}/${key}`))
      .sort((a, b) => (a.enc < b.enc ? -1 : 1))
      .flatMap(({ key, newest }) => (newest === null ? [] : [headOf(key, newest)]))
      .filter(({ deleted }) => !deleted || options.tombstones === true);
    return { heads: heads.slice(0, limit), next: heads[limit]?.key ?? null };
  }

  async prepare(bucket: string, progress: (known: number, all: number) => void = () => undefined): Promise<void> {
    this.#check(bucket, '');
    const all = this.#buckets.get(bucket)?.size ?? 0;
    progress(all, all);
  }

  watch(bucket: string, changed: Changed): () => void {
    this.#check(bucket, '');
    const watchers = this.#watchers.get(bucket) ?? new Set();
    this.#watchers.set(bucket, watchers);
    const own: Changed = (keys) => changed(keys);
    watchers.add(own);
    return () => void watchers.delete(own);
  }

  async putPayload(bytes: Uint8Array): Promise<string> {
    this.#checkOpen();
    const sha256 = sha256Hex(bytes);
    if (this.beforeWrite !== undefined) await this.beforeWrite('payload', 'payloads', sha256);
    this.#payloads.set(sha256, new Uint8Array(bytes));
    await this.afterWrite?.('payload', 'payloads', sha256);
    return sha256;
  }

  async payloadStamp(sha256: string): Promise<string | null> {
    return (await this.getPayload(sha256)) === null ? null : sha256;
  }

  async getPayload(sha256: string): Promise<Uint8Array | null> {
    this.#checkOpen();
    checkSha256(sha256);
    const bytes = this.#payloads.get(sha256);
    return bytes === undefined ? null : new Uint8Array(bytes);
  }

  async tidy(): Promise<Tidied> {
    return { revisions: 0, payloads: 0, leaving: 0, temps: 0, doubt: null };
  }

  async quarantined(): Promise<Quarantined[]> {
    return [...this.#damaged.values()].map(({ bytes: _bytes, ...rest }) => rest);
  }

  async readQuarantined(file: string): Promise<Uint8Array> {
    const found = [...this.#damaged.values()].find((one) => one.file === file);
    if (found === undefined) throw new StoreCorrupt(`${file} is not there.`);
    return new Uint8Array(found.bytes);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchers.clear();
  }

  /** Makes the newest revision of a key unreadable, as a fault of the disk would. */
  damage(bucket: string, key: string, reason = 'it is filled with zeros', bytes = new Uint8Array(16)): void {
    const revision = this.#buckets.get(bucket)?.get(key)?.at(-1)?.revision ?? 1;
    const file = `k/${bucket}/${shardOf(key)}/${slotName({ enc: encodeKey(key), revision, form: 'file' })}`;
    this.#damaged.set(`${bucket}/${key}`, { bucket, key, file, size: bytes.byteLength, reason, bytes });
    this.#tell(bucket, key);
  }

  #check(bucket: string, key: string): void {
    this.#checkOpen();
    checkBucket(bucket);
    checkKey(key);
  }

  #checkOpen(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }

  #newest(bucket: string, key: string): Kept | null {
    this.#check(bucket, key);
    const damage = this.#damaged.get(`${bucket}/${key}`);
    if (damage !== undefined) {
      throw new StoreCorrupt(`${bucket}/${JSON.stringify(key)} cannot be read: ${damage.file}: ${damage.reason}.`);
    }
    return this.#buckets.get(bucket)?.get(key)?.at(-1) ?? null;
  }

  async #write(
    op: Op,
    bucket: string,
    key: string,
    decide: (newest: Kept | null) => Omit<Kept, 'revision' | 'hash'> | null,
  ): Promise<number> {
    this.#newest(bucket, key);
    // Without a hook the write is done before the call gives way, as in the store on disk.
    if (this.beforeWrite !== undefined) await this.beforeWrite(op, bucket, key);
    const newest = this.#newest(bucket, key);
    const next = decide(newest);
    if (next === null) return newest?.revision ?? 0;
    checkMeta(next.meta);
    const revision = (newest?.revision ?? 0) + 1;
    const hash = sha256Hex(
      JSON.stringify([newest?.hash ?? '', key, revision, next.deleted, sha256Hex(next.value), next.meta]),
    );
    const keys = this.#buckets.get(bucket) ?? new Map<string, Kept[]>();
    this.#buckets.set(bucket, keys);
    keys.set(key, [...(keys.get(key) ?? []), { ...next, hash, revision, value: new Uint8Array(next.value) }]);
    this.#tell(bucket, key);
    await this.afterWrite?.(op, bucket, key);
    return revision;
  }

  #tell(bucket: string, key: string): void {
    for (const changed of this.#watchers.get(bucket) ?? []) {
      setImmediate(() => {
        if (this.#watchers.get(bucket)?.has(changed) === true) changed([key]);
      });
    }
  }
}

function entryOf(kept: Kept | null): Entry | null {
  if (kept === null || kept.deleted) return null;
  return { value: new Uint8Array(kept.value), revision: kept.revision, meta: kept.meta };
}

function headOf(key: string, kept: Kept): Head {
  return { key, revision: kept.revision, meta: kept.meta, deleted: kept.deleted };
}
