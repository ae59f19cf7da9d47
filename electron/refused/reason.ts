import { z } from 'zod';
import { ReadRefusal } from '../../shared/checkpoint.js';
import type { Refusal } from '../../shared/refusal.js';

/** What lies beside a refused file: why, where in it, when, and what it was called. */
export const Reason = z.strictObject({
  v: z.literal(1),
  code: z.string(),
  /** Path in the record, '' for the whole. */
  path: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  /** Bytes from the start. */
  offset: z.number().int().nullable(),
  text: z.string(),
  /** RFC 3339, UTC. */
  at: z.string(),
  originalName: z.string(),
  /** The folder of the inbox it came through; null for what was dropped or opened. */
  source: z.string().nullable(),
  /** Bytes; null for what has no size, such as a folder. */
  size: z.number().int().nullable(),
  /** Where it still lies, below the inbox, because it was not moved; null when it is kept here. */
  left: z.string().nullable(),
});
export type Reason = z.infer<typeof Reason>;

export interface About {
  originalName: string;
  source: string | null;
  size: number | null;
  left: string | null;
  refusal: Refusal;
  at: string;
}

/** The reason of a refusal: that of the record's reader, where it was the reader who refused. */
export function reasonOf({ refusal, ...about }: About): Reason {
  const read = ReadRefusal.safeParse(refusal.facts['read']).data;
  const { code, path, line, column, offset, text } = read ?? {
    code: refusal.code,
    path: '',
    line: null,
    column: null,
    offset: null,
    text: refusal.text,
  };
  return { v: 1, code, path, line, column, offset, text, ...about };
}

/** Null when the text is no reason of ours. */
export function readReason(text: string): Reason | null {
  try {
    return Reason.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
