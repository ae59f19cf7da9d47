import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const RENAME_TRIES = 5;
const PASSING = new Set(['EPERM', 'EBUSY', 'EACCES']);

/**
 * Replaces a file that only its owner may read: written aside, synced, renamed over, folder synced. After it returns
 * the new text is durable; when it throws the old text is still there.
 */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const aside = join(dirname(path), `.${randomUUID()}.tmp`);
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(text, 'utf8');
      await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(aside, path);
  } catch (fault) {
    await rm(aside, { force: true });
    throw fault;
  }
  await syncFolder(dirname(path));
}

/** A scanner may hold the target open for a moment; more than a moment is reported. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (fault) {
      const code = fault instanceof Error && 'code' in fault ? String(fault.code) : '';
      if (!PASSING.has(code) || attempt === RENAME_TRIES) throw fault;
      await sleep(20 * attempt);
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  // Windows opens no folders; there the rename is durable with the file system's own journal.
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
