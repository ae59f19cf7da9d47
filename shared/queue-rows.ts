import { z } from 'zod';
import { VIEWS } from './queue.js';
import { RunRow } from './run-row.js';

/** One item of the list: a run; equal ones, of which `row` is the one in front; or the line before what is old. */
export const QueueItem = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('run'),
    row: RunRow,
    /** Equal ones that this row stands for (itself included), how many of them still need somebody, and are they shown. */
    same: z.strictObject({ count: z.number().int(), open: z.number().int(), shown: z.boolean() }).optional(),
    /** One of the equal ones of the row above. */
    inside: z.boolean(),
  }),
  z.strictObject({ kind: z.literal('old'), runs: z.number().int(), shown: z.boolean() }),
]);
export type QueueItem = z.infer<typeof QueueItem>;

const Count = z.number().int();

export const QueueState = z.strictObject({
  /** Names the list that positions are of. */
  list: Count,
  /** Items, and the runs in them. */
  items: Count,
  runs: Count,
  /** Runs in it that still need somebody. */
  open: Count,
  /** Runs that belong here and came since it was built. */
  fresh: Count,
  /** False when building it anew would change it. */
  tidy: z.boolean(),
  /** How many runs each place holds, filters apart. */
  counts: z.record(z.enum(VIEWS), Count),
  /** Runs that wait for a person and expire within an hour, and within a day. */
  soon: z.strictObject({ hour: Count, day: Count }),
  /** What can be filtered by: the commonest of each. */
  sources: z.array(z.string()),
  tools: z.array(z.string()),
  /** The list is still being read: so many of so many (null: not known yet). */
  reading: z.strictObject({ done: Count, all: Count.nullable() }).nullable(),
  /** The texts are still being read for the search. */
  indexing: z.strictObject({ done: Count, all: Count }).nullable(),
});
export type QueueState = z.infer<typeof QueueState>;

export const QueuePage = z.strictObject({ list: Count, from: Count, items: z.array(QueueItem) });
export type QueuePage = z.infer<typeof QueuePage>;
/** The place of one item in a list. */
export const QueuePlace = z.strictObject({ at: Count, item: QueueItem });
export type QueuePlace = z.infer<typeof QueuePlace>;
