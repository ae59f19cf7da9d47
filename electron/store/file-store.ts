import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { BALLAST_BYTES } from './ballast.js';
import { StoreReadOnly } from './contract.js';
import { type Disk, nodeDisk } from './disk.js';
import { retryingDisk } from './disk-retry.js';
import { errorCode, writing } from './faults.js';
import { homeHere } from './home.js';
import { type HostIdentity, thisHost } from './host.js';
import { FileStore } from './opened-store.js';
import { probeFolderSync, probePublish } from './probe.js';
import { createStoreFile, readStoreFile, STORE_FORMAT, type StoreFile } from './store-file.js';
import type { FileStoreSettings } from './store-settings.js';
import { RETENTION } from './thin.js';
import { exists, makeFolder, PAYLOADS, RECORDS, SNAPSHOTS, syncFolder, TEMPS, type Volume } from './volume.js';
import { WriteRight } from './write-right.js';

export interface StoreOptions extends Partial<FileStoreSettings> {
  /** Space kept back for what must be written on a full disk; 0 = none. */
  ballastBytes?: number;
  /** Opens what is there and writes nothing at all, not even an index; every write is refused. */
  readOnly?: boolean;
  disk?: Disk;
  host?: HostIdentity;
  platform?: NodeJS.Platform;
  /** Wall clock in milliseconds. */
  now?: () => number;
}

/**
 * Opens the store in a folder, and makes it when there is none. Throws StoreTooNew for one that a newer Holdpoint
 * wrote, and StoreCorrupt when STORE.json is not one; neither changes anything. A store that may not be written opens
 * read-only and says why (`readOnlyReason`); a new one in a folder that cannot be written throws StoreReadOnly.
 */
export async function openStore(root: string, options: StoreOptions = {}): Promise<FileStore> {
  const platform = options.platform ?? process.platform;
  const disk = retryingDisk(options.disk ?? nodeDisk, platform);
  const volume: Volume = {
    root: resolve(root),
    disk,
    host: options.host ?? thisHost(disk),
    platform,
    now: options.now ?? Date.now,
    publish: 'link',
    folderSync: platform !== 'win32',
    fineTimes: false,
    unmarked: false,
    homes: null,
  };
  let file = readStoreFile(disk, volume.root);
  if (file === null && options.readOnly !== true && !holdsRecords(volume)) {
    create(volume);
    file = readStoreFile(disk, volume.root);
  }
  return new FileStore(
    volume,
    new WriteRight(volume, file, options.readOnly === true ? null : (options.ballastBytes ?? BALLAST_BYTES)),
    {
      pollMs: options.pollMs ?? 1000,
      snapshotMs: options.snapshotMs ?? 60_000,
      retention: options.retention ?? RETENTION,
      keepAll: options.keepAll ?? [],
    },
  );
}

/** Records without a STORE.json are part of a store that was copied or lost it: nobody knows whose they are. */
function holdsRecords(volume: Volume): boolean {
  try {
    return volume.disk.readdir(join(volume.root, RECORDS)).length > 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** STORE.json comes last: once it is there, all else is there and durable. Any number of processes may do this at once. */
function create(volume: Volume): void {
  const { disk, root } = volume;
  writing('make the folder', root, () => {
    makeRoot(volume, root);
    for (const folder of [TEMPS, RECORDS, PAYLOADS, SNAPSHOTS]) makeFolder(disk, join(root, folder));
  });
  const publish = probePublish(volume);
  if (publish === null) throw new StoreReadOnly(`The volume of ${root} can publish no file exclusively.`);
  volume.publish = publish;
  volume.folderSync = probeFolderSync(volume);
  syncFolder(volume, root);
  const file: StoreFile = {
    holdpoint: 'store',
    format: STORE_FORMAT,
    storeId: randomUUID(),
    home: homeHere(volume.host, disk.stat(root)),
    publish,
    folderSync: volume.folderSync,
    takenOver: [],
  };
  createStoreFile(volume, file);
}

/** Makes the store's folder and what is missing above it, each durable in the one above. */
function makeRoot(volume: Volume, folder: string): void {
  if (exists(volume.disk, folder)) return;
  const parent = dirname(folder);
  makeRoot(volume, parent);
  makeFolder(volume.disk, folder);
  syncFolder(volume, parent);
}
