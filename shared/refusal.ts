import { z } from 'zod';

/** Every expected refusal by its code. Refusals are values; exceptions are faults. */
export const REFUSAL_CODES = [
  // reading a record
  'unreadable',
  'unknown_format',
  'too_large',
  'already_known',
  'unsettled',
  // identity and binding
  'not_found',
  'changed_since_you_looked',
  'tombstone',
  // deciding
  'already_decided',
  'incomplete_decision',
  'ids_collide',
  'tool_name_changed',
  'invalid_edit',
  'whole_batch_only',
  'blocked_by_warning',
  'transcript_invalid',
  'not_waiting',
  'held',
  'too_late',
  // claiming and continuing
  'not_decided',
  'undo_window',
  'already_claimed',
  'ResumeReplayBlocked',
  'expired',
  'withdrawn',
  'superseded',
  'no_profile',
  'handed_over',
  'continues_here',
  'shared_engine',
  'tool_server_unreachable',
  'arguments_not_an_object',
  'model_unreachable',
  'in_doubt',
  'unknown_outcome',
  'nothing_to_continue',
  'wrong_token',
  'illegal_call_state',
  // signatures
  'not_signed',
  'signature_wrong',
  'unknown_reviewer',
  'taken_back',
  'second_signature',
  'cannot_sign',
  // store and set-up
  'store_full',
  'store_read_only',
  'store_corrupt',
  'not_home',
  'not_allowed',
  // a person's own word, before it was done
  'stopped',
  'bad_request',
  'fault',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export const Refusal = z.strictObject({
  code: z.enum(REFUSAL_CODES),
  /** One or two sentences for a person: what was refused, where, and what to do. */
  text: z.string(),
  /** Machine-readable facts: who won, when, which tools, expected and actual revision. */
  facts: z.record(z.string(), z.unknown()).default({}),
});
export type Refusal = z.infer<typeof Refusal>;

/** The outcome of anything that may be refused. */
export type Outcome<T> = { ok: true; value: T } | { ok: false; refusal: Refusal };

export function accepted<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}

export function refused(
  code: RefusalCode,
  text: string,
  facts: Record<string, unknown> = {},
): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: { code, text, facts } };
}

/** The answer to a request: what was asked for, or a refusal. */
export const reply = <T extends z.ZodType>(value: T) =>
  z.discriminatedUnion('ok', [
    z.strictObject({ ok: z.literal(true), value }),
    z.strictObject({ ok: z.literal(false), refusal: Refusal }),
  ]);
