import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a new file, whole and synced; its folders are made. Throws the disk's error, also when it is there. */
export function writeSynced(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const fd = openSync(path, 'wx', 0o600);
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes the names in one folder durable. Windows has no such sync. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The same for a folder and all below it. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) syncTree(join(folder, entry.name));
  syncFolder(folder);
}
