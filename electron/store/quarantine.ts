import { join } from 'node:path';
import type { BucketIndex } from './bucket-index.js';
import { infoFrom } from './bucket-index.js';
import type { KeyState } from './bucket-shard.js';
import { type Quarantined, StoreBadInput } from './contract.js';
import { attempt, readFault } from './faults.js';
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

/** Everything in a bucket that cannot be trusted. Reads the records that changed since they were last read whole. */
export async function quarantinedIn(volume: Volume, bucket: string, index: BucketIndex): Promise<Quarantined[]> {
  await index.refresh();
  const found = strayFolders(volume, bucket);
  const add = (key: string | null, file: string, reason: string, size = sizeOf(volume, file)) =>
    found.push({ bucket, key, file, size, reason });
  const slice = slices();
  for (const [shard, state] of index.shards) {
    const folder = `${RECORDS}/${bucket}/${shard}`;
    if (state.fault !== null) add(null, folder, state.fault);
    for (const { name, enc } of state.strays) {
      const key = enc === null ? null : (decodeKey(enc) ?? state.keys.get(enc)?.info?.key ?? null);
      add(key, `${folder}/${name}`, enc === null ? STRAY : COPY);
    }
    for (const key of [...state.keys.values()]) {
      recheck(volume, bucket, index, key);
      const { enc, head: revision, form, info } = key;
      const file = `${folder}/${slotName({ enc, revision, form })}`;
      const known = info?.key ?? decodeKey(enc);
      if (key.twin) add(known, file, `two files claim revision ${revision}`);
      if (info?.kind === 'bad') add(known, file, info.reason, info.size);
      await slice.pass();
    }
  }
  return found;
}

/** Reads a record whole unless its file is the one that was read whole before. */
function recheck(volume: Volume, bucket: string, index: BucketIndex, key: KeyState): void {
  const { enc, head: revision, form, info } = key;
  if (info?.kind === 'record' && info.whole) {
    const file = slotFile(shardFolder(volume, bucket, key.shard), { enc, revision, form });
    let same = false;
    attempt(() => {
      const { size, mtimeNs } = volume.disk.lstat(file);
      same = size === info.size && mtimeNs === info.mtimeNs;
    });
    if (same) return;
  }
  const fresh = infoFrom(index.read(key, 'all'));
  if (fresh !== null) key.info = fresh;
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
