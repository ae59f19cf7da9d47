import { z } from 'zod';
import { EFFECTS } from './tool-table.js';

const Count = z.number().int().min(0);

/** How the reviewing went: counts alone, no arguments and no words of a record but tool names. Days are local ones. */
export const Insight = z.strictObject({
  /** One a day, oldest first: what waited at its end, what was decided in it, by whom is asked too (what a rule decided is nobody's own), and what expired. */
  days: z.array(
    z.strictObject({ day: z.string(), waiting: Count, decided: Count, decidedByMe: Count, expired: Count }),
  ),
  /** From taken in to what a person decided. Each bucket counts the runs up to its bound in seconds; the last one has none. */
  toDecision: z.strictObject({
    medianSeconds: z.number().nullable(),
    buckets: z.array(z.strictObject({ upTo: z.number().nullable(), runs: Count })),
  }),
  /** Calls by tool, the most decided first. */
  tools: z.array(
    z.strictObject({
      tool: z.string(),
      effect: z.enum(EFFECTS),
      approved: Count,
      edited: Count,
      rejected: Count,
      answered: Count,
      /** Of all these, how many a rule decided and no person. */
      byRule: Count,
    }),
  ),
  /** Runs that expired undecided, by the tools they asked for. */
  expired: z.array(z.strictObject({ tool: z.string(), runs: Count })),
  /** The reviewer's own pace: seconds from one decision to the next within a sitting. */
  myPace: z.strictObject({ decisions: Count, medianSeconds: z.number().nullable() }),
});
export type Insight = z.infer<typeof Insight>;
