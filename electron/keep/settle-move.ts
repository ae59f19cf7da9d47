import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../store/disk.js';
import { lookAtTarget } from '../store/move-target.js';
import { readStoreFile, type StoreFile } from '../store/store-file.js';
import { STORE_FILE, TEMPS } from '../store/volume.js';
import { filesIn, removeCopy } from './moving-files.js';
import { syncFolder, writeSynced } from './synced-files.js';

/** A move from one data folder to another, as its last steps need it. */
export interface Leaving {
  from: string;
  to: string;
  by: string;
  /** Makes the new folder the one that is found from now on; durable when it returns. */
  point(to: string): void;
  at?: ((step: string) => unknown) | undefined;
}

/**
 * Ends or undoes a move that was cut short. Returns where the store is when it is elsewhere, else null: then it is here, or nobody
 * can tell, and it says so and stays as it is. Only the window that owns the folder calls it, and agents are refused until then.
 */
export async function settleMove(from: string, point: (to: string) => void): Promise<string | null> {
  const old = readStoreFile(nodeDisk, join(from, 'store'));
  if (old?.moved === undefined) return null;
  const { moved } = old;
  if (moved.state === 'moved') {
    point(moved.to);
    return moved.to;
  }
  const target = lookAtTarget(nodeDisk, moved, old.storeId);
  if (target === 'published') {
    finish({ from, to: moved.to, by: moved.by, point }, old);
    return moved.to;
  }
  if (moved.state === 'moving' || target === 'waits') undo(from, moved.to, old);
  return null;
}

/** After the new STORE.json is there: everything else follows it. May be done again, from any of its steps. */
export function finish({ from, to, by, point, at = () => undefined }: Leaving, old: StoreFile): void {
  // It is seen, and has to stay: whoever published it may have ended before this.
  syncFolder(join(to, 'store'));
  emptyInbox(from, to);
  at('inbox-emptied');
  replaceStoreFile(from, { ...old, moved: { state: 'moved', to, by, at: new Date().toISOString() } });
  at('marked');
  // Last of all: the next window comes by the old folder until everything is where it belongs.
  point(to);
  at('pointed');
}

/** Agents that still write into the old inbox find no folder, instead of one that nobody looks into. */
function emptyInbox(from: string, to: string): void {
  const inbox = join(from, 'inbox');
  const aside = join(from, 'inbox.moved');
  const there = join(to, 'inbox');
  if (existsSync(inbox) && !existsSync(aside)) {
    renameSync(inbox, aside);
    syncFolder(from);
  }
  if (!existsSync(aside)) return;
  mkdirSync(there, { recursive: true, mode: 0o700 });
  for (const path of filesIn(aside, '')) {
    if (existsSync(join(there, path))) continue;
    // Under its own name only as a whole: whoever watches the inbox takes what it finds.
    const temp = join(to, 'store', TEMPS, 'from-inbox');
    rmSync(temp, { force: true });
    writeSynced(temp, readFileSync(join(aside, path)));
    mkdirSync(join(there, path, '..'), { recursive: true, mode: 0o700 });
    renameSync(temp, join(there, path));
  }
  syncFolder(there);
}

/** The old folder is the store again: first of all it says so, then the copy goes. Nothing was published there. */
export function undo(
  from: string,
  to: string,
  { moved: _, ...old }: StoreFile,
  at: (step: string) => unknown = () => undefined,
): void {
  replaceStoreFile(from, old);
  at('unmarked');
  // A store that stands there by now is somebody's, and nothing of it is touched.
  if (!existsSync(join(to, 'store', STORE_FILE))) removeCopy(from, to);
}

/** Durable when it returns. */
export function replaceStoreFile(dataFolder: string, file: StoreFile): void {
  const root = join(dataFolder, 'store');
  const temp = join(root, TEMPS, `STORE.json-${process.pid}`);
  rmSync(temp, { force: true });
  writeSynced(temp, textOf(file));
  renameSync(temp, join(root, STORE_FILE));
  syncFolder(root);
}

export const textOf = (file: StoreFile): Uint8Array => Buffer.from(`${JSON.stringify(file, null, 2)}\n`, 'utf8');
