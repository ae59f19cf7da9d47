import { type AGES, type Age, DAY_MS, type Filter, HOUR_MS, VIEWS, type View, WEEK_MS } from '../../shared/queue.js';
import type { Status } from '../../shared/states.js';
import { EFFECTS } from '../../shared/tool-table.js';
import type { Entry } from './entry.js';

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

export type Placed = Pick<Entry, 'status' | 'open' | 'other' | 'snoozedUntil'>;

/** One predicate a place: badge, count and list agree because they all ask here. */
export function isInView(entry: Placed, view: View, now: number): boolean {
  // What waits for nobody has a place of its own, and no other one.
  if (entry.other || view === 'other') return entry.other && view === 'other';
  const snoozed = entry.snoozedUntil > now;
  if (view === 'snoozed') return entry.open && snoozed;
  if (view === 'needs_me') return entry.open && !snoozed;
  return STATUS_VIEW[entry.status] === view;
}

/** Something for a person to do, now. */
export const needsMe = (entry: Placed, now: number): boolean => isInView(entry, 'needs_me', now);

export type Counts = Record<View, number>;

export function noCounts(): Counts {
  return Object.fromEntries(VIEWS.map((view) => [view, 0])) as Counts;
}

/** Adds one item to the counts of all places that it stands in. */
export function countIn(counts: Counts, entry: Placed, now: number): void {
  const view = STATUS_VIEW[entry.status];
  if (entry.other) counts.other += 1;
  else {
    if (entry.open) counts[entry.snoozedUntil > now ? 'snoozed' : 'needs_me'] += 1;
    if (view !== null) counts[view] += 1;
  }
}

const AGE_MS: Readonly<Record<Exclude<Age, 'older'>, number>> = { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS };
const SOON_MS = { hour: HOUR_MS, day: DAY_MS } as const;

/** Every filter but the search. */
export function passes(entry: Entry, filter: Omit<Filter, 'search'>, now: number): boolean {
  if (filter.source !== null && entry.source !== filter.source) return false;
  if (filter.tool !== null && !entry.tools.includes(filter.tool)) return false;
  if (filter.effect !== null && EFFECTS[entry.effect] !== filter.effect) return false;
  if (filter.status !== null && entry.status !== filter.status) return false;
  if (filter.repeatable !== null && entry.repeatable !== filter.repeatable) return false;
  if (filter.expires !== null && !(entry.expires - now < SOON_MS[filter.expires])) return false;
  return filter.age === null || isOfAge(filter.age, now - entry.taken);
}

function isOfAge(age: (typeof AGES)[number], ms: number): boolean {
  return age === 'older' ? ms >= WEEK_MS : ms < AGE_MS[age];
}
