import { join } from 'node:path';
import { z } from 'zod';
import type { KeyState, ShardState } from './bucket-shard.js';
import { attempt, closeQuietly } from './faults.js';
import { sha256Hex } from './header.js';
import { readFully } from './read-whole.js';
import { slices } from './slices.js';
import type { SortedKeys } from './sorted-keys.js';
import { removeTemp, tempPath } from './temps.js';
import { SNAPSHOTS, type Volume } from './volume.js';

/**
 * The index of a bucket on disk, so that the next start reads no headers, and its first page no more than a page. It
 * may be missing, torn, old or somebody else's: then it is not used, and the answers are the same.
 *
 * The file: blocks of keys in listing order, one line each; a directory with the first key, place and checksum of each
 * block, and the times of the folders whose keys are all there; last, in a fixed length, where that begins and its checksum.
 */
export interface Snapshot {
  /** What a shard's folder was when all its keys went into the snapshot. */
  readonly stamps: ReadonlyMap<string, string>;
  /** The encoded name of each block's first key, ascending. */
  readonly firsts: readonly string[];
  /** The keys of one block; throws when it is not as it was written. */
  block(n: number): KeyState[];
  close(): void;
}

const VERSION = 2;
const BLOCK_KEYS = 256;
/** Offset of the directory, a blank, its sha256, a line feed. */
const END_BYTES = 16 + 1 + 64 + 1;

const Directory = z.strictObject({
  hp: z.literal(VERSION),
  storeId: z.string(),
  bucket: z.string(),
  stamps: z.record(z.string(), z.string()),
  /** First encoded name, offset, bytes, sha256. */
  blocks: z.array(z.tuple([z.string(), z.number(), z.number(), z.string()])),
});
type Directory = z.infer<typeof Directory>;

/** Encoded key, shard, head, in a file (not a folder); then, where its header was read, key (null: as encoded), meta, ... */
type Row =
  | [string, string, number, boolean]
  | [string, string, number, boolean, string | null, string, boolean, number, string, boolean];

function pathOf(volume: Volume, bucket: string): string {
  return join(volume.root, SNAPSHOTS, `${bucket}.jsonl`);
}

function toRow({ enc, shard, head, form, info }: KeyState): Row {
  if (info?.kind !== 'record') return [enc, shard, head, form === 'file'];
  const { key: named, meta, deleted, size, mtimeNs, whole } = info;
  return [enc, shard, head, form === 'file', named, meta, deleted, size, String(mtimeNs), whole];
}

function toKey(row: Row): KeyState {
  const [enc, shard, head, isFile] = row;
  const key: KeyState = { enc, shard, head, form: isFile ? 'file' : 'folder', twin: false, info: null };
  if (row.length === 4) return key;
  const [, , , , named, meta, deleted, size, mtimeNs, whole] = row;
  // A name that tells the key does without it; one that does not has it.
  if (named === null && !enc.startsWith('k-')) return key;
  key.info = { kind: 'record', key: named, meta, deleted, size, mtimeNs: whole ? BigInt(mtimeNs) : 0n, whole };
  return key;
}

/** Nothing doubtful goes into a snapshot: it is looked at again each time. */
const isClean = (state: ShardState, key: KeyState): boolean =>
  !key.twin && key.info?.kind !== 'bad' && !state.doubtful.has(key.enc);

function isWhole(state: ShardState): boolean {
  if (state.stamp === null || state.fault !== null || state.strays.length > 0) return false;
  for (const key of state.keys.values()) if (!isClean(state, key)) return false;
  return true;
}

/** Writes the snapshot of a bucket; best effort, and never synced: a torn one fails its checksums. */
export async function writeSnapshot(
  volume: Volume,
  storeId: string,
  bucket: string,
  { shards, keys }: { shards: ReadonlyMap<string, ShardState>; keys: SortedKeys },
): Promise<void> {
  const slice = slices();
  const out = new SnapshotFile(volume);
  const stamps = new Map<string, string>();
  for (const [shard, state] of shards) if (isWhole(state) && state.stamp !== null) stamps.set(shard, state.stamp);
  const directory: Directory = { hp: VERSION, storeId, bucket, stamps: {}, blocks: [] };
  try {
    let rows: Row[] = [];
    const flush = () => {
      const first = rows[0]?.[0];
      if (first === undefined) return;
      const line = Buffer.from(`${JSON.stringify(rows)}\n`, 'utf8');
      directory.blocks.push([first, out.length, line.length, sha256Hex(line)]);
      out.add(line);
      rows = [];
    };
    for (let key = keys.from(''); key !== undefined; key = keys.after(key)) {
      const state = shards.get(key.shard);
      if (state !== undefined && isClean(state, key)) rows.push(toRow(key));
      if (rows.length === BLOCK_KEYS) flush();
      if (slice.isDue()) await slice.pass();
    }
    flush();
    // What changed while it was written is only good for hints.
    for (const [shard, stamp] of stamps) if (shards.get(shard)?.stamp === stamp) directory.stamps[shard] = stamp;
    const end = Buffer.from(`${JSON.stringify(directory)}\n`, 'utf8');
    const at = String(out.length).padStart(16, '0');
    out.add(end);
    out.add(Buffer.from(`${at} ${sha256Hex(end)}\n`, 'utf8'));
    out.replace(pathOf(volume, bucket));
  } finally {
    out.discard();
  }
}

/** A file that is written piece by piece under a temporary name. After a fault it takes nothing more, and is never used. */
class SnapshotFile {
  readonly #volume: Volume;
  readonly #path: string;
  #fd: number | null = null;
  #failed: unknown;
  length = 0;

  constructor(volume: Volume) {
    this.#volume = volume;
    this.#path = tempPath(volume);
    this.#failed = attempt(() => {
      this.#fd = volume.disk.openNew(this.#path);
    });
  }

  add(bytes: Uint8Array): void {
    const fd = this.#fd;
    if (fd === null || this.#failed !== null) return;
    this.#failed = attempt(() => {
      for (let done = 0; done < bytes.byteLength; ) {
        const count = this.#volume.disk.write(fd, bytes.subarray(done), this.length + done);
        if (count <= 0) throw new Error('the disk takes no bytes');
        done += count;
      }
    });
    this.length += bytes.byteLength;
  }

  replace(path: string): void {
    this.#close();
    if (this.#failed === null) this.#failed = attempt(() => this.#volume.disk.rename(this.#path, path)) ?? 'moved';
  }

  discard(): void {
    this.#close();
    if (this.#failed !== 'moved') removeTemp(this.#volume, this.#path);
  }

  #close(): void {
    const fd = this.#fd;
    this.#fd = null;
    if (fd !== null) closeQuietly(this.#volume.disk, fd);
  }
}

/** The snapshot of a bucket, opened but not read; null when it is missing or doubtful in any way. */
export function openSnapshot(volume: Volume, storeId: string, bucket: string): Snapshot | null {
  const { disk } = volume;
  let fd: number | null = null;
  const close = () => {
    const opened = fd;
    fd = null;
    if (opened !== null) closeQuietly(disk, opened);
  };
  const piece = (offset: number, length: number): Buffer => {
    if (fd === null) throw new Error('closed');
    const bytes = Buffer.alloc(length);
    if (readFully(disk, fd, bytes, offset) < length) throw new Error('torn');
    return bytes;
  };
  let directory: Directory | null = null;
  const failed = attempt(() => {
    fd = disk.openRead(pathOf(volume, bucket));
    const { size } = disk.fstat(fd);
    const [, at = '', sum = ''] =
      /^(\d{16}) ([0-9a-f]{64})\n$/.exec(piece(size - END_BYTES, END_BYTES).toString()) ?? [];
    const bytes = piece(Number(at), size - END_BYTES - Number(at));
    if (sha256Hex(bytes) !== sum) throw new Error('torn');
    directory = Directory.parse(JSON.parse(bytes.toString('utf8')));
    if (directory.storeId !== storeId || directory.bucket !== bucket) throw new Error('of another store');
  });
  const read: Directory | null = directory;
  if (failed !== null || read === null) {
    close();
    return null;
  }
  const { stamps, blocks }: Directory = read;
  return {
    stamps: new Map(Object.entries(stamps)),
    firsts: blocks.map(([first]) => first),
    block(n) {
      const [, offset, length, sum] = blocks[n] ?? ['', 0, 0, ''];
      const bytes = piece(offset, length);
      if (sha256Hex(bytes) !== sum) throw new Error('torn');
      const rows: Row[] = JSON.parse(bytes.toString('utf8'));
      return rows.map(toKey);
    },
    close,
  };
}

/** A snapshot's keys by shard; none when it is torn. */
export async function rowsByShard(snapshot: Snapshot | null): Promise<Map<string, KeyState[]>> {
  const found = new Map<string, KeyState[]>();
  const slice = slices();
  for (let n = 0; n < (snapshot?.firsts.length ?? 0); n += 1) {
    const failed = attempt(() => {
      for (const row of snapshot?.block(n) ?? []) {
        const rows = found.get(row.shard);
        if (rows === undefined) found.set(row.shard, [row]);
        else rows.push(row);
      }
    });
    if (failed !== null) return new Map();
    await slice.pass();
  }
  return found;
}
