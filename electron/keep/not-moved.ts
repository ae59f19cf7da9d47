import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { DataFolder } from '../data-folder.js';
import { Moved, whyMoved } from '../store/moved.js';
import { STORE_FILE } from '../store/volume.js';

/**
 * Refused for a data folder that went to another place, or is on its way: agents and the command line are told where. The
 * window that owns the folder settles a move that was cut short, and comes by without this.
 */
export function notMoved(folder: DataFolder): Outcome<DataFolder> {
  const file = join(folder.store, STORE_FILE);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return accepted(folder); // Whatever opens the store says what is wrong with it.
  }
  const moved = Moved.safeParse(movedIn(text));
  if (!moved.success) return accepted(folder);
  const { to, state } = moved.data;
  return refused('not_home', `The store ${folder.store}: ${whyMoved(moved.data)}.`, {
    path: folder.path,
    movedTo: to,
    state,
  });
}

function movedIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'moved' in value ? value.moved : null;
  } catch {
    return null;
  }
}
