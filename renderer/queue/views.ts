import type { RunRow } from '../../shared/ipc.js';
import { needsPerson, type Status } from '../../shared/states.js';

/** The places of the left column. One predicate each; badge, count and list agree because they all ask here. */
export const VIEWS = [
  'needs_me',
  'decided',
  'running',
  'unknown',
  'unreadable',
  'snoozed',
  'other',
  'finished',
] as const;
export type View = (typeof VIEWS)[number];

const STATUS_VIEW: Readonly<Record<Status, View | null>> = {
  waiting: null,
  held: null,
  not_continued: null,
  decided: 'decided',
  resuming: 'running',
  handed_over: 'running',
  unknown_outcome: 'unknown',
  unreadable: 'unreadable',
  finished: 'finished',
  failed: 'finished',
  expired: 'finished',
  withdrawn: 'finished',
  superseded: 'finished',
};

export function isSnoozed(row: RunRow, now: number): boolean {
  return row.snoozedUntil !== null && Date.parse(row.snoozedUntil) > now;
}

export function isInView(row: RunRow, view: View, now: number): boolean {
  // What waits for nobody has a place of its own, and no other one.
  if (row.other || view === 'other') return row.other === true && view === 'other';
  // By the status: `row.needsPerson` is off for a snoozed row, as main saw the clock when it made the row.
  const isOpen = needsPerson(row.status);
  if (view === 'snoozed') return isOpen && isSnoozed(row, now);
  if (view === 'needs_me') return isOpen && !isSnoozed(row, now);
  return STATUS_VIEW[row.status] === view;
}

/** How many rows each view holds, filters apart. */
export function countViews(rows: readonly RunRow[], now: number): Record<View, number> {
  const counts = Object.fromEntries(VIEWS.map((view) => [view, 0])) as Record<View, number>;
  for (const row of rows) for (const view of VIEWS) if (isInView(row, view, now)) counts[view] += 1;
  return counts;
}
