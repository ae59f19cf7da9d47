import type { RunRow } from '../../shared/ipc.js';
import { compareRows } from './order.js';

/**
 * The list that does not move under the hand: the order is fixed when the list is built; later rows wait in `fresh`
 * until they are asked for, and a row that changed or left keeps its place with its new state.
 */
export interface StableList {
  /** Rows in the order they are shown. */
  shown: readonly RunRow[];
  /** Names of rows that belong here and are not shown yet. */
  fresh: readonly string[];
}

export const EMPTY_LIST: StableList = { shown: [], fresh: [] };

/** Builds the list anew from all rows that belong here. */
export function build(rows: readonly RunRow[], belongs: (row: RunRow) => boolean): StableList {
  return { shown: rows.filter(belongs).sort(compareRows), fresh: [] };
}

/** Takes news in without moving anything; an empty list is built at once. */
export function update(list: StableList, rows: readonly RunRow[], belongs: (row: RunRow) => boolean): StableList {
  if (list.shown.length === 0) return build(rows, belongs);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const shownIds = new Set(list.shown.map((row) => row.id));
  return {
    shown: list.shown.map((row) => byId.get(row.id) ?? row),
    fresh: rows.filter((row) => !shownIds.has(row.id) && belongs(row)).map((row) => row.id),
  };
}

/** True when building anew would change nothing but what `update` already did. */
export function isSettled(list: StableList, belongs: (row: RunRow) => boolean): boolean {
  return list.fresh.length === 0 && list.shown.every(belongs);
}

/** The next row after `from` (wrapping round) for which a person still has to do something; null when none is left. */
export function nextOpen(
  list: StableList,
  from: string | null,
  isOpen: (row: RunRow) => boolean = (row) => row.needsPerson,
): RunRow | null {
  const at = list.shown.findIndex((row) => row.id === from);
  const rest = [...list.shown.slice(at + 1), ...list.shown.slice(0, Math.max(at, 0))];
  return rest.find((row) => row.id !== from && isOpen(row)) ?? null;
}
