import { z } from 'zod';
import { System } from './checkpoint.js';

/** One hold of a run: what a decision, a journal and the latch belong to (H1). */
export const SuspensionKey = z.strictObject({
  system: System,
  source: z.string(),
  runId: z.string(),
  /** Counter given by the store, from 1. */
  seq: z.number().int().min(1),
});
export type SuspensionKey = z.infer<typeof SuspensionKey>;

/** What was on screen (I3): the store's revision of the head, the step, and the digest of the record. */
export const Binding = z.strictObject({
  revision: z.number().int(),
  resumeStep: z.number().int(),
  digest: z.string(),
});
export type Binding = z.infer<typeof Binding>;

export const Verdict = z.strictObject({
  index: z.number().int().min(0),
  argumentsSha256: z.string(),
  /** `answer`: the result of a call that is made elsewhere, given by the reviewer; nothing is dispatched. */
  verdict: z.enum(['approve', 'reject', 'answer']),
  /** Only with `answer`: how the call ended, and what it gave. */
  answer: z.strictObject({ status: z.enum(['completed', 'failed', 'cancelled']), text: z.string() }).optional(),
  /** Why it was rejected; reaches the model word for word. */
  reason: z.string().optional(),
  /** Kept with an approval; not sent. */
  note: z.string().optional(),
  /** Raw JSON text that replaces the arguments; only with `approve`. */
  editedArguments: z.string().optional(),
  editedSha256: z.string().optional(),
  /** The values of the edit that have another JSON type now, each confirmed by the reviewer: `limit: number → string`. */
  typesChanged: z.array(z.string().max(4000)).max(1000).optional(),
});
export type Verdict = z.infer<typeof Verdict>;

/** One reviewer's signature of a decision; what exactly it signs is worked out by `signature.ts`. */
export const Signature = z.strictObject({
  /** The first 32 hex digits of the sha256 of the raw public key. */
  keyId: z.string(),
  /** What the signer is called, in their own words; who the key belongs to is said by who knows the key. */
  name: z.string().min(1),
  alg: z.literal('ed25519'),
  at: z.string(),
  /** 64 bytes in base64. */
  value: z.string(),
});
export type Signature = z.infer<typeof Signature>;

/** What a person said about a batch; versioned and stored byte for byte as written (H9). */
export const Decision = z.strictObject({
  v: z.literal(1),
  decisionId: z.string(),
  suspension: SuspensionKey,
  /** The binding: what was on screen (I3). `revision` is the store's revision of the checkpoint. */
  resumeStep: z.number().int(),
  revision: z.number().int(),
  digest: z.string(),
  verdicts: z.array(Verdict),
  /** For a stop without pending calls: what was said about the step itself (H6 K7). */
  step: z.strictObject({ verdict: z.enum(['approve', 'reject']), reason: z.string().optional() }).optional(),
  /** The reviewer lets a turn run again that may have run before, in knowledge of this warning (runifold R7). */
  retry: z.strictObject({ turn: z.number().int(), warning: z.string() }).optional(),
  /** Set when the reviewer accepted a synthetic answer for calls deep in the history that have none. */
  repair: z
    .strictObject({
      unanswered: z.array(z.strictObject({ message: z.number().int(), id: z.string() })),
      /** Messages that are answers to nothing: they are left out of the conversation that goes on. */
      leftOut: z.array(z.number().int()).optional(),
    })
    .optional(),
  /** Set when no person answered, but rules of the reviewer named: which, and which calls each of them. */
  rules: z
    .array(z.strictObject({ id: z.string(), name: z.string(), calls: z.array(z.number().int().min(0)) }))
    .min(1)
    .optional(),
  reviewer: z.strictObject({ name: z.string().min(1), keyId: z.string().optional() }),
  decidedAt: z.string(),
  /** End of the undo window: no claim before it. */
  notBefore: z.string(),
  batchId: z.string().optional(),
  supersedes: z.array(z.string()).optional(),
  /** The author's own, and those of who countersigned, in the order in which they came. */
  signatures: z.array(Signature).max(64),
  /** Taken back before the claim: the next revision of the same record. */
  withdrawn: z.strictObject({ by: z.string(), at: z.string() }).optional(),
  /** A second reviewer's objection holds the run (H10). */
  objections: z.array(z.strictObject({ by: z.string(), at: z.string(), text: z.string() })).optional(),
});
export type Decision = z.infer<typeof Decision>;
