import { z } from 'zod';
import { Home } from './home.js';

/**
 * Stands in the STORE.json of a store that goes, or went, to another folder; from `moving` on nothing is written there. In
 * `moving` the other folder has no STORE.json, and gets none: the move may be undone without a look at it. From `publishing` on
 * it may have one, so only what lies there tells which of the two is the store.
 */
export const Moved = z.strictObject({
  state: z.enum(['moving', 'publishing', 'moved']),
  /** The data folder that it goes to, absolute. */
  to: z.string(),
  at: z.string(),
  by: z.string(),
  /** From `publishing` on: the home that the store gets there, so that what another disk holds in its place is told from it. */
  target: Home.optional(),
});
export type Moved = z.infer<typeof Moved>;

/** Why nothing is written into a store that is being moved or was. */
export function whyMoved({ state, to }: Moved): string {
  switch (state) {
    case 'moved':
      return `it was moved to ${to}; use that folder`;
    case 'publishing':
      return `its move to ${to} was cut short at its end, so the store may be there; connect that disk and start Holdpoint again, which ends the move. Only when that folder is lost for good, take this one over by name`;
    default:
      return `it is being moved to ${to}; if that was cut short, open a window on this folder, which ends it`;
  }
}
