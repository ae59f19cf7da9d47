import { hasHidden } from './hidden-text.js';
import { NAMED_VALUES, namesDestination, namesSecret, SECRET_KINDS } from './secret-kinds.js';

/** Part of a text that is not shown, copied, told or logged as it is. Offsets in UTF-16 units. */
export interface SecretSpan {
  start: number;
  end: number;
  kind: string;
}

/** A value that only says where its secret comes from: `$TOKEN`, `${{ secrets.X }}`, `<token>`, `***`, `null`. */
const REFERENCE = /^(?:\$.*|<.*>|\{\{.*\}\}|%\w+%?|\*+|x+|null|none|true|false|undefined|)$/i;
/** Longer than this a value is shown whatever its name is: something else may stand in it. */
const LONGEST_NAMED = 512;
/** What lets a shell run more: never out of sight. */
const RUNS = /`|\$\(|\$\{/;
/** Every format has one of these in it; a text without any is done. */
const HINT =
  /-----BEGIN|AKIA|ASIA|AROA|AIDA|AGPA|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ft|cbt)-|xox[abeoprs]-|xapp-|sk-|AIza|[rs]k_(?:live|test)_|npm_|SG\.|eyJ|bearer|basic|token|:\/\/|passw|pwd|passphrase|secret|key|credential|auth|cookie|otp|pin|cv[vc]/i;

/**
 * The secrets of one text, ascending, apart from each other. `name` is the field it is the value of: a value named as a
 * secret is one as a whole; one that names a destination (host, path, recipient) is searched for credentials of a known
 * form inside addresses only. For showing alone: nothing that is dispatched, stored or digested ever goes through here.
 */
export function secretSpans(text: string, name: string | null = null): SecretSpan[] {
  if (name !== null && namesSecret(name)) {
    const whole = namedSecret(text);
    if (whole !== null) return [whole];
  }
  if (!HINT.test(text)) return [];
  const found: SecretSpan[] = [];
  for (const { name: kind, pattern } of SECRET_KINDS) {
    for (const match of text.matchAll(pattern)) {
      const secret = match[1];
      if (secret === undefined || secret === '' || REFERENCE.test(secret) || RUNS.test(secret)) continue;
      // The secret is the last of its kind in the match, or ends just before what closes it.
      const start = match.index + match[0].lastIndexOf(secret);
      found.push({ start, end: start + secret.length, kind });
    }
  }
  for (const pattern of NAMED_VALUES) {
    for (const match of text.matchAll(pattern)) {
      const [whole, given = '', value = ''] = match;
      const secret = namesSecret(given) ? namedSecret(value) : null;
      const start = match.index + whole.lastIndexOf(value);
      if (secret) found.push({ ...secret, start: start + secret.start, end: start + secret.end });
    }
  }
  const apart = withoutOverlaps(found);
  const isWhole =
    name !== null && namesDestination(name) && apart.some(({ start, end }) => start === 0 && end === text.length);
  return isWhole ? [] : apart;
}

/** A whole value that its name calls a secret; the word of the scheme before it stays. */
function namedSecret(text: string): SecretSpan | null {
  const start = /^(?:Bearer|Basic|Token|Digest) +/i.exec(text)?.[0].length ?? 0;
  const secret = text.slice(start);
  if (secret.length > LONGEST_NAMED || /\s/.test(secret) || hasHidden(secret)) return null;
  if (REFERENCE.test(secret) || RUNS.test(secret)) return null;
  // Where its form says more than its name, that is what is said.
  const known = SECRET_KINDS.find(({ pattern }) => [...secret.matchAll(pattern)].some((match) => match[1] === secret));
  return { start, end: text.length, kind: known?.name ?? 'value named as a secret' };
}

/** The first and longest stays where two meet. */
function withoutOverlaps(found: readonly SecretSpan[]): SecretSpan[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const apart: SecretSpan[] = [];
  for (const span of sorted) if (span.start >= (apart.at(-1)?.end ?? 0)) apart.push(span);
  return apart;
}
