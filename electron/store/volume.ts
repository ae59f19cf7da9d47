import { join, sep } from 'node:path';
import type { Disk } from './disk.js';
import { asking, attempt, closeQuietly, errorCode, writing } from './faults.js';
import type { HostIdentity } from './host.js';

/** One store's folder, and what its parts share about it. */
export interface Volume {
  readonly root: string;
  readonly disk: Disk;
  readonly host: HostIdentity;
  readonly platform: NodeJS.Platform;
  /** Wall clock in milliseconds. */
  readonly now: () => number;
  /** How a revision is published: link(2), or the rename of a folder where there are no hard links. */
  publish: 'link' | 'rename';
  /** False where a folder cannot be synced. */
  folderSync: boolean;
  /**
   * True when a folder's times tell any two changes apart that were looked at in between, however close they come. Then
   * equal times mean that nothing changed.
   */
  fineTimes: boolean;
  /** True when STORE.json was missing from the start: then its absence says nothing. */
  unmarked: boolean;
  /** Hosts whose records are ours: the home, and those it was taken over from. Null when nobody knows them all. */
  homes: ReadonlySet<string> | null;
}

export const RECORDS = 'k';
export const PAYLOADS = 'p';
export const TEMPS = 'tmp';
export const SNAPSHOTS = 'idx';
export const STORE_FILE = 'STORE.json';
export const BALLAST = 'ballast';
/** Stands in a sharded folder once all its shards are there and durable. */
export const COMPLETE = '.complete';

export function bucketFolder(volume: Volume, bucket: string): string {
  return join(volume.root, RECORDS, bucket);
}

export function shardFolder(volume: Volume, bucket: string, shard: string): string {
  return `${volume.root}${sep}${RECORDS}${sep}${bucket}${sep}${shard}`;
}

/** Makes a folder unless it is there. */
export function makeFolder(disk: Disk, path: string): void {
  const error = attempt(() => disk.mkdir(path));
  if (error !== null && errorCode(error) !== 'EEXIST') throw error;
}

/** True when something has this name. Errors other than absence are thrown, typed. */
export function exists(disk: Disk, path: string): boolean {
  try {
    asking(path, () => disk.lstat(path));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Opens a folder for `syncOpened`; null where folders are not synced: Windows keeps names by itself. */
export function openToSync(volume: Volume, folder: string): number | null {
  if (volume.platform === 'win32' || !volume.folderSync) return null;
  return writing('open the folder', folder, () => volume.disk.openFolder(folder));
}

/** Makes the names in a folder durable. */
export function syncFolder(volume: Volume, folder: string): void {
  const fd = openToSync(volume, folder);
  if (fd === null) return;
  try {
    writing('sync the folder', folder, () => volume.disk.fsync(fd));
  } finally {
    closeQuietly(volume.disk, fd);
  }
}
