import { patchText } from '../../../shared/json.js';
import { type Parts, partsOf } from './parts.js';

/**
 * The record with klieo's own latch set. Only the flag changes; a record from before the flag gets it in front of
 * created_at, which is where klieo writes it (H4, I6).
 */
export function latchedView(bytes: Uint8Array): Uint8Array {
  const parts = partsOf(bytes);
  const { text, root, latch } = parts;
  if (latch !== undefined) return encode(patchText(text, latch, 'true'));
  const created = root.entries.find((entry) => entry.key === 'created_at');
  if (created === undefined) throw new Error('not a readable klieo record: created_at is missing');
  const here = { start: created.keyStart, end: created.keyStart };
  return encode(patchText(text, here, '"resume_attempted":true,'));
}

/** The record as klieo can claim it itself (H13). */
export function unlatchedText({ text, latch }: Parts): string {
  return latch?.kind === 'boolean' && latch.value ? patchText(text, latch, 'false') : text;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
