import { z } from 'zod';

/** Who said otherwise, or who was first: as the engine's record names it. Times are for showing only. */
export const OtherSaid = z.strictObject({
  decisionId: z.string(),
  by: z.string(),
  at: z.string(),
  verdict: z.enum(['approve', 'reject', 'mixed', 'objection']),
});
export type OtherSaid = z.infer<typeof OtherSaid>;

const claimed = { by: z.string(), at: z.string() };
const Claim = z.strictObject({ ...claimed, done: z.boolean() });

/**
 * What became of one decision on its way to and in the shared engine. Closed: whatever is added here is shown, and every
 * row of the protocol's failure table is one of these.
 */
export const Fate = z.discriminatedUnion('kind', [
  /** The run is kept in this store alone. */
  z.strictObject({ kind: z.literal('local_only') }),
  /** Durable here, not sent yet. */
  z.strictObject({ kind: z.literal('queued') }),
  /** On its way; no answer that says more came yet. */
  z.strictObject({ kind: z.literal('sending') }),
  /** It is the one in force; `claim` tells who acts on it, once somebody does. */
  z.strictObject({ kind: z.literal('applied'), claim: Claim.nullable() }),
  /** Another reviewer said the same, and came first. */
  z.strictObject({ kind: z.literal('agreed'), other: OtherSaid, claim: Claim.nullable() }),
  /** A later decision named this one before anything started. */
  z.strictObject({ kind: z.literal('overruled'), other: OtherSaid }),
  /** Reviewers said different things before the claim: nothing fires until a decision that names them all (H10). */
  z.strictObject({ kind: z.literal('conflict'), others: z.array(OtherSaid) }),
  /** Somebody had started already. Loud when this was a refusal. */
  z.strictObject({ kind: z.literal('too_late'), ...claimed, decisionId: z.string(), loud: z.boolean() }),
  /** The agent put another record in its place. */
  z.strictObject({ kind: z.literal('stale') }),
  z.strictObject({ kind: z.literal('ended'), end: z.enum(['expired', 'withdrawn', 'superseded']) }),
  /** Proven by a marker or by a tombstone of ours, never by a read of nothing. */
  z.strictObject({ kind: z.literal('gone') }),
  /** Its author took it back before the claim. */
  z.strictObject({ kind: z.literal('taken_back') }),
  /** Refused for good: no right, too large, not verified. The others go on. */
  z.strictObject({ kind: z.literal('cannot_send'), code: z.string(), text: z.string() }),
  /** It was claimed, and may have run: a person settles it where it was claimed. */
  z.strictObject({ kind: z.literal('blocked'), ...claimed }),
  /** The engine's record cannot be read here: it counts as claimed and is left alone. */
  z.strictObject({ kind: z.literal('unreadable'), text: z.string() }),
  /** The engine is another one than before: a person confirms before anything is sent or claimed. */
  z.strictObject({ kind: z.literal('engine_reset') }),
]);
export type Fate = z.infer<typeof Fate>;
