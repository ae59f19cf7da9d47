import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, statfs } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import type { FileBeside } from '../shared/file-beside.js';
import { accepted, type Outcome, refused } from '../shared/refusal.js';

/** Larger files are named with their size and not read. */
const MAX_BYTES = 1024 * 1024;
/** A file system that does not answer in this time is left alone. */
const PATIENCE_MS = 3_000;
/** File systems whose files lie on another machine, or are no files at all: NFS, SMB, CIFS, FUSE, AFS, 9p, Ceph; proc, sysfs. */
const ELSEWHERE = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x5346414f, 0x01021997, 0x00c36400, 0x9fa0, 0x62656572,
]);

export interface Reading {
  /** The path as the call has it. */
  path: string;
  /** Folders that the settings allow to be read without being asked. */
  folders: readonly string[];
  /** The reviewer asked for this very file. */
  asked: boolean;
}

/**
 * The file that a call would change, as it is now: for comparing, never for anything that is sent. Only a regular file of
 * this machine, whole, up to 1 MiB, by the reviewer's own act or below a folder that the settings allow. Refused as
 * `not_allowed` otherwise, with the reason.
 */
export async function fileBeside(reading: Reading): Promise<Outcome<FileBeside>> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<Outcome<FileBeside>>((done) => {
    late = setTimeout(done, PATIENCE_MS, no('The file system did not answer in time.'));
  });
  try {
    return await Promise.race([look(reading), patience]);
  } catch (error) {
    return no(`The file could not be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    clearTimeout(late);
  }
}

async function look({ path, folders, asked }: Reading): Promise<Outcome<FileBeside>> {
  if (path.includes('\0')) return no('The path holds a NUL character.');
  if (/^[\\/]{2}/.test(path) || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return no('The path leads over the network.');
  const at = isAbsolute(path) ? path : await inAllowedFolder(path, folders);
  if (at === null) return no('The path is relative, and no folder of the settings holds such a file.');
  const readAt = new Date().toISOString();
  const link = await lstat(at).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (link === null) {
    if (!asked && !isBelowOne(at, folders)) return no('Not asked for.');
    return accepted({
      state: 'missing',
      path: at,
      real: null,
      readAt,
      size: 0,
      modifiedAt: null,
      sha256: null,
      text: null,
    });
  }
  const real = await realpath(at);
  if (/^[\\/]{2}/.test(real)) return no('The path leads over the network.');
  const allowed = isBelowOne(real, await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder))));
  if (!asked && !allowed) return no('Not asked for.');
  if (ELSEWHERE.has(Number((await statfs(real)).type) >>> 0))
    return no('The file lies on another machine, or is none.');
  return read(real, { path: at, real: real === at ? null : real, readAt });
}

async function read(real: string, about: Pick<FileBeside, 'path' | 'real' | 'readAt'>): Promise<Outcome<FileBeside>> {
  // Not followed and not waited for: what stands there now is what was looked at, and no pipe.
  const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return no('It is no regular file.');
    const facts = { ...about, size: stat.size, modifiedAt: stat.mtime.toISOString() };
    if (stat.size > MAX_BYTES) return accepted({ ...facts, state: 'too_large', sha256: null, text: null });
    const bytes = await file.readFile();
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const text = decode(bytes);
    return accepted({ ...facts, state: text === null ? 'no_text' : 'text', sha256, text });
  } finally {
    await file.close();
  }
}

function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** A relative path, in the one allowed folder that holds it; in none or in several it is not known which is meant. */
async function inAllowedFolder(path: string, folders: readonly string[]): Promise<string | null> {
  const places = folders.map((folder) => join(folder, path)).filter((place) => isBelowOne(place, folders));
  if (places.length === 1) return places[0] ?? null;
  const there = await Promise.all(
    places.map((place) =>
      lstat(place)
        .then(() => [place])
        .catch(() => []),
    ),
  );
  const found = there.flat();
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** By path segments: `/srv/shop` does not hold `/srv/shop-secrets`. */
function isBelowOne(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const inner = relative(folder, path);
    return isAbsolute(folder) && inner !== '' && inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
  });
}

const no = (text: string): Outcome<never> => refused('not_allowed', text);
