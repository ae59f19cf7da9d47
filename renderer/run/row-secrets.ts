import { type SecretSpan, secretSpans } from '../../shared/secret-spans.js';
import type { TextPage, TextRow } from './text-lines.js';

/** So much of the text around a page is looked at with it: a secret may lie over its edge. */
const MARGIN = 8_192;

/** The secrets of one page of a text, by their place in the whole text: a key over many lines is one. */
export function secretsOfPage(text: string, page: TextPage, name: string | null): SecretSpan[] {
  const from = Math.max(0, page.start - MARGIN);
  const isWhole = page.start === 0 && page.end === text.length;
  return secretSpans(text.slice(from, page.end + MARGIN), isWhole ? name : null).map(({ start, end, kind }) => ({
    start: start + from,
    end: end + from,
    kind,
  }));
}

/** What of them stands in one row, by its place in the row. */
export function secretsOfRow(secrets: readonly SecretSpan[], row: TextRow): SecretSpan[] {
  const end = row.at + row.text.length;
  return secrets
    .filter((span) => span.start < end && span.end > row.at)
    .map((span) => ({
      start: Math.max(0, span.start - row.at),
      end: Math.min(row.text.length, span.end - row.at),
      kind: span.kind,
    }));
}
