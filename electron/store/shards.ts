import { dirname, join } from 'node:path';
import { attempt, errorCode, writing } from './faults.js';
import { SHARDS } from './names.js';
import { COMPLETE, exists, makeFolder, syncFolder, type Volume } from './volume.js';

/**
 * Makes all 256 shards of a bucket (or of the payloads) at once and makes them durable, so that no later write has a
 * third sync to do. The marker is written last: whoever sees it may count on the folders after a power cut.
 */
export function ensureShards(volume: Volume, folder: string): void {
  const { disk } = volume;
  const marker = join(folder, COMPLETE);
  writing('make the folder', folder, () => {
    if (exists(disk, marker)) return;
    makeFolder(disk, folder);
    for (const shard of SHARDS) makeFolder(disk, join(folder, shard));
    syncFolder(volume, folder);
    syncFolder(volume, dirname(folder));
    const error = attempt(() => disk.close(disk.openNew(marker)));
    if (error !== null && errorCode(error) !== 'EEXIST') throw error;
  });
}
