import { join } from 'node:path';
import { Source } from '../../shared/settings.js';
import type { InboxDisk, Kind, Stat } from './disk.js';

/** The source of what lies in the inbox itself and not in a folder of it. */
export const LOCAL = 'local';

/** One thing in the inbox. `left` is its path below the inbox, with `/`. */
export interface Found {
  path: string;
  left: string;
  name: string;
  source: string | null;
  /** Null for what cannot be looked at. */
  stat: Stat | null;
  /** Why it is no record and is never opened; null for a regular file. */
  odd: { code: string; text: string } | null;
}

export interface Listing {
  found: Found[];
  /** Absolute paths of the folders that were listed. */
  folders: string[];
}

const WORDS: Readonly<Record<Exclude<Kind, 'file'>, string>> = {
  folder: 'a folder',
  link: 'a symbolic link, which is never followed',
  pipe: 'a named pipe, which is never opened',
  socket: 'a socket, which is never opened',
  device: 'a device, which is never opened',
};

/** Names that say "not finished": a writer renames them when they are. */
export function isUnfinished(name: string): boolean {
  return name.startsWith('.') || /(\.tmp|\.part|~)$/i.test(name);
}

/** Everything in the inbox and in its folders, one level deep: a folder's name is the source (H11). */
export async function listInbox(disk: InboxDisk, inbox: string): Promise<Listing> {
  const listing: Listing = { found: [], folders: [inbox] };
  for (const entry of await entriesOf(disk, inbox, '', LOCAL)) {
    if (entry.stat?.kind !== 'folder') {
      listing.found.push(entry);
      continue;
    }
    const odd = whyNoSource(entry.name);
    if (odd !== null) {
      listing.found.push({ ...entry, source: null, odd });
      continue;
    }
    try {
      listing.found.push(...(await entriesOf(disk, entry.path, `${entry.name}/`, entry.name)));
      listing.folders.push(entry.path);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') listing.found.push({ ...entry, odd: noRight(codeOf(error)) });
    }
  }
  listing.found.sort(byTime);
  return listing;
}

function whyNoSource(name: string): Found['odd'] {
  if (/\.json$/i.test(name))
    return { code: 'not_a_file', text: 'This is a folder and not a record, whatever its name says.' };
  if (Source.shape.name.safeParse(name).success) return null;
  return {
    code: 'not_a_source',
    text: 'A folder of the inbox names a source: letters, digits, "_", "." and "-", at most 64.',
  };
}

async function entriesOf(disk: InboxDisk, folder: string, below: string, source: string): Promise<Found[]> {
  const found: Found[] = [];
  for (const raw of await disk.names(folder)) {
    const name = raw.toString('utf8');
    if (isUnfinished(name)) continue;
    const path = join(folder, name);
    const entry: Found = { path, left: `${below}${name}`, name, source, stat: null, odd: null };
    if (!Buffer.from(name, 'utf8').equals(raw)) {
      const odd = { code: 'bad_name', text: `Its name is not valid UTF-8 (bytes ${raw.toString('hex')}); rename it.` };
      found.push({ ...entry, left: `${below}${raw.toString('hex')}`, odd });
      continue;
    }
    try {
      const stat = await disk.stat(path);
      const isFolderOnTop = stat.kind === 'folder' && below === '';
      found.push({ ...entry, stat, odd: stat.kind === 'file' || isFolderOnTop ? null : notAFile(stat.kind) });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') found.push({ ...entry, odd: noRight(codeOf(error)) });
    }
  }
  return found;
}

/** Oldest first, so that of two records of one run the later one is the later suspension. */
function byTime(a: Found, b: Found): number {
  const [x, y] = [a.stat?.changedNs ?? 0n, b.stat?.changedNs ?? 0n];
  return x === y ? (a.left < b.left ? -1 : 1) : x < y ? -1 : 1;
}

function notAFile(kind: Exclude<Kind, 'file'>): { code: string; text: string } {
  return { code: 'not_a_file', text: `This is ${WORDS[kind]}; only a regular file can be a record.` };
}

/** Why something could not be looked at or read, in words. */
export function noRight(code: string): { code: string; text: string } {
  if (code === 'EACCES' || code === 'EPERM')
    return { code: 'no_right', text: `There is no right to read it (${code}). It is taken in as soon as there is.` };
  return { code: 'disk_fault', text: `It cannot be read: the disk reported ${code}. It is tried again.` };
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
