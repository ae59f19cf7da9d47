import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a file whole: aside first, synced, then under its name, and the name synced. Mode 0600. */
export async function keepFile(path: string, content: Uint8Array | string): Promise<void> {
  const aside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Takes a moved file from everybody but this user (mode 0600); follows no link. Somebody else's file stays as it is. */
export async function makePrivate(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      await file.chmod(0o600);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    // Not ours, or no file any more: the folder around it is private all the same.
    if (!['EACCES', 'EPERM', 'ENOENT', 'ELOOP', 'EROFS', 'ENOTSUP'].includes(code)) throw error;
  }
}

/** Makes the names in a folder durable; Windows opens no folders, and keeps names by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
