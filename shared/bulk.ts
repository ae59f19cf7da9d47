import { z } from 'zod';
import { Binding } from './decision.js';
import { ItemId } from './run-row.js';
import { EFFECTS } from './tool-table.js';

/** So many runs are decided together at most: a longer list nobody reads. */
export const MOST_BULK = 200;

/**
 * Up to this size the arguments of a call stand whole in the approve control. What is longer is read on its card, and is
 * never approved together with others (I12).
 */
export const SHOWN_UNITS = 600;
export const SHOWN_LINES = 10;

/** Why a run is not decided together with the others, in words. */
export const LeftOut = z.strictObject({ id: ItemId, tool: z.string(), runId: z.string(), why: z.string() });
export type LeftOut = z.infer<typeof LeftOut>;

/** One run that may be decided together with others of the same tool and class, as main reads it now. */
export const BulkRun = z.strictObject({
  id: ItemId,
  source: z.string(),
  runId: z.string(),
  step: z.number().int(),
  binding: Binding,
  effect: z.enum(EFFECTS),
  /** The open calls, all of one tool. `text` is cut at SHOWN_UNITS; `length` is that of the whole. */
  calls: z.array(
    z.strictObject({
      index: z.number().int(),
      name: z.string(),
      argumentsSha256: z.string(),
      text: z.string(),
      length: z.number().int(),
    }),
  ),
});
export type BulkRun = z.infer<typeof BulkRun>;

/** What of the runs that were asked for can be decided together: the kind of the first one, and what is left out of it. */
export const BulkList = z.strictObject({ runs: z.array(BulkRun), leftOut: z.array(LeftOut) });
export type BulkList = z.infer<typeof BulkList>;
