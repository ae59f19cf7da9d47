import { textDigest } from '../text-digest.js';

/**
 * The run id under which a record goes on, when nobody gave one: the same for the same record, so that a crash between
 * writing and taking note makes no second run (S15).
 */
export function derivedRunId(recordText: string): string {
  return `run_${uuidOf(`continued run\u0000${recordText}`)}`;
}

/** A checkpoint's id by its content: other content under one id would be a conflict (S19). */
export function derivedCheckpointId(content: string): string {
  return `ckpt_${uuidOf(`checkpoint\u0000${content}`)}`;
}

/** In the form of a UUID of version 4. */
export function uuidOf(text: string): string {
  const hex = textDigest(text);
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
