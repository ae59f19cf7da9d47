import { dirname } from 'node:path';
import { attempt } from './faults.js';
import type { KeyPlace } from './key-place.js';
import { type Slot, slotFile } from './slots.js';
import { shardFolder, syncFolder, type Volume } from './volume.js';

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
 * commit). Stops at the first that must stay. Returns how many went, and until when (milliseconds) the oldest that is
 * left is too young; null when that is not why it stays.
 */
export function thin(
  volume: Volume,
  { bucket, enc, shard }: Pick<KeyPlace, 'bucket' | 'enc' | 'shard'>,
  revisions: readonly Slot[],
  retention: Retention,
  { dryRun = false }: { dryRun?: boolean } = {},
): { gone: number; youngUntil: number | null } {
  const { disk } = volume;
  if (revisions.length <= retention.keep) return { gone: 0, youngUntil: null };
  const newest = revisions.at(-1)?.revision ?? 0;
  const folder = shardFolder(volume, bucket, shard);
  let gone = 0;
  let youngUntil: number | null = null;
  for (const { revision, form } of revisions) {
    if (revision > newest - retention.distance) break;
    const file = slotFile(folder, { enc, revision, form });
    const failed = attempt(() => {
      const until = Number(disk.lstat(file).mtimeNs / 1_000_000n) + retention.ageMs;
      if (volume.now() < until) youngUntil = until;
      if (youngUntil !== null || dryRun) return;
      // A power cut may undo any of the changes that are not synced: two of them could leave a gap in the chain.
      if (gone > 0) syncFolder(volume, folder);
      disk.unlink(file);
      if (form === 'folder') disk.rmdir(dirname(file));
    });
    if (failed !== null || youngUntil !== null) break;
    gone += 1;
  }
  return { gone, youngUntil };
}
