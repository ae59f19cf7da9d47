import { z } from 'zod';
import { SuspensionKey } from './decision.js';

export const HistoryEvent = z.strictObject({
  at: z.string(),
  /** taken_in, decided, withdrawn_decision, came_second, objected, claimed, started, done, failed, rejected, unknown,
   * reconciled, not_continued, suspended_again, completed, closed, expired, withdrawn, superseded, refused … */
  kind: z.string(),
  by: z.string().nullable(),
  suspension: SuspensionKey.nullable(),
  call: z.number().int().nullable(),
  text: z.string(),
  facts: z.record(z.string(), z.unknown()),
});
export type HistoryEvent = z.infer<typeof HistoryEvent>;
