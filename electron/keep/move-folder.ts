import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { nodeDisk } from '../store/disk.js';
import { homeHere } from '../store/home.js';
import { thisHost } from '../store/host.js';
import { slices } from '../store/slices.js';
import { readStoreFile, type StoreFile } from '../store/store-file.js';
import { STORE_FILE } from '../store/volume.js';
import { syncFolder, syncTree, writeSynced } from './synced-files.js';

export interface MovePlan {
  /** Data folders, absolute. */
  from: string;
  to: string;
  /** The person who asked. */
  by: string;
  /** Makes the new folder the one that is found from now on; durable when it returns. */
  point(to: string): void;
  /** Called at each step; a test ends the process in it. */
  at?: (step: string) => void;
}

/** Of the store these are made anew, and of the data folder the owner record is each window's own. */
const LEFT = new Set(['store/tmp', 'store/idx', 'store/ballast', `store/${STORE_FILE}`, 'owner.json']);

/** Why a data folder cannot go there, or null. */
export function whyNotThere(from: string, to: string): string | null {
  if (!isAbsolute(to)) return 'Name the whole path of the new folder.';
  const within = (inner: string, outer: string): boolean =>
    !relative(outer, inner).startsWith('..') && !isAbsolute(relative(outer, inner));
  if (within(to, from) || within(from, to)) return 'The new folder may not lie in the old one, nor around it.';
  if (!existsSync(dirname(to))) return `${dirname(to)} does not exist. Make it first.`;
  if (!existsSync(to)) return null;
  if (!statSync(to).isDirectory()) return `${to} is a file.`;
  return readdirSync(to).length === 0 ? null : `${to} is not empty.`;
}

/**
 * Moves a data folder without losing a write. The order is what makes it safe, wherever it is cut:
 * 1. the old STORE.json says `moving`: every writer looks at it before it writes and again before it acknowledges;
 * 2. everything is copied, synced, and compared byte for byte;
 * 3. the new STORE.json is published: *from here on, and not before, the new folder is the store*;
 * 4. the old one says `moved`, the pointer is switched.
 * Cut before 3, `settleMove` undoes it; cut after it, `settleMove` ends it. The old files stay where they are.
 */
export async function moveFolder(plan: MovePlan): Promise<Outcome<{ to: string; files: number }>> {
  const { from, to, by, at = () => undefined } = plan;
  const wrong = whyNotThere(from, to);
  if (wrong !== null) return refused('bad_request', wrong, { to });
  const old = readStoreFile(nodeDisk, join(from, 'store'));
  if (old === null) return refused('not_home', `There is no store in ${from} to move.`);
  if (old.moved !== undefined)
    return refused('not_home', `${from} was moved to ${old.moved.to} before.`, { movedTo: old.moved.to });
  at('before-freeze');
  replaceStoreFile(from, { ...old, moved: { state: 'moving', to, by, at: new Date().toISOString() } });
  at('frozen');
  try {
    const files = await copyAll(from, to, at);
    at('copied');
    await compareAll(from, to, files);
    at('compared');
    publish(old, to);
    at('published');
    await finish(plan, old);
    return accepted({ to, files: files.length });
  } catch (error) {
    // Nothing was published: the old folder is the store again. After it, ending the move is all that is left to do.
    if (existsSync(join(to, 'store', STORE_FILE))) throw error;
    undo(from, to, old);
    const why = error instanceof Error ? error.message : String(error);
    return refused('fault', `The data folder stays where it is: ${why}`, { to });
  }
}

/**
 * Ends or undoes a move that was cut short. Returns where the store is when it is elsewhere, else null. Only the window that owns
 * the folder calls it, and agents are refused until then.
 */
export async function settleMove(from: string, point: (to: string) => void): Promise<string | null> {
  const old = readStoreFile(nodeDisk, join(from, 'store'));
  if (old?.moved === undefined) return null;
  const { moved, ...before } = old;
  if (moved.state === 'moved') return moved.to;
  if (readStoreFile(nodeDisk, join(moved.to, 'store'))?.storeId === old.storeId) {
    await finish({ from, to: moved.to, by: moved.by, point }, before);
    return moved.to;
  }
  // Whatever lies there by now: a store of its own is somebody's, and nothing of it is touched.
  if (existsSync(join(moved.to, 'store', STORE_FILE))) replaceStoreFile(from, before);
  else undo(from, moved.to, before);
  return null;
}

async function copyAll(from: string, to: string, at: (step: string) => void): Promise<string[]> {
  const slice = slices();
  const files: string[] = [];
  for (const path of filesIn(from, '')) {
    writeSynced(join(to, path), readFileSync(join(from, path)));
    files.push(path);
    if (files.length === 1) at('first-copied');
    await slice.pass();
  }
  for (const name of ['store/k', 'store/p', 'store/tmp', 'store/idx', 'inbox', 'refused']) makeFolder(join(to, name));
  syncTree(to);
  syncFolder(dirname(to));
  return files;
}

/** What was copied is what is there now, and nothing more is: a writer that was at it when the store froze has ended. */
async function compareAll(from: string, to: string, files: readonly string[]): Promise<void> {
  const slice = slices();
  const now = [...filesIn(from, '')];
  const missing = now.filter(
    (path) => path.startsWith('store') && !files.includes(path) && !existsSync(join(to, path)),
  );
  for (const path of missing) writeSynced(join(to, path), readFileSync(join(from, path)));
  for (const path of [...files, ...missing]) {
    if (!path.startsWith(`store${sep}`) && !existsSync(join(from, path))) continue;
    if (digestOf(join(from, path)) !== digestOf(join(to, path))) throw new Error(`${path} was not copied as it is`);
    await slice.pass();
  }
  if (missing.length > 0) syncTree(to);
}

/** The commit: until this name is there, the old folder is the store. */
function publish({ moved: _, ...old }: StoreFile, to: string): void {
  const root = join(to, 'store');
  const file: StoreFile = { ...old, home: homeHere(thisHost(nodeDisk), nodeDisk.stat(root)) };
  const temp = join(root, 'tmp', 'STORE.json');
  rmSync(temp, { force: true });
  writeSynced(temp, textOf(file));
  renameSync(temp, join(root, STORE_FILE));
  syncFolder(root);
}

async function finish({ from, to, by, point, at = () => undefined }: MovePlan, old: StoreFile): Promise<void> {
  point(to);
  at('pointed');
  // Agents that still write into the old inbox find no folder, instead of one that nobody looks into.
  const inbox = join(from, 'inbox');
  const aside = join(from, 'inbox.moved');
  if (existsSync(inbox) && !existsSync(aside)) renameSync(inbox, aside);
  if (existsSync(aside))
    for (const path of filesIn(aside, ''))
      if (!existsSync(join(to, 'inbox', path))) writeSynced(join(to, 'inbox', path), readFileSync(join(aside, path)));
  at('inbox-emptied');
  replaceStoreFile(from, { ...old, moved: { state: 'moved', to, by, at: new Date().toISOString() } });
  at('marked');
}

/** Takes away what was copied, and the mark. Nothing was published there. */
function undo(from: string, to: string, { moved: _, ...old }: StoreFile): void {
  if (existsSync(to)) for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true });
  replaceStoreFile(from, old);
}

function replaceStoreFile(dataFolder: string, file: StoreFile): void {
  const root = join(dataFolder, 'store');
  const temp = join(root, 'tmp', `STORE.json-${process.pid}`);
  rmSync(temp, { force: true });
  writeSynced(temp, textOf(file));
  renameSync(temp, join(root, STORE_FILE));
  syncFolder(root);
}

const textOf = (file: StoreFile): Uint8Array => Buffer.from(`${JSON.stringify(file, null, 2)}\n`, 'utf8');
const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

function makeFolder(path: string): void {
  if (!existsSync(path)) nodeDisk.mkdir(path);
}

/** Every plain file below a folder; links and pipes are nobody's records and stay. */
function* filesIn(root: string, below: string): Generator<string> {
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = below === '' ? name : join(below, name);
    if (LEFT.has(path.split(sep).join('/')) || /^owner\.json\..*\.tmp$/.test(path)) continue;
    const found = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (found?.isDirectory()) yield* filesIn(root, path);
    else if (found?.isFile()) yield path;
  }
}
