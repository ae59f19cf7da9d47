import { join } from 'node:path';
import { releaseBallast } from './ballast.js';
import { BucketIndex, type Changed } from './bucket-index.js';
import { BucketWatch } from './bucket-watch.js';
import { type Change, type Committed, commit, putOf } from './commit.js';
import { commitMany, expecting, outcomeOf } from './commit-many.js';
import type { WriteOptions } from './contract.js';
import {
  CasConflict,
  type CasWrite,
  type Entry,
  type Head,
  type KvStore,
  type Link,
  type Page,
  type PageOptions,
  type Quarantined,
  type Tidied,
  type TidyOptions,
} from './contract.js';
import { type Current, entryOf, type Newest, NewestReader } from './current.js';
import { actualRevision, checkExpected } from './expectation.js';
import { attempt, isOutOfSpace } from './faults.js';
import { hashOf } from './header.js';
import { openSnapshot, writeSnapshot } from './index-snapshot.js';
import { checkBucket, checkKey, checkMeta } from './input.js';
import { type KeyPlace, placeOf } from './key-place.js';
import { encodeKey } from './names.js';
import { pageOf, readHeaders } from './page.js';
import { payloadStamp, putPayload, readPayload } from './payloads.js';
import { readQuarantinedFile } from './quarantine.js';
import { QuarantineLook } from './quarantine-look.js';
import { listShard } from './shard-listing.js';
import { bucketsOf, makeAllShards } from './shards.js';
import { filesOf } from './slots.js';
import type { FileStoreSettings } from './store-settings.js';
import { thin } from './thin.js';
import { ThinWhen } from './thin-when.js';
import { tidy } from './tidy.js';
import { bucketFolder, makeFolder, PAYLOADS, type Volume } from './volume.js';
import { warmPage } from './warm-page.js';
import type { WriteRight } from './write-right.js';

const EMPTY = new Uint8Array();
const LONG_TRY = 1000;

/** The key-value store over revision files. Its calls run to the end without giving way, but for listings. */
export class FileStore implements KvStore {
  readonly #volume: Volume;
  readonly #right: WriteRight;
  readonly #settings: FileStoreSettings;
  readonly #reader: NewestReader;
  readonly #thinWhen: ThinWhen;
  readonly #indexes = new Map<string, BucketIndex>();
  readonly #watches = new Map<string, BucketWatch>();
  readonly #growing = new Set<string>();
  /** The edits of each index that its snapshot holds. */
  readonly #saved = new Map<string, number>();
  readonly #quarantine: QuarantineLook;
  readonly #snapshots: NodeJS.Timeout;
  #closed = false;

  constructor(volume: Volume, right: WriteRight, settings: FileStoreSettings) {
    this.#volume = volume;
    this.#right = right;
    this.#settings = settings;
    this.#reader = new NewestReader(volume);
    this.#thinWhen = new ThinWhen();
    this.#quarantine = new QuarantineLook(volume, (bucket) => this.#index(bucket));
    this.#snapshots = setInterval(() => void this.#saveIndexes(), settings.snapshotMs);
    this.#snapshots.unref();
  }

  get root(): string {
    return this.#volume.root;
  }

  get storeId(): string {
    return this.#right.storeId;
  }

  /** Why nothing can be written now, in words; null when it can (H16). */
  get readOnlyReason(): string | null {
    return this.#right.reason;
  }

  /** The same, after a look at the folder: another store may have come to lie in its place, or it was moved or taken over. */
  lookAgain(): string | null {
    const error = attempt(() => this.#right.ensure());
    return this.readOnlyReason ?? (error instanceof Error ? error.message : null);
  }

  /** Makes this folder on this machine the store's home, in the name of a person. Throws what a write throws. */
  async takeOver(name: string): Promise<void> {
    this.#right.takeOver(name);
  }

  async get(bucket: string, key: string): Promise<Entry | null> {
    const current = this.#current(bucket, key);
    return current === null ? null : entryOf(current);
  }

  async head(bucket: string, key: string): Promise<Head | null> {
    const current = this.#current(bucket, key);
    if (current === null) return null;
    return { key, revision: current.revision, meta: current.header.meta, deleted: current.deleted };
  }

  async link(bucket: string, key: string): Promise<Link | null> {
    const place = this.#place(bucket, key);
    const newest = this.#reader.newest(this.#index(bucket), place);
    return newest === null ? null : { revision: newest.revision, deleted: newest.deleted, hash: hashOf(newest.line) };
  }

  async getRevision(bucket: string, key: string, revision: number): Promise<Entry | null> {
    const place = this.#place(bucket, key);
    // Asked for what it refuses: no revision of a key that cannot be trusted is an answer.
    if (this.#index(bucket).locate(place) === null) return null;
    for (const form of ['file', 'folder'] as const) {
      const found = this.#reader.read(place, { revision, form });
      if (found !== 'gone') return entryOf(found);
    }
    return null;
  }

  async put(bucket: string, key: string, value: Uint8Array, options: WriteOptions = {}): Promise<number> {
    const change = putOf(value, options);
    return this.#writeAtLast(bucket, key, options.reserve === true, () => change);
  }

  async cas(
    bucket: string,
    key: string,
    value: Uint8Array,
    expected: number | null,
    options: WriteOptions = {},
  ): Promise<number> {
    const change = putOf(value, options);
    return this.#writeIf(bucket, key, expected, options.reserve === true, () => change);
  }

  async casMany(bucket: string, writes: readonly CasWrite[]): Promise<(number | Error)[]> {
    const planned = writes.map((write) => {
      const decide = expecting(bucket, write.key, write.expected, putOf(write.value, write.options ?? {}));
      return { place: this.#place(bucket, write.key), decide };
    });
    this.#right.ensure();
    const parts = { volume: this.#volume, reader: this.#reader };
    const results = commitMany(parts, this.#index(bucket), planned);
    const doubt = attempt(() => this.#right.confirm());
    return results.map((result, n) => {
      const { place } = planned[n] ?? {};
      if (result.kind === 'committed' && place !== undefined) this.#written(place, result);
      if (result.kind === 'committed' && doubt instanceof Error) return doubt;
      return outcomeOf(result, () => this.#conflict(bucket, writes[n]));
    });
  }

  #conflict(bucket: string, write: CasWrite | undefined): CasConflict {
    const { key = '', expected = null } = write ?? {};
    return new CasConflict(bucket, key, expected, actualRevision(this.#current(bucket, key)));
  }

  async delete(bucket: string, key: string, expected?: number, options: WriteOptions = {}): Promise<number> {
    const bury = (newest: Newest | null): Change | null => {
      if (newest === null || (newest.deleted && options.meta === undefined)) return null;
      return { op: 'del', value: EMPTY, meta: options.meta ?? newest.header.meta, payloads: [] };
    };
    if (expected === undefined) return this.#writeAtLast(bucket, key, true, bury);
    return this.#writeIf(bucket, key, expected, true, bury);
  }

  async keysPage(bucket: string, cursor: string | null, limit: number, options: PageOptions = {}): Promise<Page> {
    this.#check(bucket, cursor ?? '');
    const index = this.#index(bucket);
    const from = cursor === null ? '' : encodeKey(cursor);
    const tombstones = options.tombstones === true;
    const snapshot = options.all === true ? null : await index.warm();
    const page = snapshot === null ? null : await warmPage(index, snapshot, from, limit, tombstones);
    if (page !== null) return page;
    await index.refresh();
    return pageOf(index, from, limit, tombstones);
  }

  async prepare(bucket: string, progress: (known: number, all: number) => void = () => undefined): Promise<void> {
    this.#check(bucket, '');
    await readHeaders(this.#index(bucket), progress);
  }

  watch(bucket: string, changed: Changed): () => void {
    this.#check(bucket, '');
    // So that the system can be asked for notices of the first write, too. A read-only store waits for the poll.
    if (this.readOnlyReason === null) attempt(() => makeFolder(this.#volume.disk, bucketFolder(this.#volume, bucket)));
    let watch = this.#watches.get(bucket);
    if (watch === undefined) {
      watch = new BucketWatch(this.#volume, bucket, this.#index(bucket));
      this.#watches.set(bucket, watch);
    }
    return watch.add(changed, this.#settings.pollMs);
  }

  async putPayload(bytes: Uint8Array): Promise<string> {
    this.#checkOpen();
    this.#right.ensure();
    const { sha256, crowded } = putPayload(this.#volume, bytes);
    if (crowded) this.#grow(join(this.#volume.root, PAYLOADS));
    return sha256;
  }

  async payloadStamp(sha256: string): Promise<string | null> {
    this.#checkOpen();
    return payloadStamp(this.#volume, sha256);
  }

  async getPayload(sha256: string): Promise<Uint8Array | null> {
    this.#checkOpen();
    return readPayload(this.#volume, sha256);
  }

  async quarantined(): Promise<Quarantined[]> {
    this.#checkOpen();
    return this.#quarantine.look();
  }

  async readQuarantined(file: string): Promise<Uint8Array> {
    this.#checkOpen();
    return readQuarantinedFile(this.#volume, file);
  }

  /** Drops what retention lets go of one key; done after each write, too. Returns how many revisions went. */
  async thin(bucket: string, key: string): Promise<number> {
    const place = this.#place(bucket, key);
    this.#right.ensure();
    return this.#settings.keepAll.includes(bucket) ? 0 : this.#thin(place);
  }

  #thin(place: KeyPlace): number {
    const revisions = filesOf(listShard(this.#volume, place.bucket, place.shard), place.enc)?.revisions ?? [];
    const { gone, youngUntil } = this.#index(place.bucket).changing(place.shard, () =>
      thin(this.#volume, place, revisions, this.#settings.retention),
    );
    this.#thinWhen.looked(place, youngUntil);
    return gone;
  }

  async tidy(options: TidyOptions = {}): Promise<Tidied> {
    this.#checkOpen();
    const { keepAll, retention } = this.#settings;
    const thinned = bucketsOf(this.#volume).filter((bucket) => !keepAll.includes(bucket));
    const goOn = async (): Promise<boolean> => {
      if (this.#closed || (options.goOn && !(await options.goOn()))) return false;
      // Asked anew at each step: the folder may have got another home meanwhile.
      this.#right.ensure();
      return true;
    };
    this.#right.ensure();
    const buckets = thinned.map((bucket) => ({ bucket, index: this.#index(bucket) }));
    return tidy(this.#volume, buckets, retention, { ...options, goOn });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    clearInterval(this.#snapshots);
    for (const watch of this.#watches.values()) watch.stop();
    await this.#saveIndexes();
    for (const index of this.#indexes.values()) index.stop();
    this.#closed = true;
  }

  #check(bucket: string, key: string): void {
    this.#checkOpen();
    checkBucket(bucket);
    checkKey(key);
  }

  #place(bucket: string, key: string): KeyPlace {
    this.#checkOpen();
    checkBucket(bucket);
    return placeOf(bucket, key);
  }

  #checkOpen(): void {
    if (this.#closed) throw new Error('The store is closed.');
  }

  #current(bucket: string, key: string): Current | null {
    const place = this.#place(bucket, key);
    return this.#reader.current(this.#index(bucket), place);
  }

  /** Writes on whatever is the newest revision, as often as others come in between. */
  async #writeAtLast(
    bucket: string,
    key: string,
    reserve: boolean,
    change: (newest: Newest | null) => Change | null,
  ): Promise<number> {
    for (let tries = 1; ; tries += 1) {
      const revision = this.#write(bucket, key, reserve, change);
      if (revision !== 'lost') return revision;
      if (tries === LONG_TRY) throw new CasConflict(bucket, key, null, actualRevision(this.#current(bucket, key)));
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async #writeIf(
    bucket: string,
    key: string,
    expected: number | null,
    reserve: boolean,
    change: (newest: Newest | null) => Change | null,
  ): Promise<number> {
    const revision = this.#write(bucket, key, reserve, (newest) => {
      checkExpected(bucket, key, expected, newest);
      return change(newest);
    });
    if (revision !== 'lost') return revision;
    throw new CasConflict(bucket, key, expected, actualRevision(this.#current(bucket, key)));
  }

  #write(
    bucket: string,
    key: string,
    reserve: boolean,
    decide: (newest: Newest | null) => Change | null,
  ): number | 'lost' {
    const place = this.#place(bucket, key);
    this.#right.ensure();
    const write = () =>
      commit({ volume: this.#volume, reader: this.#reader }, this.#index(bucket), place, (newest) => {
        const change = decide(newest);
        if (change !== null) checkMeta(change.meta);
        return change;
      });
    let result: ReturnType<typeof commit>;
    try {
      result = write();
    } catch (error) {
      if (!reserve || !isOutOfSpace(error) || !releaseBallast(this.#volume)) throw error;
      result = write();
    }
    if (result.kind === 'unchanged') return result.newest?.revision ?? 0;
    if (result.kind === 'lost') return 'lost';
    this.#written(place, result);
    this.#right.confirm();
    return result.header.rev;
  }

  #written(place: KeyPlace, { header, form, size, crowded }: Committed): void {
    const { bucket, key, rev: revision, meta } = header;
    const named = place.enc.startsWith('k-') ? null : key;
    const deleted = header.op === 'del';
    const info = { kind: 'record', key: named, meta, deleted, size, mtimeNs: 0n, whole: false } as const;
    this.#index(bucket).noteWritten(place, { revision, form }, info);
    if (crowded) this.#grow(bucketFolder(this.#volume, bucket));
    const { keepAll, retention } = this.#settings;
    if (keepAll.includes(bucket) || revision <= retention.keep || !this.#thinWhen.isDue(place, this.#volume.now()))
      return;
    // Best effort: what stays is looked at again later.
    attempt(() => this.#thin(place));
  }

  /** Makes all shards of a folder in the background. */
  #grow(folder: string): void {
    if (this.#growing.has(folder)) return;
    this.#growing.add(folder);
    void makeAllShards(this.#volume, folder, () => this.#closed).finally(() => this.#growing.delete(folder));
  }

  #index(bucket: string): BucketIndex {
    let index = this.#indexes.get(bucket);
    if (index === undefined) {
      index = new BucketIndex(this.#volume, bucket, () => openSnapshot(this.#volume, this.storeId, bucket));
      this.#indexes.set(bucket, index);
      this.#saved.set(bucket, index.edits);
    }
    return index;
  }

  async #saveIndexes(): Promise<void> {
    // Asked anew: the folder may have vanished, or hold another store by now.
    if (this.readOnlyReason !== null || attempt(() => this.#right.ensure()) !== null) return;
    for (const [bucket, index] of this.#indexes) {
      if (!index.built || (this.#saved.get(bucket) ?? 0) === index.edits) continue;
      // So that the folders written here count as listed. A fault is for whoever lists next to meet.
      await index.refresh().catch(() => undefined);
      this.#saved.set(bucket, index.edits);
      await writeSnapshot(this.#volume, this.storeId, bucket, index);
    }
  }
}
