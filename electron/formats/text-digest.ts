import { hash } from 'node:crypto';

/** sha256 of a text's UTF-8 bytes, lower-case hex (H3). */
export function textDigest(text: string): string {
  return hash('sha256', text, 'hex');
}
