import { dirname, join, sep } from 'node:path';
import { z } from 'zod';
import { StoreCorrupt, StoreTooNew } from './contract.js';
import type { Disk } from './disk.js';
import { asking, errorCode, readFault, writing } from './faults.js';
import { Home } from './home.js';
import { Moved } from './moved.js';
import { readWhole } from './read-whole.js';
import { stageFile } from './stage.js';
import { STORE_FILE, syncFolder, type Volume } from './volume.js';

/** The version of the folder's layout. */
export const STORE_FORMAT = 1;

/** STORE.json: what the folder is, whose it is, and what its volume can do. */
const StoreFile = z.looseObject({
  holdpoint: z.literal('store'),
  format: z.literal(STORE_FORMAT),
  storeId: z.string().min(1),
  home: Home,
  publish: z.enum(['link', 'rename']),
  folderSync: z.boolean(),
  /** Every take-over: who, when (ISO time), and the home before; null when nobody knew it. */
  takenOver: z.array(z.object({ name: z.string(), at: z.string(), from: Home.nullable() })),
  moved: Moved.optional(),
});
export type StoreFile = z.infer<typeof StoreFile>;

/** What changes when the file does. Throws the disk's own error when there is none, a typed one otherwise. */
export function storeFileStamp(disk: Disk, root: string): string {
  const path = `${root}${sep}${STORE_FILE}`;
  const { ino, mtimeNs, size } = asking(path, () => disk.lstat(path));
  return `${ino}:${mtimeNs}:${size}`;
}

/** STORE.json, or null when there is none. Throws StoreTooNew or StoreCorrupt. */
export const readStoreFile = (disk: Disk, root: string): StoreFile | null =>
  readStoreFileAt(disk, join(root, STORE_FILE));

/** The same for one that lies under another name. */
export function readStoreFileAt(disk: Disk, path: string): StoreFile | null {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(readWhole(disk, path)).toString('utf8'));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw readFault(error, 'read', path);
  }
  const format = z.looseObject({ holdpoint: z.literal('store'), format: z.number() }).safeParse(value);
  if (format.success && format.data.format > STORE_FORMAT) {
    throw new StoreTooNew(
      `The store ${dirname(path)} was written by a newer Holdpoint (format ${format.data.format}; this one reads up to ` +
        `${STORE_FORMAT}). Nothing in it was changed. Open it with the newer one.`,
    );
  }
  const file = StoreFile.safeParse(value);
  if (!file.success) throw new StoreCorrupt(`${path} is not the description of a store. Nothing was changed.`);
  return file.data;
}

/** Writes STORE.json for a new store; when another process was first, its file stays. */
export function createStoreFile(volume: Volume, file: StoreFile): void {
  writeStoreFile(volume, file, volume.publish === 'link');
}

/** Replaces STORE.json after a named take-over. */
export function replaceStoreFile(volume: Volume, file: StoreFile): void {
  writeStoreFile(volume, file, false);
}

function writeStoreFile(volume: Volume, file: StoreFile, exclusive: boolean): void {
  const path = join(volume.root, STORE_FILE);
  const staged = stageFile(volume, Buffer.from(`${JSON.stringify(file, null, 2)}\n`, 'utf8'));
  try {
    if (exclusive) staged.publish(path);
    else writing('publish', path, () => staged.moveTo(path));
  } finally {
    staged.discard();
  }
  syncFolder(volume, volume.root);
}
