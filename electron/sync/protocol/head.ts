import { z } from 'zod';
import type { HeadState } from '../../../shared/states.js';

/** More are not taken: the head stays small, and nobody can fill it. */
export const MOST_DECISIONS = 64;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const name = z.string().min(1).max(300);
const STATES = ['suspended', 'decided', 'claimed', 'done', 'blocked', 'expired'] as const satisfies HeadState[];

/** One decision that reached the head before its claim, in order of arrival. The whole record stands under `key`. */
export const DecisionRef = z.strictObject({
  decisionId: name,
  key: z.string().min(1).max(600),
  by: name,
  /** Its author's own clock: for showing only. */
  at: z.string().max(40),
  /** An objection holds the run; a `taken_back` only takes what it names out of force. */
  verdict: z.enum(['approve', 'reject', 'mixed', 'objection', 'taken_back']),
  /** Equal for two decisions that have the same effect; see `markOf`. */
  mark: sha256,
  /** The decisions that its author saw and decides over (H10). */
  names: z.array(name).max(MOST_DECISIONS),
  /** The engine's epoch in which it was made. */
  epoch: z.number().int().min(0),
});
export type DecisionRef = z.infer<typeof DecisionRef>;

export const SharedLatch = z.strictObject({
  /** Made and kept by the claimer before it was sent: finding it again means that the claim was won. */
  token: z.string().min(16).max(200),
  by: name,
  decisionId: name,
  at: z.string().max(40),
});

/** The small record that everybody compares-and-sets: latch, decision and digest can never disagree. */
export const SharedHead = z.strictObject({
  v: z.literal(1),
  /** The key at its home; the key in the engine is made of it, and may be a digest. */
  suspension: z.strictObject({
    system: z.string().regex(/^[a-z][a-z0-9]*$/),
    source: z.string().min(1).max(64),
    runId: z.string(),
    seq: z.number().int().min(1),
  }),
  resumeStep: z.number().int(),
  /** Nonce of the one who made it: tells an earlier attempt of one's own from somebody else's. */
  inc: name,
  /** The digest that decisions are bound to (H3); over the body's bytes, the run and its step. */
  digest: sha256,
  body: z.discriminatedUnion('at', [
    z.strictObject({ at: z.literal('inline'), text: z.string() }),
    z.strictObject({ at: z.literal('blob'), sha256, size: z.number().int().min(0) }),
  ]),
  /** Tools in it that may not run twice, as far as its home knows. */
  nonIdempotent: z.array(z.string()),
  reason: z.string().max(4000).nullable(),
  state: z.enum(STATES),
  /** The decision in force; null while suspended. */
  decision: name.nullable(),
  decisions: z.array(DecisionRef).max(MOST_DECISIONS),
  latch: SharedLatch.nullable(),
  /** How it ended, once it did: the words are never mixed up. */
  end: z.enum(['finished', 'failed', 'expired', 'withdrawn', 'superseded']).nullable(),
  /** The engine's epoch in which it was made. */
  epoch: z.number().int().min(0),
});
export type SharedHead = z.infer<typeof SharedHead>;

/** Written where nothing was found, so that nothing can be made there any more: the proof that a run is gone. */
export const Sealed = z.strictObject({ v: z.literal(1), sealed: z.literal(true), by: name, at: z.string().max(40) });
export type Sealed = z.infer<typeof Sealed>;

/** What stands in `meta.epoch`. */
export const Epoch = z.strictObject({ v: z.literal(1), epoch: z.number().int().min(0) });
