import { z } from 'zod';

/** One thing that a test of the connection found; `text` is for a person. */
export const TeamFinding = z.strictObject({
  level: z.enum(['good', 'note', 'bad']),
  /** What kind of finding: `unreachable`, `refused`, `wrong_ca`, `no_right`, `clock`, … */
  code: z.string(),
  text: z.string(),
});
export type TeamFinding = z.infer<typeof TeamFinding>;

/** What a test of the connection to the shared engine found, in the order in which it looked. */
export const TeamTest = z.strictObject({ ok: z.boolean(), findings: z.array(TeamFinding) });
export type TeamTest = z.infer<typeof TeamTest>;
