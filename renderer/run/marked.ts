import { characterName } from '../../shared/character-name.js';
import { segments } from '../../shared/hidden-text.js';
import { maskOf } from '../../shared/mask.js';
import { type SecretSpan, secretSpans } from '../../shared/secret-spans.js';
import { fingerprint } from './fingerprint.js';

/**
 * A piece of outside text as it is shown. `real` is what stands in the text itself, for copies: joined over all pieces
 * it is the text, unit for unit.
 */
export type Piece =
  | { kind: 'plain'; real: string }
  | { kind: 'mark'; real: string; label: string }
  /** A run of blanks or blank lines long enough to push something out of sight: shown as a count. */
  | { kind: 'folded'; real: string; what: 'blanks' | 'blank_lines'; count: number }
  /** Something that is shown, copied and told only after an explicit act. */
  | { kind: 'secret'; real: string; label: string };

const MANY_BLANKS = 40;
const MANY_LINES = 5;
const RUNS = new RegExp(`(?:[^\\S\\n]*\\n){${MANY_LINES + 1},}|[^\\S\\n]{${MANY_BLANKS},}`, 'gu');

/** `line`: for a place of one line, where line breaks and tabs are marks as well. */
export function pieces(text: string, line = false, secrets: readonly SecretSpan[] = secretSpans(text)): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const { start, end, kind } of secrets) {
    const real = text.slice(start, end);
    found.push(...seen(text.slice(from, start), line));
    found.push({ kind: 'secret', real, label: `${maskOf(real, kind)} #${fingerprint(real)}` });
    from = end;
  }
  found.push(...seen(text.slice(from), line));
  return found;
}

function seen(text: string, line: boolean): Piece[] {
  return segments(text).flatMap((segment): Piece[] => {
    if (segment.kind === 'mark') return [markOf(segment.codePoint)];
    if (!line) return foldBlanks(segment.text);
    return segment.text
      .split(/([\n\t])/)
      .flatMap((part) => (part === '\n' || part === '\t' ? [markOf(part.charCodeAt(0))] : foldBlanks(part)));
  });
}

function markOf(codePoint: number): Piece {
  const code = codePoint.toString(16).toUpperCase().padStart(4, '0');
  return { kind: 'mark', real: String.fromCodePoint(codePoint), label: `U+${code} ${characterName(codePoint)}` };
}

function foldBlanks(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(RUNS)) {
    const real = match[0];
    if (match.index > from) found.push({ kind: 'plain', real: text.slice(from, match.index) });
    const lines = real.split('\n').length - 1;
    found.push(
      lines > 0
        ? { kind: 'folded', real, what: 'blank_lines', count: lines - 1 }
        : { kind: 'folded', real, what: 'blanks', count: real.length },
    );
    from = match.index + real.length;
  }
  if (from < text.length) found.push({ kind: 'plain', real: text.slice(from) });
  return found;
}
