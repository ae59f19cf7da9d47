import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DiffLine } from '../../renderer/decision/diff.js';
import { diffLines } from '../../renderer/decision/diff.js';
import { folded, numbered, sideBySide } from '../../renderer/diff/rows.js';
import { decodeHead, encodedOf, textIn } from '../../renderer/run/base64.js';
import { mayDraw, sizeOf } from '../../renderer/run/picture.js';
import { pagesOf, rowsOf } from '../../renderer/run/text-lines.js';
import { urlParts } from '../../renderer/run/url-host.js';
import { hostToUnicode } from '../../shared/punycode.js';

describe('a web address says where it leads', () => {
  test.each([
    [
      'https://xn--pple-43d.example/',
      { host: 'xn--pple-43d.example', unicode: 'аpple.example', mixed: ['Latin', 'Cyrillic'] },
    ],
    ['https://аpple.example/', { host: 'xn--pple-43d.example', unicode: 'аpple.example', written: null }],
    [
      'https://bücher.example:8443/x',
      { host: 'xn--bcher-kva.example', unicode: 'bücher.example', port: '8443', mixed: null },
    ],
    ['https://bank.example@evil.example/', { host: 'evil.example', userInfo: true }],
    ['http://2130706433/', { host: '127.0.0.1', written: '2130706433', plain: false }],
    ['http://evil.example/', { plain: true, port: null, unicode: null }],
    ['https://example.com:443/', { port: null, written: null }],
  ])('%s', (value, parts) => expect(urlParts(value)).toMatchObject(parts));

  test('what is none is none', () => {
    for (const value of ['javascript:alert(1)', 'C:\\x', 'example.com', 'mailto:a@b', `https://${'a'.repeat(5000)}`])
      expect(urlParts(value)).toBeNull();
  });

  test('punycode is read as the browser writes it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdü中日яλß1'), minLength: 1, maxLength: 12 }), (label) => {
        const url = `https://${label}.example/`;
        if (!URL.canParse(url) || /^(?:xn--|\d)/.test(label)) return;
        const { hostname } = new URL(url);
        expect(new URL(`https://${hostToUnicode(hostname)}/`).hostname).toBe(hostname);
      }),
    );
    expect(hostToUnicode('xn--\u0000.example')).toBe('xn--\u0000.example');
    expect(hostToUnicode('xn--99999999999.example')).toBe('xn--99999999999.example');
  });
});

describe('base64 is told, with what it holds', () => {
  const png = `iVBORw0KGgo${'AAAANSUhEUgAAAAoAAAAUCAYAAAC07w7bAAAA'}`;

  test('a picture by its bytes, whatever it says it is', () => {
    const found = encodedOf(`data:application/pdf;base64,${png}`);
    expect(found).toMatchObject({ declared: 'application/pdf' });
    const bytes = found ? decodeHead(found) : new Uint8Array();
    expect(sizeOf('image/png', bytes)).toEqual({ width: 10, height: 20 });
    expect(mayDraw('image/png', bytes.length, { width: 10, height: 20 })).toBeNull();
  });

  test('text is decoded as text', () => {
    const found = encodedOf(btoa('rm -rf / # and some more words to make it long enough'));
    expect(found && textIn(decodeHead(found), false)).toContain('rm -rf /');
  });

  test.each([
    'plain words are not base64 at all',
    'deadbeef'.repeat(8),
    '/usr/local/lib/node/some/where',
    'x'.repeat(200),
    '1234567890'.repeat(6),
  ])('not told: %s', (text) => expect(encodedOf(text)).toBeNull());

  test('no vector, no giant, no picture of unknown size is drawn', () => {
    expect(mayDraw('image/svg+xml', 10, { width: 1, height: 1 })).toBe('type');
    expect(mayDraw('application/pdf', 10, null)).toBe('type');
    expect(mayDraw('image/png', 5_000_000, { width: 1, height: 1 })).toBe('bytes');
    expect(mayDraw('image/png', 10, { width: 50_000, height: 50_000 })).toBe('pixels');
    expect(mayDraw('image/jpeg', 10, null)).toBe('pixels');
  });
});

describe('a difference, unified and side by side', () => {
  const lines = (text: string) => text.split('');

  test('both sides come out whole in either form', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c') }),
        (a, b) => {
          const diff: DiffLine[] = diffLines(lines(a), lines(b));
          const pairs = sideBySide(numbered(diff));
          expect(pairs.flatMap(({ before }) => before?.text ?? []).join('')).toBe(a);
          expect(pairs.flatMap(({ after }) => after?.text ?? []).join('')).toBe(b);
          const flat = folded(diff).flatMap((row) => (row.kind === 'folded' ? row.lines : [row]));
          expect(flat).toEqual(numbered(diff));
        },
      ),
    );
  });

  test('long equal runs fold, the lines around a change stay', () => {
    const before = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const after = before.with(20, 'changed');
    const rows = folded(diffLines(before, after));
    expect(rows.map((row) => row.kind)).toEqual([
      'folded',
      'same',
      'same',
      'same',
      'del',
      'add',
      'same',
      'same',
      'same',
      'folded',
    ]);
  });
});

describe('a long text comes page by page', () => {
  test('the rows of all pages are the text, line for line', () => {
    const texts = [
      '',
      'a',
      'a\nb\n',
      'x'.repeat(1_500_000),
      'line\n'.repeat(200_000),
      `${'y'.repeat(700_000)}\n${'z\n'.repeat(25_000)}end`,
      `${'😀'.repeat(400_000)}`,
    ];
    for (const text of texts) {
      const pages = pagesOf(text);
      expect(pages.map(({ start, end }) => text.slice(start, end)).join('')).toBe(text);
      const rows = pages.flatMap((page) => rowsOf(text, page));
      const again = rows.map((row, i) => row.text + (row.ends && i < rows.length - 1 ? '\n' : '')).join('');
      expect(again === text).toBe(true);
      for (const row of rows)
        if (text.slice(row.at, row.at + row.text.length) !== row.text) throw new Error('misplaced');
      const numbers = rows.flatMap(({ number }) => number ?? []);
      expect(numbers.at(-1)).toBe(text.split('\n').length);
      expect(numbers.every((n, i) => i === 0 || n > (numbers[i - 1] ?? 0))).toBe(true);
      expect(rows.some(({ text: row }) => /[\uD800-\uDBFF]$/.test(row))).toBe(false);
    }
  });
});
