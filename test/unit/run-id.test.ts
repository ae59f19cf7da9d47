import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseUlid } from '../../shared/run-id.js';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('J10 a ULID is read in either case and written upper case', () => {
  const letters = fc.string({
    unit: fc.constantFrom(...CROCKFORD, ...CROCKFORD.toLowerCase()),
    minLength: 25,
    maxLength: 25,
  });
  fc.assert(
    fc.property(fc.constantFrom(...'01234567'), letters, (first, rest) => {
      expect(parseUlid(first + rest)).toEqual({ ok: true, id: (first + rest).toUpperCase() });
    }),
  );
});

test.each([
  ['I', '01K0QZ6V5M3H8D7N2B4C9F1XGI', 'does not occur'],
  ['L, lower case', '01K0QZ6V5M3H8D7N2B4C9F1XGl', 'does not occur'],
  ['O', 'O1K0QZ6V5M3H8D7N2B4C9F1XGA', 'does not occur'],
  ['U', '01K0QZ6V5M3H8D7N2B4C9F1XUA', 'does not occur'],
  ['a letter that only upper-cases to ASCII', '01K0QZ6V5M3H8D7N2B4C9F1XGſ', 'does not occur'],
  ['a first character that overflows', '81K0QZ6V5M3H8D7N2B4C9F1XGA', 'first character'],
  ['25 characters', '01K0QZ6V5M3H8D7N2B4C9F1XG', '25'],
  ['27 characters', '01K0QZ6V5M3H8D7N2B4C9F1XGAA', '27'],
  ['a UUID', '01981234-5678-7abc-8def-0123456789ab', '36'],
])('J10 refused: %s', (_, text, words) => {
  const read = parseUlid(text);
  expect(read.ok ? read.id : read.reason).toContain(words);
  expect(read.ok).toBe(false);
});

test('C87 no id that could name a place in a file system is a run id', () => {
  const ids: string[] = JSON.parse(
    readFileSync(new URL('../fixtures/cases/C87-path-traversal-ids/ids.json', import.meta.url), 'utf8'),
  );
  expect(ids.length).toBeGreaterThan(20);
  expect(ids.filter((id) => parseUlid(id).ok)).toEqual([]);
});
