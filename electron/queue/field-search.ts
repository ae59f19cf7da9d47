import type { Entry } from './entry.js';
import type { Finds } from './run-list.js';

/** Invisible characters hide nothing from a search, and neither do case and compatibility forms: left out on both sides. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** The parts of a text that are looked for, and that can be found: letters, marks and digits that stand together. */
export const partsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];

/**
 * Finds a word in what the list itself knows of an item and no record says: who decided, how it stands, and all of what
 * cannot be read. Few texts, many entries: each text is looked at once.
 */
export function findsInFields(word: string): Finds {
  const known = new Map<string, boolean>();
  const has = (text: string): boolean => {
    let found = known.get(text);
    if (found === undefined) {
      found = plain(text).includes(word);
      known.set(text, found);
    }
    return found;
  };
  return (entry: Entry) =>
    has(entry.by) ||
    has(entry.source) ||
    has(entry.note) ||
    (entry.row !== null && (has(entry.row.runId) || has(entry.row.note)));
}
