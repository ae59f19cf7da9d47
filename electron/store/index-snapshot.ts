import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import type { Info, KeyState, ShardState } from './bucket-shard.js';
import { attempt, closeQuietly } from './faults.js';
import { decodeKey } from './names.js';
import { readWhole } from './read-whole.js';
import { slices } from './slices.js';
import { removeTemp, tempPath } from './temps.js';
import { SNAPSHOTS, type Volume } from './volume.js';

/**
 * The index of a bucket on disk, so that the next start reads no headers. It may be missing, torn, old or somebody
 * else's: then it is not used, and the answers are the same. One line a shard, which counts only while the folder's
 * times are the ones noted; a checksum at the end.
 */
export interface ShardSnapshot {
  stamp: string;
  keys(): Iterable<KeyState>;
}

const VERSION = 1;
const Start = z.strictObject({ hp: z.literal(VERSION), storeId: z.string(), bucket: z.string() });
/** Encoded key, head, in a file (not a folder); then, where its header was read, key (null: as encoded), meta, ... */
const Row = z.union([
  z.tuple([z.string(), z.number(), z.boolean()]),
  z.tuple([
    z.string(),
    z.number(),
    z.boolean(),
    z.string().nullable(),
    z.string(),
    z.boolean(),
    z.number(),
    z.string(),
    z.boolean(),
  ]),
]);
type Row = z.infer<typeof Row>;
const Line = z.tuple([z.string(), z.string(), z.array(Row)]);

function pathOf(volume: Volume, bucket: string): string {
  return join(volume.root, SNAPSHOTS, `${bucket}.jsonl`);
}

function toRow(key: KeyState): Row {
  const { enc, head, form, info } = key;
  if (info?.kind !== 'record') return [enc, head, form === 'file'];
  const named = decodeKey(enc) === null ? info.key : null;
  const { meta, deleted, size, mtimeNs, whole } = info;
  return [enc, head, form === 'file', named, meta, deleted, size, String(mtimeNs), whole];
}

function toKey(shard: string, row: Row): KeyState {
  const [enc, head, isFile] = row;
  const key: KeyState = { enc, shard, head, form: isFile ? 'file' : 'folder', twin: false, info: null };
  if (row.length === 3) return key;
  const [, , , named, meta, deleted, size, mtimeNs, whole] = row;
  const info: Info = {
    kind: 'record',
    key: named ?? decodeKey(enc) ?? '',
    meta,
    deleted,
    size,
    mtimeNs: BigInt(mtimeNs),
    whole,
  };
  return { ...key, info };
}

/** Nothing doubtful goes into a snapshot: it is looked at again each time. */
function isClean(state: ShardState): boolean {
  if (state.stamp === null || state.fault !== null || state.strays.length > 0) return false;
  return [...state.keys.values()].every((key) => !key.twin && key.info?.kind !== 'bad');
}

/** Writes the snapshot of a bucket; best effort, and never synced: a torn one fails its checksum. */
export async function writeSnapshot(
  volume: Volume,
  storeId: string,
  bucket: string,
  shards: ReadonlyMap<string, ShardState>,
): Promise<void> {
  const hash = createHash('sha256');
  const slice = slices();
  const parts: Buffer[] = [];
  const put = (value: unknown) => {
    const line = Buffer.from(`${JSON.stringify(value)}\n`, 'utf8');
    hash.update(line);
    parts.push(line);
  };
  put({ hp: VERSION, storeId, bucket });
  for (const [shard, state] of shards) {
    if (isClean(state)) put([shard, state.stamp, [...state.keys.values()].map(toRow)]);
    await slice.pass();
  }
  parts.push(Buffer.from(`${hash.digest('hex')}\n`, 'utf8'));
  attempt(() => replaceWith(volume, pathOf(volume, bucket), Buffer.concat(parts)));
}

function replaceWith(volume: Volume, path: string, bytes: Uint8Array): void {
  const { disk } = volume;
  const temp = tempPath(volume);
  const fd = disk.openNew(temp);
  const failed = attempt(() => {
    for (let done = 0; done < bytes.byteLength; ) {
      const count = disk.write(fd, bytes.subarray(done), done);
      if (count <= 0) throw new Error('the disk takes no bytes');
      done += count;
    }
  });
  closeQuietly(disk, fd);
  const moved = failed ?? attempt(() => disk.rename(temp, path));
  if (moved !== null) removeTemp(volume, temp);
}

/** The shards of a bucket's snapshot; none when it is missing or doubtful in any way. */
export function loadSnapshot(volume: Volume, storeId: string, bucket: string): ReadonlyMap<string, ShardSnapshot> {
  const found = new Map<string, ShardSnapshot>();
  const failed = attempt(() => {
    const text = Buffer.from(readWhole(volume.disk, pathOf(volume, bucket))).toString('utf8');
    const end = text.length - 65;
    const sum = createHash('sha256').update(text.slice(0, end)).digest('hex');
    if (text.slice(end) !== `${sum}\n`) throw new Error('torn');
    const [first = '', ...lines] = text.slice(0, end - 1).split('\n');
    const start = Start.parse(JSON.parse(first));
    if (start.storeId !== storeId || start.bucket !== bucket) throw new Error('of another store');
    for (const line of lines) {
      const [shard = '', stamp = ''] = /^\["([0-9a-f]{2})","([^"]+)"/.exec(line)?.slice(1) ?? [];
      found.set(shard, { stamp, keys: () => Line.parse(JSON.parse(line))[2].map((row) => toKey(shard, row)) });
    }
  });
  return failed === null ? found : new Map();
}
