import { z } from 'zod';

/** The reviewer's own key and those of the team, for the settings page; nothing of a private part. */
export const KeyStatus = z.strictObject({
  /** Null while there is none that can be read. */
  publicKey: z.string().nullable(),
  /** Where the private part lies; `file` = as it is, readable by its owner alone. */
  kept: z.enum(['key_store', 'file']).nullable(),
  /** Why nothing can be signed, and what to do; null when all is well. */
  fault: z.string().nullable(),
  /** Every key whose signatures count. */
  known: z.array(z.strictObject({ publicKey: z.string(), keyId: z.string(), name: z.string(), own: z.boolean() })),
});
export type KeyStatus = z.infer<typeof KeyStatus>;

/** One signature of a decision as the card tells it; the name is the one under which the key is known here. */
export const SignatureView = z.strictObject({
  keyId: z.string(),
  name: z.string(),
  at: z.string(),
  state: z.enum(['good', 'wrong', 'unknown']),
  own: z.boolean(),
});
