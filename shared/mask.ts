import { type SecretSpan, secretSpans } from './secret-spans.js';

/** Shorter ones show none of their characters: too much of them would be told. */
const SHOWS_ENDS = 20;

/** What stands in place of a secret: its kind, its length, and, of a long one of a known form, its first and last characters. */
export function maskOf(secret: string, kind: string): string {
  const ends =
    secret.length >= SHOWS_ENDS && /^[\x21-\x7e]+$/.test(secret) ? `, ${secret.slice(0, 3)}…${secret.slice(-2)}` : '';
  return `[${kind}, ${secret.length} characters${ends}]`;
}

/** The text with its secrets masked: for lists, copies, messages and logs. Never for anything that is sent. */
export function maskSecrets(text: string, name: string | null = null): string {
  return maskSpans(text, secretSpans(text, name));
}

export function maskSpans(text: string, spans: readonly SecretSpan[]): string {
  let masked = '';
  let from = 0;
  for (const { start, end, kind } of spans) {
    masked += text.slice(from, start) + maskOf(text.slice(start, end), kind);
    from = end;
  }
  return masked + text.slice(from);
}
