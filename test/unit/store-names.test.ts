import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeKey, encodeKey, parseName, SHARDS, shardOf, slotName } from '../../electron/store/names.js';
import { fromWtf8, toWtf8 } from '../../electron/store/wtf8.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 60 }).map((units) => String.fromCharCode(...units)),
);

test('I11 the encoding is injective, also for halves of surrogate pairs', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(encodeKey(a) === encodeKey(b)).toBe(a === b);
      expect(toWtf8(a).equals(toWtf8(b))).toBe(a === b);
      expect(fromWtf8(toWtf8(a))).toBe(a);
    }),
    { numRuns: 2000 },
  );
});

test('I11 every encoded name is one safe path segment that no volume folds', () => {
  fc.assert(
    fc.property(anyText, (key) => {
      const enc = encodeKey(key);
      expect(enc).toMatch(/^(k-(?:[a-z0-9_-]|%[0-9a-f]{2})*|h-[0-9a-f]{64})$/);
      expect(enc).toBe(enc.toLowerCase());
      expect(enc.normalize('NFD')).toBe(enc);
      expect(enc.length).toBeLessThanOrEqual(102);
      expect(SHARDS).toContain(shardOf(key));
      expect(decodeKey(enc)).toBe(enc.startsWith('k-') ? key : null);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['', 'k-'],
  ['run_01-a', 'k-run_01-a'],
  ['../x', 'k-%2e%2e%2fx'],
  ['CON', 'k-%43%4f%4e'],
  ['con', 'k-con'],
  ['a b', 'k-a%20b'],
  ['é', 'k-%c3%a9'],
  ['e\u0301', 'k-e%cc%81'],
  ['😀', 'k-%f0%9f%98%80'],
  ['\ud83d', 'k-%ed%a0%bd'],
  ['%2e', 'k-%252e'],
  ['a'.repeat(100), `k-${'a'.repeat(100)}`],
])('%j is %s', (key, enc) => {
  expect(encodeKey(key)).toBe(enc);
});

test('a key of more than 100 encoded characters becomes its sha256', () => {
  expect(encodeKey('a'.repeat(101))).toMatch(/^h-[0-9a-f]{64}$/);
  expect(encodeKey('A'.repeat(34))).toMatch(/^h-/);
  expect(encodeKey('A'.repeat(33))).toMatch(/^k-/);
});

test('the name of a slot reads back', () => {
  for (const form of ['file', 'folder'] as const) {
    const slot = { enc: encodeKey('a/b'), revision: 12, form };
    expect(parseName(slotName(slot))).toEqual(slot);
  }
  expect(slotName({ enc: 'k-a', revision: 12, form: 'file' })).toBe('k-a.0000000012.json');
});

test.each([
  ['k-a.0000000005.sync-conflict-20260101-120000-ABCDEFG.json', 'k-a'],
  ['k-a.0000000005 (Ada’s conflicted copy 2026-01-01).json', 'k-a'],
  ['k-a.0000000005 (1).json', 'k-a'],
  ['k-a.0000000005-DESKTOP.json', 'k-a'],
  ['K-A.0000000005.JSON', 'k-a'],
  ['k-a.0000000000.json', 'k-a'],
  ['k-a.5.json', 'k-a'],
  ['k-a.0000000005.json~', 'k-a'],
  ['k-%zz.0000000005.json', null],
  ['good.json', null],
  ['k-ab', 'k-ab'],
])('%s is no record, and speaks of %s', (name, enc) => {
  expect(parseName(name)).toEqual({ name, enc });
});

test.each([
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '.nfs000000001',
  '.syncthing.k-a.0000000005.json.tmp',
  '~syncthing~k-a.0000000005.json.tmp',
  '.~k-a.0000000005.json.tmp',
])('C85 %s is clutter', (name) => {
  expect(parseName(name)).toBeNull();
});

test('a name that no key encodes to has no key', () => {
  expect(decodeKey('k-%61')).toBeNull();
  expect(decodeKey(`h-${'0'.repeat(64)}`)).toBeNull();
});
