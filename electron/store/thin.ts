import { dirname } from 'node:path';
import { attempt } from './faults.js';
import { encodeKey, shardOf } from './names.js';
import { type Slot, slotFile } from './slots.js';
import { shardFolder, type Volume } from './volume.js';

/** How many revisions of a key stay. */
export interface Retention {
  /** With this many or fewer nothing is dropped. */
  keep: number;
  /** Beyond that, revisions at least this far below the newest one may go... */
  distance: number;
  /** ...once they are older than this, in milliseconds. */
  ageMs: number;
}

export const RETENTION: Retention = { keep: 16, distance: 8, ageMs: 24 * 3600_000 };

/**
 * Drops old revisions of one key, given all that it has, oldest first, so that a crash leaves no gap and a freed slot shows as one (see
 * commit). Stops at the first that must stay. Returns how many went.
 */
export function thin(
  volume: Volume,
  bucket: string,
  key: string,
  revisions: readonly Slot[],
  retention: Retention,
): number {
  const { disk } = volume;
  if (revisions.length <= retention.keep) return 0;
  const newest = revisions.at(-1)?.revision ?? 0;
  const shard = shardFolder(volume, bucket, shardOf(key));
  let gone = 0;
  for (const { revision, form } of revisions) {
    if (revision > newest - retention.distance) break;
    const file = slotFile(shard, { enc: encodeKey(key), revision, form });
    const failed = attempt(() => {
      if (volume.now() - Number(disk.lstat(file).mtimeNs / 1_000_000n) < retention.ageMs) throw new Error('young');
      disk.unlink(file);
      if (form === 'folder') disk.rmdir(dirname(file));
    });
    if (failed !== null) break;
    gone += 1;
  }
  return gone;
}
