import { z } from 'zod';
import { type Outcome, refused } from './refusal.js';

/** A result given as a file has at most this many bytes: it is kept with the decision and goes to the model whole. */
export const MAX_ATTACHED_BYTES = 1024 * 1024;

/** A file given as the result of a call: its text whole, and never where it lies. */
export const Attached = z.strictObject({
  name: z.string().max(255),
  /** Bytes. */
  size: z.number().int(),
  /** Of the bytes; lower-case hex. */
  sha256: z.string(),
  text: z.string(),
});
export type Attached = z.infer<typeof Attached>;

/** The result of a call that is made elsewhere, as far as it is given: what was typed, and what stands in its place. */
export const AnswerDraft = z.strictObject({
  status: z.enum(['completed', 'failed', 'cancelled']).nullable(),
  text: z.string(),
  file: Attached.optional(),
});
export type AnswerDraft = z.infer<typeof AnswerDraft>;

/** What is kept for the reviewer beside a call until its decision. It decides nothing. */
export const Draft = z.strictObject({
  reason: z.string().optional(),
  note: z.string().optional(),
  editedArguments: z.string().optional(),
  /** Changes of type in it that were confirmed. */
  typesChanged: z.array(z.string().max(4000)).max(1000).optional(),
  answer: AnswerDraft.optional(),
});
export type Draft = z.infer<typeof Draft>;

/** The one refusal of a file that is too large, before or after it was read. */
export function tooLargeToAttach(name: string, size: number): Outcome<never> {
  return refused('too_large', `${name} has ${size} bytes; a result has at most ${MAX_ATTACHED_BYTES}.`, { size });
}
