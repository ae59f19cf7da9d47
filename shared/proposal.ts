import { z } from 'zod';
import { LeftOut, MOST_BULK } from './bulk.js';
import { Binding, Decision, Verdict } from './decision.js';
import { reply } from './refusal.js';
import { ItemId } from './run-row.js';

/** What the page submits, and what it proposes to the approve control. */

export const Submission = z.strictObject({
  id: ItemId,
  binding: Binding,
  verdicts: z.array(Verdict.omit({ editedSha256: true })),
  step: z.strictObject({ verdict: z.enum(['approve', 'reject']), reason: z.string().optional() }).optional(),
  repair: z.boolean().optional(),
});
export type Submission = z.infer<typeof Submission>;

/** What became of one run of several that were decided together. */
const Told = z.strictObject({ id: ItemId, answer: reply(Decision) });
/** The same for all of them. `batchId` stands in each of their decisions. */
export const DecidedMany = z.strictObject({ batchId: z.string(), told: z.array(Told) });
export type DecidedMany = z.infer<typeof DecidedMany>;

/** Fields of an approved call whose end the page has not shown yet; null names the arguments as a whole (I12). */
export const Unread = z.strictObject({ index: z.number().int().min(0), fields: z.array(z.string().nullable()) });
export type Unread = z.infer<typeof Unread>;

/** An act that may send a call. The page can only propose it; the approve control answers. */
export const Proposal = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('decide'), submission: Submission, unread: z.array(Unread) }),
  /** Several runs of one tool and one class, never the dangerous one. The approve control shows every argument itself (I12). */
  z.strictObject({ act: z.literal('decide_many'), submissions: z.array(Submission).min(1).max(MOST_BULK) }),
  /**
   * Lets a turn run again that was in flight and may have run, after its warning was read (R7): bound like any decision,
   * in the reviewer's name; it can be taken back until the claim. `repair`: the reviewer accepts a synthetic answer for
   * each earlier call that has none, as in a submission.
   */
  z.strictObject({ act: z.literal('retry_turn'), id: ItemId, binding: Binding, repair: z.boolean() }),
  /** Claims and continues a decided run now, or goes on with one that was cut short without unknown calls. */
  z.strictObject({ act: z.literal('continue'), id: ItemId }),
  /** Dispatches the unknown calls again, only when every one of them is repeatable by the reviewer's table (K13). */
  z.strictObject({ act: z.literal('redispatch'), id: ItemId }),
]);
export type Proposal = z.infer<typeof Proposal>;

/** What became of a proposal. `left`: the reviewer went back, with the key of the table that was meant, if any. */
export const Released = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('decided'), decision: Decision }),
  /** Told for each; `leftOut` changed meanwhile, and was not confirmed. */
  z.strictObject({ outcome: z.literal('decided_many'), decided: DecidedMany, leftOut: z.array(LeftOut) }),
  z.strictObject({ outcome: z.literal('done') }),
  z.strictObject({ outcome: z.literal('left'), action: z.string().max(40).nullable() }),
  /** Taken back by the page, or by a newer proposal. */
  z.strictObject({ outcome: z.literal('withdrawn') }),
]);
export type Released = z.infer<typeof Released>;
