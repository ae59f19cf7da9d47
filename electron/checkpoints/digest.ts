import { createHash, hash } from 'node:crypto';
import type { PendingCall } from '../../shared/checkpoint.js';
import { textDigest } from '../formats/text-digest.js';

export interface Digested {
  system: string;
  runId: string;
  resumeStep: number;
  /** The record exactly as it came. */
  bytes: Uint8Array;
}

const PREFIX = 'holdpoint/1\0';

/** Below this the parts are put together: one call of the hash costs less than nine. Bytes. */
const SMALL = 64 * 1024;

/**
 * What a decision is bound to (H3): sha256, lower-case hex, over "holdpoint/1" NUL and then system, run id, resume step
 * in decimal and original bytes, each with its length (8 bytes, big-endian) in front, so that no two records share a text.
 */
export function recordDigest(of: Digested): string {
  const known = kept.get(of.bytes);
  const isKept =
    known !== undefined && known.system === of.system && known.runId === of.runId && known.resumeStep === of.resumeStep;
  return isKept ? known.digest : digestOf(of);
}

function digestOf({ system, runId, resumeStep, bytes }: Digested): string {
  const texts = [system, runId, String(resumeStep)];
  const front = Buffer.alloc(PREFIX.length + texts.reduce((sum, text) => sum + 8 + Buffer.byteLength(text, 'utf8'), 8));
  let at = front.write(PREFIX, 'latin1');
  const length = (value: number) => {
    front.writeUInt32BE(Math.floor(value / 2 ** 32), at);
    front.writeUInt32BE(value % 2 ** 32, at + 4);
    at += 8;
  };
  for (const text of texts) {
    length(Buffer.byteLength(text, 'utf8'));
    at += front.write(text, at, 'utf8');
  }
  length(bytes.length);
  if (bytes.length < SMALL) return hash('sha256', Buffer.concat([front, bytes]), 'hex');
  return createHash('sha256').update(front).update(bytes).digest('hex');
}

const kept = new WeakMap<Uint8Array, Omit<Digested, 'bytes'> & { digest: string }>();

/**
 * Computes it once for bytes that several look at: those of a large original, which were held against their sha256 when
 * they were read, and which are read anew when their file is not as it was then. Nobody writes into them.
 */
export function keepDigest({ system, runId, resumeStep, bytes }: Digested): void {
  const digest = digestOf({ system, runId, resumeStep, bytes });
  kept.set(bytes, { system, runId, resumeStep, digest });
}

/** Equal for batches that ask the same, call for call, of the same tools; null for none. 24 hex digits, to tell rows apart. */
export function asksDigest(calls: readonly PendingCall[]): string | null {
  if (calls.length === 0) return null;
  const parts = calls.map(({ name, argumentsSha256, needs }) => [name, argumentsSha256, needs ?? '']);
  return textDigest(JSON.stringify(parts)).slice(0, 24);
}

/** sha256 of the raw argument text of one call, lower-case hex. */
export function argumentsDigest(rawText: string): string {
  return textDigest(rawText);
}

/** sha256 of bytes as they stand in the store, lower-case hex. */
export function bytesDigest(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'hex');
}
