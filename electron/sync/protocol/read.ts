import type { Stored } from '../engine.js';
import { Sealed, SharedHead } from './head.js';
import { headKey, suspensionId } from './keys.js';
import { malformed } from './legal.js';

/** What stands under a head's key, as everybody who plans sees it. `at`: the engine's own time, nanoseconds. */
export type Read =
  /** Nothing was found. Proves nothing: a copy may lag, a marker may be gone. */
  | { kind: 'absent' }
  | { kind: 'marker'; revision: number; at: bigint }
  | { kind: 'sealed'; revision: number; at: bigint }
  | { kind: 'head'; revision: number; at: bigint; head: SharedHead }
  /** Newer, foreign or broken: counts as claimed, is shown, and never touched. */
  | { kind: 'unreadable'; revision: number; at: bigint; text: string };

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const encode = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** JSON of strict UTF-8, or undefined. */
export function decode(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Reads what stands under the key of a head. A head of another run than its key says is not readable. */
export function readStored(stored: Stored | null): Read {
  if (stored === null) return { kind: 'absent' };
  const { key, revision, at, value } = stored;
  if (value === null) return { kind: 'marker', revision, at };
  const json = decode(value);
  if (Sealed.safeParse(json).success) return { kind: 'sealed', revision, at };
  const parsed = SharedHead.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const text = json === undefined ? 'not JSON' : `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not a head'}`;
    return { kind: 'unreadable', revision, at, text };
  }
  if (headKey(suspensionId(parsed.data.suspension)) !== key)
    return { kind: 'unreadable', revision, at, text: 'the head of another run than its key says' };
  const text = malformed(parsed.data);
  return text === null ? { kind: 'head', revision, at, head: parsed.data } : { kind: 'unreadable', revision, at, text };
}
