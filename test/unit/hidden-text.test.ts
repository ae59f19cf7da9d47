import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasHidden, segments } from '../../shared/hidden-text.js';

const marksOf = (text: string) =>
  segments(text).flatMap((piece) => (piece.kind === 'mark' ? [[piece.codePoint, piece.name]] : []));

describe('I10 what nobody would see is marked', () => {
  test.each<[string, number, string]>([
    ['a\u200bb', 0x200b, 'zero width space'],
    ['a\u200db', 0x200d, 'zero width joiner'],
    ['\ufeffa', 0xfeff, 'zero width no-break space (BOM)'],
    ['a\u202eb', 0x202e, 'right-to-left override'],
    ['a\u2066b', 0x2066, 'left-to-right isolate'],
    ['a\u200fb', 0x200f, 'right-to-left mark'],
    ['\u001b[31m', 0x1b, 'ESC'],
    ['a\u0000', 0, 'NUL'],
    ['a\rb', 0x0d, 'carriage return'],
    ['a\u0001', 1, 'control character'],
    ['a\u0085', 0x85, 'next line'],
    ['a\u2028b', 0x2028, 'line separator'],
    ['a\u2029b', 0x2029, 'paragraph separator'],
    ['a\u00adb', 0xad, 'soft hyphen'],
    ['a\ue000b', 0xe000, 'private use character'],
    ['a\ud83d', 0xd83d, 'lone surrogate'],
    ['a\uffff', 0xffff, 'unassigned character'],
    ['a\u{e0041}', 0xe0041, 'tag character A'],
    ['a\u{e0101}', 0xe0101, 'variation selector'],
    ['a\ufe0f', 0xfe0f, 'variation selector'],
    ['a\u3164', 0x3164, 'Hangul filler'],
    ['a\u115f', 0x115f, 'Hangul filler'],
    ['a\u1160', 0x1160, 'Hangul filler'],
    ['a\uffa0', 0xffa0, 'Hangul filler'],
    ['a\u00a0b', 0xa0, 'no-break space'],
    ['a\u2003b', 0x2003, 'em space'],
    ['a\u202fb', 0x202f, 'narrow no-break space'],
    ['a\u3000b', 0x3000, 'ideographic space'],
    ['a\u2800b', 0x2800, 'Braille blank'],
    ['a\ufffcb', 0xfffc, 'object replacement character'],
    ['a\u{1d173}', 0x1d173, 'format character'],
  ])('%j', (text, codePoint, name) => {
    expect(marksOf(text)).toEqual([[codePoint, name]]);
    expect(hasHidden(text)).toBe(true);
  });

  test.each([
    'plain text',
    'two\nlines\tand a tab',
    'שלום עולם',
    'مرحبا بالعالم',
    'Zürich 東京 한국어',
    'naïve e\u0301',
    '💩 ❤️ ☎︎',
    '',
  ])('honest text is left alone: %j', (text) => {
    expect(hasHidden(text)).toBe(false);
    expect(segments(text)).toEqual(text === '' ? [] : [{ kind: 'plain', text }]);
  });

  test('no blank but the space is left unmarked', () => {
    for (let at = 0; at <= 0xffff; at++) {
      const blank = String.fromCharCode(at);
      if (/\p{Zs}/u.test(blank)) expect([at, hasHidden(`a${blank}b`)]).toEqual([at, at !== 0x20]);
    }
  });

  test('a second selector behind an emoji is no longer how it is written', () => {
    expect(marksOf('❤\ufe0f\ufe0f')).toEqual([[0xfe0f, 'variation selector']]);
  });

  test('nothing is dropped: the pieces joined are the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const joined = segments(text).map((piece) =>
          piece.kind === 'plain' ? piece.text : String.fromCodePoint(piece.codePoint),
        );
        expect(joined.join('')).toBe(text);
        expect(hasHidden(text)).toBe(segments(text).some((piece) => piece.kind === 'mark'));
      }),
    );
  });
});
