import { z } from 'zod';
import { SuspensionKey } from './decision.js';
import { CALL_STATES } from './states.js';

/** How a person settled a call whose outcome was unknown. */
export const Reconciliation = z.strictObject({
  how: z.enum(['it_ran', 'it_did_not', 'give_up', 'dispatch_again']),
  by: z.string(),
  at: z.string(),
  note: z.string().optional(),
});
export type Reconciliation = z.infer<typeof Reconciliation>;

export const CallEntry = z.strictObject({
  index: z.number().int().min(0),
  name: z.string(),
  /** Id used in the continued transcript: the record's own where it is usable, else a unique one (H8). */
  id: z.string(),
  state: z.enum(CALL_STATES),
  /** sha256 of the text that is dispatched: the proposed arguments, or the edited ones. */
  argumentsSha256: z.string(),
  edited: z.boolean(),
  /** The system's own idempotency key of this call, where it has one (runifold R9). */
  effectKey: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  /** The answer that goes to the model, also for `failed` and `rejected`. Of one that lies elsewhere: its beginning. */
  result: z.string().optional(),
  /** Where the whole of a large answer lies: an immutable payload of the store. `size` in bytes, `length` in characters. */
  resultAt: z.strictObject({ sha256: z.string(), size: z.number().int(), length: z.number().int() }).optional(),
  /** Machine word beside the answer: tool_error, tool_not_available, timeout, connection_lost, crash, rejected_by_person … */
  cause: z.string().optional(),
  reconciled: z.array(Reconciliation).default([]),
});
export type CallEntry = z.infer<typeof CallEntry>;

/** A call that the loop ran itself because the reviewer's table says "no review needed". */
export const LoopEntry = CallEntry.extend({ step: z.number().int(), arguments: z.string() });
export type LoopEntry = z.infer<typeof LoopEntry>;

export const Continuation = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('pending') }),
  z.strictObject({ state: z.literal('not_continued'), cause: z.string(), text: z.string(), at: z.string() }),
  z.strictObject({
    state: z.literal('suspended_again'),
    seq: z.number().int(),
    step: z.number().int(),
    at: z.string(),
    /** The whole key of the next suspension; its run may be another one (starweaver S15). */
    next: SuspensionKey.optional(),
  }),
  z.strictObject({
    state: z.literal('completed'),
    answer: z.string(),
    steps: z.number().int(),
    at: z.string(),
    /** The finished record, where the system has one: it is kept and can be exported. */
    next: SuspensionKey.optional(),
  }),
  z.strictObject({ state: z.literal('failed'), cause: z.string(), text: z.string(), at: z.string() }),
  /** Given up by a person, or released: nothing more will happen here. */
  z.strictObject({ state: z.literal('closed'), by: z.string(), text: z.string(), at: z.string() }),
]);
export type Continuation = z.infer<typeof Continuation>;

/** What happened to each call under one claim. Absent = the claim holds and nothing has started. */
export const Journal = z.strictObject({
  v: z.literal(1),
  suspension: SuspensionKey,
  decisionId: z.string().nullable(),
  /** sha256 of the claim token. */
  claim: z.string(),
  calls: z.array(CallEntry),
  loop: z.array(LoopEntry).default([]),
  continuation: Continuation,
});
export type Journal = z.infer<typeof Journal>;
