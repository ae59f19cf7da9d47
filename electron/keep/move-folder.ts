import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { nodeDisk } from '../store/disk.js';
import { type Home, homeHere } from '../store/home.js';
import { thisHost } from '../store/host.js';
import { lookAtTarget, stagedStoreFile } from '../store/move-target.js';
import type { Moved } from '../store/moved.js';
import { readStoreFile, type StoreFile } from '../store/store-file.js';
import { STORE_FILE, TEMPS } from '../store/volume.js';
import { type Care, compareAll, copyAll } from './moving-files.js';
import { finish, type Leaving, replaceStoreFile, textOf, undo } from './settle-move.js';
import { syncFolder, writeSynced } from './synced-files.js';

/** Data folders are absolute; `by` is the person who asked. */
export type MovePlan = Leaving & Partial<Care>;

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
 * 2. everything is copied, synced, and compared byte for byte; the new STORE.json lies ready under another name;
 * 3. the old one says `publishing`: from here on only the new folder tells where the store is;
 * 4. the new STORE.json is published: *from here on, and not before, the new folder is the store*;
 * 5. the old one says `moved`, the pointer is switched.
 * Cut before 4, `settleMove` undoes it; cut after it, `settleMove` ends it; while the new folder cannot be seen it does neither.
 * The old files stay where they are. `signal` stops it up to 3: then the old folder is the store, and nothing of the copy stays.
 */
export async function moveFolder(plan: MovePlan): Promise<Outcome<{ to: string; files: number }>> {
  const { from, to, by } = plan;
  const at = plan.at ?? (() => undefined);
  const care = {
    at,
    progress: plan.progress ?? (() => undefined),
    signal: plan.signal ?? new AbortController().signal,
  };
  const wrong = whyNotThere(from, to);
  if (wrong !== null) return refused('bad_request', wrong, { to });
  const old = readStoreFile(nodeDisk, join(from, 'store'));
  if (old === null) return refused('not_home', `There is no store in ${from} to move.`);
  if (old.moved !== undefined)
    return refused('not_home', `${from} was moved to ${old.moved.to} before.`, { movedTo: old.moved.to });
  const when = new Date().toISOString();
  let moved: Moved = { state: 'moving', to, by, at: when };
  at('before-freeze');
  try {
    replaceStoreFile(from, { ...old, moved });
    at('frozen');
    const files = await copyAll(from, to, care);
    at('copied');
    await compareAll(from, to, files, care);
    at('compared');
    const target = stage(old, to);
    at('staged');
    care.signal.throwIfAborted();
    moved = { ...moved, state: 'publishing', target };
    replaceStoreFile(from, { ...old, moved });
    at('publishing');
    publish(to);
    at('published');
    finish(plan, old);
    return accepted({ to, files: files.length });
  } catch (error) {
    const target = lookAtTarget(nodeDisk, moved, old.storeId);
    // It is there: ending the move is all that is left to do, and the next window does it.
    if (target === 'published') throw error;
    const why = error instanceof Error ? error.message : String(error);
    if (moved.state === 'publishing' && target !== 'waits')
      return refused(
        'in_doubt',
        `Nobody can say where the store is: ${why} Connect the disk of ${to} and start Holdpoint again.`,
        {
          to,
        },
      );
    undo(from, to, old, at);
    if (plan.signal?.aborted) return refused('stopped', 'Stopped. The data folder stays where it is.', { to });
    return refused('fault', `The data folder stays where it is: ${why}`, { to });
  }
}

/** The new STORE.json under the name in which it waits, durable there. Returns the home that it gives the store. */
function stage({ moved: _, ...old }: StoreFile, to: string): Home {
  const root = join(to, 'store');
  const home = homeHere(thisHost(nodeDisk), nodeDisk.stat(root));
  const file: StoreFile = { ...old, home };
  const waits = stagedStoreFile(root);
  rmSync(waits, { force: true });
  writeSynced(waits, textOf(file));
  syncFolder(join(root, TEMPS));
  return home;
}

/** The commit: until this name is there, the old folder is the store. */
function publish(to: string): void {
  const root = join(to, 'store');
  renameSync(stagedStoreFile(root), join(root, STORE_FILE));
  syncFolder(root);
}
