import { join } from 'node:path';
import { StoreCorrupt } from './contract.js';
import { errorCode, readFault } from './faults.js';
import { bucketFolder, COMPLETE, exists, STORE_FILE, shardFolder, type Volume } from './volume.js';

/**
 * The names in a shard; none when the bucket was never written. A shard that is missing from a bucket that had it, or
 * a store that is gone, is an error: "absent" must never be what a vanished folder looks like.
 */
export function listShard(volume: Volume, bucket: string, shard: string): string[] {
  const folder = shardFolder(volume, bucket, shard);
  try {
    return volume.disk.readdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw readFault(error, 'list', folder);
    const why = whyMissing(volume, bucket, folder);
    if (why !== null) throw new StoreCorrupt(`${bucket} cannot be read: ${why}.`);
    return [];
  }
}

/**
 * Why a missing shard cannot mean that its bucket was never written, or null when it does. Throws StoreCorrupt when the
 * whole store is gone.
 */
export function whyMissing(volume: Volume, bucket: string, folder: string): string | null {
  const { disk, root } = volume;
  if (!volume.unmarked && !exists(disk, join(root, STORE_FILE))) {
    throw new StoreCorrupt(`The store's folder ${root} has vanished.`);
  }
  return exists(disk, join(bucketFolder(volume, bucket), COMPLETE)) ? `the folder ${folder} has vanished` : null;
}
