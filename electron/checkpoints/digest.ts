import { createHash } from 'node:crypto';
import type { PendingCall, System } from '../../shared/checkpoint.js';
import { textDigest } from '../formats/text-digest.js';

export interface Digested {
  system: System;
  runId: string;
  resumeStep: number;
  /** The record exactly as it came. */
  bytes: Uint8Array;
}

const PREFIX = 'holdpoint/1\0';

/**
 * What a decision is bound to (H3): sha256, lower-case hex, over "holdpoint/1" NUL and then system, run id, resume step
 * in decimal and original bytes, each with its length (8 bytes, big-endian) in front, so that no two records share a text.
 */
export function recordDigest({ system, runId, resumeStep, bytes }: Digested): string {
  const hash = createHash('sha256').update(PREFIX, 'utf8');
  for (const part of [system, runId, String(resumeStep), bytes]) {
    const data = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(data.length));
    hash.update(length).update(data);
  }
  return hash.digest('hex');
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
  return createHash('sha256').update(bytes).digest('hex');
}
