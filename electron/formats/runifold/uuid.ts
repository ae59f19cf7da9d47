const HYPHENATED = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Every form that runifold's own reader takes (FORMATS J10); it writes the hyphenated one in lower case. */
const FORMS = [
  /^[0-9a-f]{32}$/i,
  new RegExp(`^${HYPHENATED}$`, 'i'),
  new RegExp(`^\\{${HYPHENATED}\\}$`, 'i'),
  new RegExp(`^urn:uuid:(?:${HYPHENATED.replaceAll('a-f', 'a-fA-F')})$`),
];
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A UUID of any version in its canonical text, or null when it is none (J10). */
export function parseUuid(text: string): string | null {
  if (!FORMS.some((form) => form.test(text))) return null;
  return hyphenated(text.replace(/^urn:uuid:/, '').replace(/[{}-]/g, ''));
}

/**
 * The UUIDv7 of a ULID: the same 48 bits of time, and its random bits but for the six where version and variant stand.
 * The same ULID always gives the same UUID, so that it can serve as an idempotency key (R13).
 */
export function uuidFromUlid(ulid: string): string {
  let bits = 0n;
  for (const letter of ulid.toUpperCase()) {
    const value = CROCKFORD.indexOf(letter);
    if (value === -1) throw new Error(`${JSON.stringify(ulid)} is no ULID`);
    bits = bits * 32n + BigInt(value);
  }
  const hex = (bits & ((1n << 128n) - 1n)).toString(16).padStart(32, '0');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return hyphenated(`${hex.slice(0, 12)}7${hex.slice(13, 16)}${variant}${hex.slice(17)}`);
}

function hyphenated(hex: string): string {
  const h = hex.toLowerCase();
  return [h.slice(0, 8), h.slice(8, 12), h.slice(12, 16), h.slice(16, 20), h.slice(20)].join('-');
}
