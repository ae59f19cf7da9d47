import { z } from 'zod';
import { STATUSES } from './states.js';
import { EFFECTS } from './tool-table.js';

/** What the window asks the list for, and what it gets: the list itself is kept where the records are. */

/** The places of the left column. */
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

/** How what is open is ordered; what is over stands latest first. Unknown outcomes come first in any order. */
export const SORTS = ['risk', 'time_left', 'oldest', 'newest'] as const;
export type Sort = (typeof SORTS)[number];

/** Taken in within this, or longer ago than a week. */
export const AGES = ['hour', 'day', 'week', 'older'] as const;
export type Age = (typeof AGES)[number];
/** Expires within this. */
export const SOON = ['hour', 'day'] as const;

export const HOUR_MS = 3600_000;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

export const Filter = z.strictObject({
  /** Words; each must occur in a tool's name, the arguments, the conversation, or what the run is known by. */
  search: z.string().max(1000).default(''),
  source: z.string().nullable().default(null),
  tool: z.string().nullable().default(null),
  effect: z.enum(EFFECTS).nullable().default(null),
  status: z.enum(STATUSES).nullable().default(null),
  /** May all its calls be made again, by the reviewer's table? */
  repeatable: z.boolean().nullable().default(null),
  age: z.enum(AGES).nullable().default(null),
  expires: z.enum(SOON).nullable().default(null),
});
export type Filter = z.infer<typeof Filter>;
export const NO_FILTER: Filter = Filter.parse({});

export const QueueQuery = z.strictObject({
  view: z.enum(VIEWS),
  sort: z.enum(SORTS).default('risk'),
  filter: Filter.prefault({}),
  /** Calls that ask the same of the same source stand in one row with their number. */
  fold: z.boolean().default(true),
});
export type QueueQuery = z.infer<typeof QueueQuery>;

/** A query that the reviewer gave a name. */
export const SavedView = z.strictObject({ name: z.string().min(1).max(60), query: QueueQuery });
export type SavedView = z.infer<typeof SavedView>;

/** Rows of the list are fetched by so many at most. */
export const PAGE_ROWS = 200;
