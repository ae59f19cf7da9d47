import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { nodeDisk } from '../store/disk.js';
import { attempt } from '../store/faults.js';
import { slices } from '../store/slices.js';
import { STORE_FILE } from '../store/volume.js';
import { syncFolder, syncTree, writeSynced } from './synced-files.js';

/** Of the store these are made anew; the words of the search are made from the records; the owner record is each window's own. */
const LEFT = new Set(['store/tmp', 'store/idx', 'store/ballast', `store/${STORE_FILE}`, 'search', 'owner.json']);
/** Folders that a data folder has, also when they hold nothing. */
const FOLDERS = ['store', 'store/k', 'store/p', 'store/tmp', 'store/idx', 'inbox', 'refused'];

export interface Care {
  /** A test ends the process in a step. */
  at(step: string): unknown;
  /** So many of so many files. */
  progress(done: number, all: number): void;
  /** Stops before the next file, by throwing its reason. */
  signal: AbortSignal;
}

/** Copies every file and syncs it; the names are durable when it returns. Half of the progress is the copying. */
export async function copyAll(from: string, to: string, { at, progress, signal }: Care): Promise<string[]> {
  const slice = slices();
  const files = [...filesIn(from, '')];
  for (const [n, path] of files.entries()) {
    signal.throwIfAborted();
    writeSynced(join(to, path), readFileSync(join(from, path)));
    if (n === 0) at('first-copied');
    progress(n + 1, files.length * 2);
    await slice.pass();
  }
  for (const name of FOLDERS) if (!existsSync(join(to, name))) nodeDisk.mkdir(join(to, name));
  syncTree(to);
  syncFolder(dirname(to));
  return files;
}

/** What was copied is what is there now, and nothing more is: a writer that was at it when the store froze has ended. */
export async function compareAll(from: string, to: string, files: readonly string[], care: Care): Promise<void> {
  const slice = slices();
  const copied = new Set(files);
  const missing = [...filesIn(from, '')].filter((path) => path.startsWith(`store${sep}`) && !copied.has(path));
  for (const path of missing) writeSynced(join(to, path), readFileSync(join(from, path)));
  for (const [n, path] of [...files, ...missing].entries()) {
    care.signal.throwIfAborted();
    // Agents and windows may take their own files away; the store is frozen.
    const gone = !path.startsWith(`store${sep}`) && !existsSync(join(from, path));
    if (!gone && digestOf(join(from, path)) !== digestOf(join(to, path)))
      throw new Error(`${path} was not copied as it is`);
    care.progress(files.length + Math.min(n + 1, files.length), files.length * 2);
    await slice.pass();
  }
  if (missing.length > 0) syncTree(to);
}

/**
 * Takes a copy away again: only what the folder it came from has, too, and folders that hold nothing else. Best effort:
 * without its STORE.json what stays is no store.
 */
export function removeCopy(from: string, to: string): void {
  for (const path of filesIn(from, '')) attempt(() => rmSync(join(to, path)));
  attempt(() => rmSync(join(to, 'store', 'tmp', STORE_FILE)));
  removeEmpty(to);
}

function removeEmpty(folder: string): void {
  attempt(() => {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) {
        removeEmpty(join(folder, entry.name));
        attempt(() => rmdirSync(join(folder, entry.name)));
      }
  });
}

/** Every plain file below a folder; links and pipes are nobody's records and stay. */
export function* filesIn(root: string, below: string): Generator<string> {
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === '' ? name : join(below, name);
    if (LEFT.has(path.split(sep).join('/')) || /^owner\.json\..*\.tmp$/.test(path)) continue;
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) yield* filesIn(root, path);
    else if (found?.isFile()) yield path;
  }
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
