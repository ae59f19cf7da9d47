import type { Journal } from '../../shared/journal.js';
import { unknownJournal } from './journal.js';
import { cameClaimed, type Loaded } from './records.js';

/**
 * The journal as it stands, or the one that says of a record which came in claimed that nobody knows of its calls
 * (H4, S17). Null: nothing of it was started.
 */
export function journalAtOf(loaded: Loaded): { journal: Journal; revision: number | null } | null {
  if (loaded.journal) return loaded.journal;
  return cameClaimed(loaded) ? { journal: unknownJournal(loaded), revision: null } : null;
}

export const journalOf = (loaded: Loaded): Journal | null => journalAtOf(loaded)?.journal ?? null;
