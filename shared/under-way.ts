import { z } from 'zod';

/** A backup, an import or a move that is under way: so much of so much (`all` 0: not known yet), and whether it can still be stopped. */
export const UnderWayView = z.strictObject({
  act: z.enum(['backup', 'preview', 'import', 'move']),
  done: z.number(),
  all: z.number(),
  mayStop: z.boolean(),
});
export type UnderWayView = z.infer<typeof UnderWayView>;
