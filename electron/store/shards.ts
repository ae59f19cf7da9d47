import { dirname, join } from 'node:path';
import { attempt, errorCode, writing } from './faults.js';
import { checkBucket } from './input.js';
import { parseName, SHARDS } from './names.js';
import { slices } from './slices.js';
import { COMPLETE, exists, makeFolder, RECORDS, syncFolder, type Volume } from './volume.js';

/** With so many shards in use the rest is made, too, so that no later write has a third sync to do. */
const CROWDED = 16;

/** The names in a folder, or null when it is not there. */
function namesIn(volume: Volume, folder: string): string[] | null {
  try {
    return volume.disk.readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The buckets of a store, in order. */
export function bucketsOf(volume: Volume): string[] {
  let names: string[] = [];
  attempt(() => {
    names = volume.disk.readdir(join(volume.root, RECORDS));
  });
  return names.filter((name) => attempt(() => checkBucket(name)) === null).sort();
}

function isPublished(name: string): boolean {
  const parsed = parseName(name);
  return (parsed !== null && 'revision' in parsed) || /^[0-9a-f]{64}$/.test(name);
}

/**
 * Makes the shard of a new key (or payload), and its name durable before anything is published in it. So a published
 * file proves that the folders above it are durable, whoever made them, and only the first file of a shard costs a
 * third sync. True when it is time for `makeAllShards`.
 */
export function ensureShard(volume: Volume, folder: string, shard: string): boolean {
  const path = join(folder, shard);
  return writing('make the folder', path, () => {
    if (exists(volume.disk, join(folder, COMPLETE))) return false;
    const names = namesIn(volume, path);
    if (names?.some(isPublished) === true) return false;
    const shards = (namesIn(volume, folder) ?? []).filter((name) => SHARDS.includes(name));
    if (shards.length === 0) {
      makeFolder(volume.disk, folder);
      syncFolder(volume, dirname(folder));
    }
    if (names === null) makeFolder(volume.disk, path);
    syncFolder(volume, folder);
    return shards.length >= CROWDED;
  });
}

/**
 * Makes all shards of a folder that has come into use, giving way to other work in between. The marker is written last:
 * whoever sees it may count on every shard after a power cut. Best effort, and done again with the next new shard.
 */
export async function makeAllShards(volume: Volume, folder: string, stopped: () => boolean): Promise<void> {
  const slice = slices();
  for (const shard of SHARDS) {
    if (stopped() || attempt(() => makeFolder(volume.disk, join(folder, shard))) !== null) return;
    await slice.pass();
  }
  if (stopped()) return;
  attempt(() => {
    syncFolder(volume, folder);
    volume.disk.close(volume.disk.openNew(join(folder, COMPLETE)));
  });
}
