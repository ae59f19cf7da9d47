import { type RecordRead, readRecord } from '../formats/read-record.js';
import type { KvStore } from '../store/contract.js';
import { keepDigest } from './digest.js';
import { frozen } from './frozen.js';

interface Opened {
  /** What the payload's file was when it was read. */
  stamp: string;
  bytes: Uint8Array;
  read: RecordRead;
  forget: NodeJS.Timeout;
}

const MOST_BYTES = 32 * 1024 * 1024;
const KEPT_MS = 5 * 60_000;

/** By sha256, least lately used first. */
const opened = new Map<string, Opened>();

/**
 * A large original and its normal form, kept for some minutes: what is on screen is read, checked and parsed once, not
 * again for the decision and for the claim. Its bytes were held against their sha256 when they were read; a file that is
 * not as it was then is read anew. The form is frozen, so that nobody changes what another acts on. Null when absent.
 */
export async function readLarge(store: KvStore, sha256: string): Promise<Pick<Opened, 'bytes' | 'read'> | null> {
  const stamp = await store.payloadStamp(sha256);
  const known = opened.get(sha256);
  drop(sha256);
  if (stamp === null) {
    // A sweep may hold it under the name with which payloads leave: it is read from there, and not kept.
    const leaving = await store.getPayload(sha256);
    return leaving === null ? null : { bytes: leaving, read: readRecord(leaving) };
  }
  if (known?.stamp === stamp) {
    keep(sha256, known);
    return known;
  }
  const bytes = await store.getPayload(sha256);
  if (bytes === null) return null;
  const read = readRecord(bytes);
  if (read.ok) {
    frozen(read.record);
    keepDigest({ ...read.record, bytes });
  }
  keep(sha256, { stamp, bytes, read });
  return { bytes, read };
}

function keep(sha256: string, one: Omit<Opened, 'forget'>): void {
  const forget = setTimeout(() => opened.delete(sha256), KEPT_MS);
  forget.unref();
  opened.set(sha256, { ...one, forget });
  let total = 0;
  for (const { bytes } of opened.values()) total += bytes.length;
  for (const [oldest, { bytes }] of opened) {
    if (total <= MOST_BYTES) break;
    total -= bytes.length;
    drop(oldest);
  }
}

function drop(sha256: string): void {
  clearTimeout(opened.get(sha256)?.forget);
  opened.delete(sha256);
}
