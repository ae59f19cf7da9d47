import { z } from 'zod';
import { STATUSES } from './states.js';

/** How a suspension of a backup stands to the same one here. */
const Relation = z.enum(['absent', 'equal', 'newer_here', 'newer_there', 'diverged']);
export type Relation = z.infer<typeof Relation>;

/**
 * `add`: over there, so nothing of it can fire; its records are added. `take_in`: it waits there, undecided; its record is
 * taken in like any file. `update`: as `add`, onto the older one here, because it was named. `none`: nothing to do.
 * `stays_out`: `why` says why.
 */
const ImportAct = z.enum(['add', 'take_in', 'update', 'none', 'stays_out']);
export type ImportAct = z.infer<typeof ImportAct>;

/** What bringing a backup in does with one suspension, or with one file that lies beside the store. */
export const ImportRow = z.strictObject({
  /** Left out: a suspension. */
  what: z.enum(['settings', 'refused', 'inbox']).optional(),
  /** The suspension; of a file its place below the data folder. */
  suspension: z.string(),
  /** Where it stands in the backup. */
  status: z.enum([...STATUSES, 'unknown']),
  relation: Relation,
  act: ImportAct,
  why: z.string(),
  /** Naming it makes an `update` of it; nothing else that stays out can be named. */
  mayName: z.boolean(),
});
export type ImportRow = z.infer<typeof ImportRow>;
