import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestIn } from './names.js';

interface Known {
  /** Inode and time of change of the folder when this was true. */
  stamp: string;
  byDigest: Map<string, string>;
}

/** By folder. A flood of bad files must not read the whole folder for each of them. */
const known = new Map<string, Known>();

/** The name under which something with this digest is kept already, or null. */
export async function keptAs(folder: string, digest: string): Promise<string | null> {
  const name = (await namesOf(folder)).get(digest);
  if (name === undefined) return null;
  // The caller may throw its own bytes away for this one, so it is looked at and not only remembered.
  const found = await lstat(join(folder, name)).catch(() => null);
  if (found?.isFile()) return name;
  known.delete(folder);
  return null;
}

/** Remembers what this process just put there. Whatever else came meanwhile is found at the next change. */
export async function noteKept(folder: string, name: string): Promise<void> {
  const digest = digestIn(name);
  const names = known.get(folder);
  const stamp = await stampOf(folder);
  if (digest === null || names === undefined || stamp === null) return;
  names.byDigest.set(digest, name);
  names.stamp = stamp;
}

async function namesOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const stamp = await stampOf(folder);
  const before = known.get(folder);
  if (before !== undefined && before.stamp === stamp) return before.byDigest;
  const byDigest = new Map<string, string>();
  if (stamp === null) return byDigest;
  for (const name of await readdir(folder)) {
    const digest = digestIn(name);
    if (digest !== null && !byDigest.has(digest)) byDigest.set(digest, name);
  }
  known.set(folder, { stamp, byDigest });
  return byDigest;
}

async function stampOf(folder: string): Promise<string | null> {
  try {
    const { ino, mtimeNs } = await stat(folder, { bigint: true });
    return `${ino}:${mtimeNs}`;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
