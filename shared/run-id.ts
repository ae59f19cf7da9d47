export type RunIdResult = { ok: true; id: string } | { ok: false; reason: string };

const LENGTH = 26;
const NOT_CROCKFORD = /[^0-9A-HJKMNP-TV-Z]/u;

/**
 * A ULID in its canonical text, upper case (FORMATS J10). Read in either case; I, L, O and U are refused, and so is a
 * first character above 7, which overflows 128 bits and would make two texts one id.
 */
export function parseUlid(text: string): RunIdResult {
  const characters = [...text].length;
  if (characters !== LENGTH) return { ok: false, reason: `a ULID has ${LENGTH} characters, this has ${characters}` };
  // Upper-casing first would let through letters that only become ASCII, such as U+0131.
  const id = text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
  const wrong = NOT_CROCKFORD.exec(id);
  if (wrong !== null) {
    return { ok: false, reason: `${JSON.stringify(wrong[0])} does not occur in a ULID (Crockford base 32)` };
  }
  if (id.charAt(0) > '7') return { ok: false, reason: 'the first character of a ULID is 0 to 7' };
  return { ok: true, id };
}
