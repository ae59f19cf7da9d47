import { sep } from 'node:path';
import {
  applyNames,
  conclusiveStamp,
  emptyShard,
  type Info,
  isAsListed,
  type KeyState,
  type ShardState,
  stampOf,
  takeInfo,
} from './bucket-shard.js';
import { StoreCorrupt } from './contract.js';
import type { DiskStat } from './disk.js';
import { attempt, errorCode, isOutOfHandles, readFault, whyUnreadable } from './faults.js';
import { rowsByShard, type Snapshot } from './index-snapshot.js';
import { type KeyPlace, named } from './key-place.js';
import { LaterListing } from './later-listing.js';
import { decodeKey, type Form, SHARDS, slotName } from './names.js';
import { type Reading, readRecord } from './read-record.js';
import { listShard, whyMissing } from './shard-listing.js';
import { slices } from './slices.js';
import { SortedKeys } from './sorted-keys.js';
import { bucketFolder, COMPLETE, shardFolder, type Volume } from './volume.js';

/** Tells of keys that changed; null = something changed, and nobody can say what. */
export type Changed = (keys: readonly string[] | null) => void;

/**
 * What the files of one bucket say, kept in memory to make listing fast. Built from names and headers only, checked
 * against the folders' times before each use, and never asked for a claim.
 */
export class BucketIndex {
  readonly #volume: Volume;
  readonly #bucket: string;
  readonly #shards = new Map<string, ShardState>();
  readonly #sorted = new SortedKeys();
  readonly #listeners = new Set<Changed>();
  readonly #openSnapshot: () => Snapshot | null;
  /** Undefined until it is asked for; null when there is none, or all of it is in the index. */
  #snapshot: Snapshot | null | undefined = undefined;
  /** While the index is built: the snapshot's keys by shard. */
  #rows: ReadonlyMap<string, readonly KeyState[]> = new Map();
  #building: Promise<void> | null = null;
  #built = false;
  /** Counts what a snapshot would have to write anew. */
  #edits = 0;
  readonly #later = new LaterListing((shard) => this.refreshShard(shard));

  constructor(volume: Volume, bucket: string, openSnapshot: () => Snapshot | null) {
    this.#volume = volume;
    this.#bucket = bucket;
    this.#openSnapshot = openSnapshot;
  }

  /** True once every shard was listed. */
  get built(): boolean {
    return this.#built;
  }

  get edits(): number {
    return this.#edits;
  }

  get keys(): SortedKeys {
    return this.#sorted;
  }

  get shards(): ReadonlyMap<string, ShardState> {
    return this.#shards;
  }

  onChange(listener: Changed): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Brings every shard up to date, giving way to other work in between. */
  async refresh(): Promise<void> {
    if (this.#built) return this.#refreshAll();
    this.#building ??= this.#build().finally(() => {
      this.#building = null;
    });
    await this.#building;
  }

  async #refreshAll(): Promise<void> {
    const slice = slices();
    for (const shard of this.#shardsToSee(null)) {
      this.refreshShard(shard);
      await slice.pass();
    }
  }

  async #build(): Promise<void> {
    this.#rows = await rowsByShard(this.#snapshotOnce());
    await this.#refreshAll();
    this.#built = true;
    this.closeSnapshot();
    // Whoever asked while it was being built may have asked for what came after a shard was listed.
    await this.#refreshAll();
  }

  /**
   * Before the index is built: its snapshot, with every folder that changed since listed anew; null when there is none.
   */
  async warm(): Promise<Snapshot | null> {
    const snapshot = this.#built ? null : this.#snapshotOnce();
    if (snapshot === null) return null;
    const slice = slices();
    for (const shard of this.#shardsToSee(snapshot)) {
      const isSame = !this.#shards.has(shard) && snapshot.stamps.get(shard) === this.#stampNow(shard);
      if (!isSame) this.refreshShard(shard);
      await slice.pass();
    }
    return this.#built ? null : snapshot;
  }

  /** Nothing more is taken from the snapshot. */
  closeSnapshot(): void {
    this.#snapshot?.close();
    this.#snapshot = null;
    this.#rows = new Map();
  }

  #snapshotOnce(): Snapshot | null {
    if (this.#snapshot === undefined) this.#snapshot = this.#openSnapshot();
    return this.#snapshot;
  }

  /** One that was never made needs no look; one that was, and is not named, is looked for. */
  #shardsToSee(snapshot: Snapshot | null): string[] {
    const names = new Set(this.#shardNames());
    const isKnown = (shard: string) => this.#shards.has(shard) || snapshot?.stamps.has(shard) === true;
    return SHARDS.filter((shard) => names.has(shard) || names.has(COMPLETE) || isKnown(shard));
  }

  /** True when a listing tells of the shard of a snapshot's row. It then takes over what the row knows of an unchanged head. */
  tells(row: KeyState): boolean {
    const state = this.#shards.get(row.shard);
    if (state !== undefined) takeInfo(state, row);
    return state !== undefined;
  }

  #shardNames(): string[] {
    const folder = bucketFolder(this.#volume, this.#bucket);
    try {
      return this.#volume.disk.readdir(folder);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw readFault(error, 'list', folder);
      whyMissing(this.#volume, this.#bucket, folder);
      return [];
    }
  }

  /** Lists a shard again unless its folder is surely as it was. */
  refreshShard(shard: string): void {
    const folder = shardFolder(this.#volume, this.#bucket, shard);
    let state = this.#shards.get(shard);
    let names: string[] = [];
    let fault: string | null = null;
    let stamp: string | null = null;
    try {
      const stat = this.#volume.disk.lstat(folder);
      const now = stampOf(stat);
      if (state === undefined) {
        state = this.#adopt(shard, now);
        if (state !== undefined) return;
      } else if (state.stamp === now) {
        return;
      }
      names = this.#volume.disk.readdir(folder);
      stamp = conclusiveStamp(stat, this.#volume);
    } catch (error) {
      if (isOutOfHandles(error)) throw readFault(error, 'list', folder);
      if (errorCode(error) === 'ENOENT') fault = this.#whyGone(shard, folder);
      else fault = `the folder cannot be listed: ${whyUnreadable(error)}`;
    }
    this.#take(shard, state, names, fault, stamp);
  }

  /** A shard that this process has seen keys in does not go away by itself. */
  #whyGone(shard: string, folder: string): string | null {
    const why = whyMissing(this.#volume, this.#bucket, folder);
    const state = this.#shards.get(shard);
    const had = state !== undefined && (state.keys.size > 0 || state.fault !== null);
    return why ?? (had ? `the folder ${folder} has vanished` : null);
  }

  #take(
    shard: string,
    known: ShardState | undefined,
    names: string[],
    fault: string | null,
    stamp: string | null,
  ): void {
    const state = known ?? emptyShard();
    const before = state.keys;
    const hadFault = state.fault !== null;
    const changed = applyNames(state, shard, names);
    state.fault = fault;
    state.stamp = stamp;
    state.own = null;
    this.#shards.set(shard, state);
    for (const row of this.#rows.get(shard) ?? []) takeInfo(state, row);
    for (const enc of changed) {
      const [old, key] = [before.get(enc), state.keys.get(enc)];
      if (old !== undefined && key === undefined) this.#sorted.remove(old);
      if (old === undefined && key !== undefined) this.#sorted.add(key);
    }
    if (changed.size > 0 || stamp !== null) this.#edits += 1;
    // The first listing of a bucket is no change: whoever wants to know starts from it.
    if ((known !== undefined || this.#built) && (changed.size > 0 || hadFault !== (fault !== null)))
      this.#tell(state, changed);
  }

  #adopt(shard: string, stamp: string): ShardState | undefined {
    const rows = this.#rows.get(shard);
    if (rows === undefined || this.#snapshot?.stamps.get(shard) !== stamp) return undefined;
    const state: ShardState = { ...emptyShard(), stamp };
    for (const key of rows) {
      state.keys.set(key.enc, key);
      this.#sorted.add(key);
    }
    this.#shards.set(shard, state);
    return state;
  }

  /**
   * The newest revision of a key by the names in its shard, or null when there is none. The names are listed again
   * unless the folder is surely as it was; what this process wrote itself needs no listing. Throws StoreCorrupt when
   * the names alone contradict (I5), and what `listShard` throws.
   */
  locate(place: KeyPlace): { revision: number; form: Form } | null {
    const state = this.#asListed(place) ?? this.#relist(place);
    const key = state?.keys.get(place.enc);
    const stray = state?.strays.find(({ enc }) => enc === place.enc);
    if (stray !== undefined)
      throw untrusted(place, `a file beside it, ${stray.name}, looks like a copy that another program made`);
    if (key === undefined) return null;
    if (key.twin) throw untrusted(place, `two files claim revision ${key.head}`);
    return { revision: key.head, form: key.form };
  }

  /** What is known of a shard, when its folder says that nothing else can be there. */
  #asListed({ shard, enc }: KeyPlace): ShardState | null {
    const state = this.#shards.get(shard);
    const stamp = state === undefined ? null : this.#stampNow(shard);
    const how = state === undefined || stamp === null ? null : isAsListed(state, stamp);
    if (state === undefined || how === null) return null;
    if (how === 'listed') return state;
    // Another process may have written in the moment of our own change; the next slot of the key would show it.
    const key = state.keys.get(enc);
    const form = key?.form ?? (this.#volume.publish === 'link' ? 'file' : 'folder');
    const next = slotName({ enc, revision: (key?.head ?? 0) + 1, form });
    const isThere = attempt(() =>
      this.#volume.disk.lstat(`${shardFolder(this.#volume, this.#bucket, shard)}${sep}${next}`),
    );
    return errorCode(isThere) === 'ENOENT' ? state : null;
  }

  #relist({ shard }: KeyPlace): ShardState | undefined {
    const known = this.#shards.get(shard);
    const folder = shardFolder(this.#volume, this.#bucket, shard);
    let stat: DiskStat | null = null;
    attempt(() => {
      stat = this.#volume.disk.lstat(folder);
    });
    const names = listShard(this.#volume, this.#bucket, shard);
    const gone = stat === null && names.length === 0 ? this.#whyGone(shard, folder) : null;
    if (gone !== null) throw new StoreCorrupt(`${this.#bucket} cannot be read: ${gone}.`);
    // A folder that is not there needs no state.
    if (known === undefined && stat === null && names.length === 0) return undefined;
    this.#take(shard, known, names, null, conclusiveStamp(stat, this.#volume));
    return this.#shards.get(shard);
  }

  #stampNow(shard: string): string | null {
    try {
      return stampOf(this.#volume.disk.lstat(shardFolder(this.#volume, this.#bucket, shard)));
    } catch {
      return null; // The listing says what is wrong.
    }
  }

  /** True when a record of the shard is known: then its folder, and those above, are there and durable. */
  holdsRecords(shard: string): boolean {
    return (this.#shards.get(shard)?.keys.size ?? 0) > 0;
  }

  /** The names of a shard are to be listed before they are used again. */
  distrust(shard: string): void {
    const state = this.#shards.get(shard);
    if (state !== undefined) Object.assign(state, { stamp: null, own: null });
  }

  /** Runs a change that this process makes to the names of a shard, and that it takes in itself. */
  changing<T>(shard: string, change: () => T): T {
    const state = this.#shards.get(shard);
    const before = state === undefined ? null : this.#stampNow(shard);
    const how = state === undefined || before === null ? null : isAsListed(state, before);
    try {
      return change();
    } finally {
      if (state !== undefined) {
        const stamp = how === null || !this.#volume.fineTimes ? null : this.#stampNow(shard);
        const since = how === 'own' ? (state.own?.since ?? 0) : performance.now();
        state.own = stamp === null ? null : { stamp, since };
        if (stamp !== null) this.#later.add(shard);
      }
    }
  }

  /** Nothing is listed any more by itself. */
  stop(): void {
    this.#later.stop();
    this.closeSnapshot();
  }

  /** Takes in what this process has just written, so that its own writes are told at once and read no header. */
  noteWritten({ key, shard, enc }: KeyPlace, slot: { revision: number; form: Form }, info: Info): void {
    let state = this.#shards.get(shard);
    if (state === undefined && this.#built) {
      state = emptyShard();
      this.#shards.set(shard, state);
    }
    if (state !== undefined) {
      const known = state.keys.get(enc);
      if (known === undefined) {
        const made: KeyState = { enc, shard, head: slot.revision, form: slot.form, twin: false, info };
        state.keys.set(enc, made);
        this.#sorted.add(made);
      } else if (slot.revision > known.head) {
        Object.assign(known, { head: slot.revision, form: slot.form, twin: false, info });
      }
      this.#edits += 1;
    }
    for (const listener of this.#listeners) listener([key]);
  }

  /** What the header of a key's newest revision says; null when the key went away. Reads it once. */
  infoOf(key: KeyState): Info | null {
    for (let tries = 0; tries < 8; tries += 1) {
      if (key.info !== null) return key.info;
      const info = infoFrom(this.read(key, 'header'), key.enc);
      if (info !== null) {
        key.info = info;
        this.#edits += 1;
        return info;
      }
      // The listing was older than the thinning: list again.
      this.distrust(key.shard);
      this.refreshShard(key.shard);
      if (this.#shards.get(key.shard)?.keys.get(key.enc) !== key) return null;
    }
    return { kind: 'bad', key: decodeKey(key.enc), reason: 'it changes faster than it can be read', size: 0 };
  }

  read(key: KeyState, want: 'header' | 'all'): Reading {
    const { enc, shard, head: revision, form } = key;
    return readRecord(this.#volume, { bucket: this.#bucket, shard, enc, revision, form }, want);
  }

  /** True when the names alone make a key untrustworthy. */
  isDoubtful(key: KeyState): boolean {
    return key.twin || this.#shards.get(key.shard)?.doubtful.has(key.enc) === true;
  }

  #tell(state: ShardState, changed: ReadonlySet<string>): void {
    if (this.#listeners.size === 0) return;
    const names = [...changed].map((enc) => this.#nameOf(state.keys.get(enc), enc));
    const all = names.every((name) => name !== null) ? names : null;
    for (const listener of this.#listeners) listener(all);
  }

  #nameOf(key: KeyState | undefined, enc: string): string | null {
    const decoded = decodeKey(enc);
    if (decoded !== null || key === undefined) return decoded;
    return this.infoOf(key)?.key ?? null;
  }
}

function untrusted({ bucket, key }: KeyPlace, why: string): StoreCorrupt {
  return new StoreCorrupt(`${named(bucket, key)} cannot be trusted: ${why}.`);
}

/** What the index keeps of a reading. */
export function infoFrom(reading: Reading, enc: string): Info | null {
  if (reading.kind === 'gone') return null;
  if (reading.kind === 'bad') return { kind: 'bad', key: reading.key, reason: reading.reason, size: reading.size };
  const { header, size, mtimeNs, whole } = reading;
  // It is the record of the key that its name tells, or it would be a bad one.
  const key = enc.startsWith('k-') ? null : header.key;
  return { kind: 'record', key, meta: header.meta, deleted: header.op === 'del', size, mtimeNs, whole };
}
