import { join } from 'node:path';
import type { BucketIndex } from './bucket-index.js';
import { infoFrom } from './bucket-index.js';
import type { KeyState } from './bucket-shard.js';
import { type Quarantined, StoreBadInput } from './contract.js';
import { attempt, readFault, whyUnreadable } from './faults.js';
import { decodeKey, parseName, SHARDS, slotName } from './names.js';
import { readWhole } from './read-whole.js';
import { slices } from './slices.js';
import { slotFile } from './slots.js';
import { COMPLETE, RECORDS, shardFolder, type Volume } from './volume.js';

const STRAY = 'its name is no record’s name';
const COPY = 'it looks like a copy of a record that another program made';

function sizeOf(volume: Volume, file: string): number {
  let size = 0;
  attempt(() => {
    size = volume.disk.lstat(join(volume.root, file)).size;
  });
  return size;
}

/** Names where only folders of the store should be. */
export function strayFolders(volume: Volume, bucket: string | null): Quarantined[] {
  const folder = bucket === null ? RECORDS : `${RECORDS}/${bucket}`;
  const isOurs = (name: string) =>
    bucket === null ? /^[a-z][a-z0-9-]{0,31}$/.test(name) : SHARDS.includes(name) || name === COMPLETE;
  let names: string[] = [];
  attempt(() => {
    names = volume.disk.readdir(join(volume.root, folder));
  });
  return names
    .filter((name) => !isOurs(name) && parseName(name) !== null)
    .map((name) => {
      const file = `${folder}/${name}`;
      return { bucket: bucket ?? '', key: null, file, size: sizeOf(volume, file), reason: STRAY };
    });
}

/** How a copy compares with the records that it lies beside: what a person needs to know before taking it away. */
function likeness(volume: Volume, folder: string, name: string, enc: string): string {
  const read = (one: string) => Buffer.from(readWhole(volume.disk, join(volume.root, folder, one)));
  try {
    const copy = read(name);
    for (const other of volume.disk.readdir(join(volume.root, folder))) {
      const parsed = parseName(other);
      if (parsed === null || !('revision' in parsed) || parsed.enc !== enc || parsed.form !== 'file') continue;
      if (read(other).equals(copy)) return `its bytes are those of revision ${parsed.revision}`;
    }
    return 'its bytes are those of no revision here';
  } catch (error) {
    return `it cannot be compared: ${whyUnreadable(error)}`;
  }
}

/** How far a round of looks has come in a bucket; it goes on there the next time. */
export type Round = Pick<KeyState, 'enc' | 'shard'> | null;

/** Most records looked at, and bytes read, in one call: so that asking costs the same whatever the bucket holds. */
const LOOKS = 2000;
const READ_BYTES = 16 * 1024 * 1024;

/**
 * Everything in a bucket that is known not to be trusted. Names and headers tell of nearly all at once: copies, twins,
 * what was cut, emptied or moved. Altered content shows when a record is read, and here, where each call looks at some
 * more records, in rounds: only what changed since it was last read whole is read again.
 */
export async function quarantinedIn(
  volume: Volume,
  bucket: string,
  index: BucketIndex,
  round: Round,
): Promise<{ found: Quarantined[]; round: Round }> {
  await index.refresh();
  const end = await lookAtSome(volume, bucket, index, round);
  const found = strayFolders(volume, bucket);
  const add = (key: string | null, file: string, reason: string, size = sizeOf(volume, file)) =>
    found.push({ bucket, key, file, size, reason });
  const slice = slices();
  for (const [shard, state] of index.shards) {
    const folder = `${RECORDS}/${bucket}/${shard}`;
    if (state.fault !== null) add(null, folder, state.fault);
    for (const { name, enc } of state.strays) {
      const key = enc === null ? null : (decodeKey(enc) ?? state.keys.get(enc)?.info?.key ?? null);
      add(key, `${folder}/${name}`, enc === null ? STRAY : `${COPY}; ${likeness(volume, folder, name, enc)}`);
    }
    for (const key of state.keys.values()) {
      if (!key.twin && key.info?.kind !== 'bad') continue;
      // It may have been mended.
      recheck(volume, bucket, index, key);
      const { enc, head: revision, form, info } = key;
      const file = `${folder}/${slotName({ enc, revision, form })}`;
      const known = info?.key ?? decodeKey(enc);
      if (key.twin) add(known, file, `two files claim revision ${revision}`);
      if (info?.kind === 'bad') add(known, file, info.reason, info.size);
    }
    await slice.pass();
  }
  return { found, round: end };
}

/** Looks at the next records of the round, at most all of them once. */
async function lookAtSome(volume: Volume, bucket: string, index: BucketIndex, round: Round): Promise<Round> {
  const slice = slices();
  let at = round;
  let bytes = 0;
  for (let n = Math.min(LOOKS, index.keys.size); n > 0 && bytes < READ_BYTES; n -= 1) {
    const key = (at === null ? undefined : index.keys.after(at)) ?? index.keys.from('');
    if (key === undefined) return null;
    bytes += recheck(volume, bucket, index, key);
    at = key;
    await slice.pass();
  }
  return at;
}

/** Reads a record whole unless its file is the one that was read whole before. Returns the bytes read. */
function recheck(volume: Volume, bucket: string, index: BucketIndex, key: KeyState): number {
  const { enc, head: revision, form, info } = key;
  if (info?.kind === 'record' && info.whole) {
    const file = slotFile(shardFolder(volume, bucket, key.shard), { enc, revision, form });
    let same = false;
    attempt(() => {
      const { size, mtimeNs } = volume.disk.lstat(file);
      same = size === info.size && mtimeNs === info.mtimeNs;
    });
    if (same) return 0;
  }
  const fresh = infoFrom(index.read(key, 'all'), enc);
  if (fresh === null) return 0;
  key.info = fresh;
  return fresh.size;
}

/** A quarantined file as it is. Takes no path but one below the records' folder (I11). */
export function readQuarantinedFile(volume: Volume, file: string): Uint8Array {
  const parts = file.split('/');
  const safe = parts.every((part) => part !== '' && part !== '.' && part !== '..' && !/[\\\0]/.test(part));
  if (!safe || parts[0] !== RECORDS) throw new StoreBadInput(`${JSON.stringify(file)} is no quarantined file.`);
  const path = join(volume.root, ...parts);
  try {
    return readWhole(volume.disk, path);
  } catch (error) {
    throw readFault(error, 'read', path);
  }
}
