import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../shared/json.js';

const CASES = new URL('../fixtures/cases/', import.meta.url);
const caseFile = (path: string): Buffer => readFileSync(new URL(path, CASES));

function faultOf(bytes: Uint8Array) {
  const read = readJson(bytes);
  if (read.ok) throw new Error('accepted');
  return read.fault;
}

describe('C80 encodings', () => {
  test.each([
    ['bom-crlf.json', 'bom', 'byte order mark (BOM'],
    ['utf16le.json', 'utf16', 'UTF-16, little-endian'],
    ['latin1.json', 'not_utf8', 'Latin-1'],
    ['overlong.json', 'not_utf8', 'overlong form'],
    ['lone-surrogate.json', 'lone_surrogate', 'lone surrogate (U+D83D)'],
  ])('%s is refused by name, and the file is not changed by reading', (file, code, words) => {
    const before = caseFile(`C80-bom-crlf-encodings/${file}`);
    const bytes = Uint8Array.from(before);
    const fault = faultOf(bytes);
    expect(fault.code).toBe(code);
    expect(fault.text).toContain(words);
    expect(Buffer.from(bytes).equals(before)).toBe(true);
  });

  test('latin1: the place is that of the first byte that is no UTF-8', () => {
    const fault = faultOf(caseFile('C80-bom-crlf-encodings/latin1.json'));
    expect(fault).toMatchObject({ offset: 124, line: 1, column: 125 });
    expect(fault.text).toContain('byte FC at offset 124');
  });

  test('lone-surrogate: the reason names the value', () => {
    expect(faultOf(caseFile('C80-bom-crlf-encodings/lone-surrogate.json'))).toMatchObject({
      path: 'messages[0].content',
      line: 1,
    });
  });

  test.each([
    ['UTF-16 big-endian with a mark', [0xfe, 0xff, 0, 0x7b], 'utf16', 'big-endian'],
    ['UTF-16 little-endian without a mark', [0x7b, 0, 0x7d, 0], 'utf16', 'little-endian'],
    ['UTF-16 big-endian without a mark', [0, 0x7b, 0, 0x7d], 'utf16', 'big-endian'],
    ['UTF-32', [0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0], 'not_utf8', 'UTF-32'],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 'not_utf8', 'encoded surrogate'],
    ['a character that is cut off', [0x22, 0xe2, 0x82], 'not_utf8', 'byte E2 at offset 1'],
    ['a lone continuation byte', [0x22, 0x80, 0x22], 'not_utf8', 'not part of a character'],
    ['a character past U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], 'not_utf8', 'offset 1'],
    ['a file full of zeros', [0, 0, 0, 0], 'syntax', 'NUL'],
  ])('%s', (_, bytes, code, words) => {
    const fault = faultOf(Uint8Array.from(bytes));
    expect(fault.code).toBe(code);
    expect(fault.text).toContain(words);
  });

  test('no bytes at all are read with a replacement character that was not there', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (inner) => {
        const read = readJson(Uint8Array.from([0x22, ...inner, 0x22]));
        if (!read.ok) return;
        expect(Buffer.from(read.text, 'utf8').equals(Buffer.from([0x22, ...inner, 0x22]))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('C78 files that hold no record', () => {
  test.each([
    ['empty.json', 'empty', '0 bytes'],
    ['blank.json', 'empty', 'only white space'],
  ])('%s', (file, code, words) => {
    const fault = faultOf(caseFile(`C78-zero-byte-file/store/${file}`));
    expect(fault.code).toBe(code);
    expect(fault.text).toContain(words);
  });
});

test('every case file that is strict JSON is read back as its own text', () => {
  const files = readdirSync(CASES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
  const read = files.map((name) => [readJson(caseFile(name)), caseFile(name).toString('utf8')] as const);
  const whole = read.filter(([result, text]) => result.ok && result.text === text);
  expect(whole.length).toBeGreaterThan(60);
});
