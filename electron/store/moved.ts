import { z } from 'zod';

/**
 * Stands in the STORE.json of a store that goes, or went, to another folder. From `moving` on nothing is written there; whether
 * the move was made is settled by one thing alone: the other folder has its STORE.json.
 */
export const Moved = z.strictObject({
  state: z.enum(['moving', 'moved']),
  /** The data folder that it goes to, absolute. */
  to: z.string(),
  at: z.string(),
  by: z.string(),
});
export type Moved = z.infer<typeof Moved>;

/** Why nothing is written into a store that is being moved or was. */
export function whyMoved({ state, to }: Moved): string {
  return state === 'moved'
    ? `it was moved to ${to}; use that folder`
    : `it is being moved to ${to}; if that was cut short, open a window on this folder, which ends it`;
}
