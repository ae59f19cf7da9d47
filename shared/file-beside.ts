import { z } from 'zod';

/** The file that a call would change, as it was at `readAt`: to compare with, and nothing that is sent. */
export const FileBeside = z.strictObject({
  state: z.enum(['text', 'missing', 'no_text', 'too_large']),
  /** Absolute; `real` where it is a link, or leads through one. */
  path: z.string(),
  real: z.string().nullable(),
  readAt: z.string(),
  size: z.number().int(),
  modifiedAt: z.string().nullable(),
  sha256: z.string().nullable(),
  text: z.string().nullable(),
});
export type FileBeside = z.infer<typeof FileBeside>;
