import type { RunRow } from '../../shared/ipc.js';
import type { Effect } from '../../shared/tool-table.js';

export interface Filter {
  search: string;
  effect: Effect | null;
  expiresToday: boolean;
  source: string | null;
}
export const NO_FILTER: Filter = { search: '', effect: null, expiresToday: false, source: null };

const DAY_MS = 24 * 3600_000;

/** Invisible characters do not hide a row from a search: they are left out on both sides. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toLowerCase();

/** Every word of the search must occur in one of the fields a reviewer knows a run by. */
function matchesSearch(row: RunRow, search: string): boolean {
  const words = plain(search).split(/\s+/u).filter(Boolean);
  if (words.length === 0) return true;
  const fields = [
    ...row.tools,
    row.preview,
    row.source,
    row.runId,
    row.threadId ?? '',
    row.note,
    row.decidedBy ?? '',
    row.classification ?? '',
  ];
  const haystack = plain(fields.join('\n'));
  return words.every((word) => haystack.includes(word));
}

export function matches(row: RunRow, filter: Filter, now: number): boolean {
  if (filter.effect !== null && row.effect !== filter.effect) return false;
  if (filter.source !== null && row.source !== filter.source) return false;
  if (filter.expiresToday && !(row.expiresAt !== null && Date.parse(row.expiresAt) - now < DAY_MS)) return false;
  return matchesSearch(row, filter.search);
}

export function isFiltering(filter: Filter): boolean {
  return filter.search.trim() !== '' || filter.effect !== null || filter.expiresToday || filter.source !== null;
}
