import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownNames, skeleton } from '../../electron/checkpoints/look-alike.js';
import { nameWarnings, toolsKnown } from '../../electron/checkpoints/name-warnings.js';
import { readRecord } from '../../electron/formats/read-record.js';
import type { PendingCall } from '../../shared/checkpoint.js';
import { mixedScripts, mixedWords, scriptsOf } from '../../shared/scripts.js';
import { toolFacts } from '../../shared/tool-table.js';

const caseFile = (folder: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../fixtures/cases', folder, 'checkpoint.json'));

function pendingOf(folder: string): PendingCall[] {
  const read = readRecord(caseFile(folder));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record.pending ?? [];
}

const rows = ['read_file', 'send_payment', 'web_search'].map((tool) => ({
  source: '*',
  server: '*',
  tool,
  effect: 'changes' as const,
  repeatable: true,
  noReview: false,
}));
const known = toolsKnown({ tools: rows }, []);
const warned = (call: PendingCall) => nameWarnings(call, 'call', known).map(({ code, text }) => [code, text]);

describe('C61 look-alike names', () => {
  const calls = pendingOf('C61-look-alike-names');
  const facts = (call: PendingCall | undefined) => toolFacts(rows, 'local', null, call?.name ?? '');

  test('y1, y2, y4, y5 are unknown tools by exact comparison, gated and not repeatable', () => {
    for (const at of [0, 1, 3, 4])
      expect(facts(calls[at])).toMatchObject({ known: false, effect: 'changes', repeatable: false, noReview: false });
    expect(facts(calls[2])).toMatchObject({ known: true });
  });

  test('y1 and y2 carry mixed scripts and the name they look like; y4 and y5 the name', () => {
    const of = (at: number) => (calls[at] ? warned(calls[at]) : []);
    expect(of(0).map(([code]) => code)).toEqual(['mixed_scripts', 'looks_like']);
    expect(of(0)[1]?.[1]).toContain('looks like read_file');
    expect(of(1).map(([code]) => code)).toEqual(['mixed_scripts', 'looks_like', 'looks_like']);
    expect(of(1)[1]?.[1]).toContain('looks like send_payment');
    expect(of(3)).toEqual([['looks_like', expect.stringContaining('looks like read_file')]]);
    expect(of(4)).toEqual([['looks_like', expect.stringContaining('looks like read_file')]]);
  });

  test('the key tо is flagged next to the key to', () => {
    const [, , keys] = calls[1] ? warned(calls[1]) : [];
    expect(keys?.[1]).toMatch(/keys t\u043e and to look the same/);
  });

  test('y3, a value wholly in another script, is not flagged', () => {
    expect(calls[2] && warned(calls[2])).toEqual([]);
    const read = readRecord(caseFile('C61-look-alike-names'));
    expect(read.ok && read.record.warnings.filter(({ path }) => path.startsWith('pending_tool_calls[2]'))).toEqual([]);
  });

  test('hidden characters in name and id are named', () => {
    const call = { ...(calls[2] as PendingCall), name: 'web\u200b_search', id: 'a\u202eb' };
    expect(warned(call).map(([code]) => code)).toEqual([
      'hidden_characters',
      'looks_like',
      'hidden_characters',
      'reordering_characters',
    ]);
  });
});

describe('looks and scripts', () => {
  test.each([
    ['p\u0430ypal', 'paypal'],
    ['\u0440\u0430\u0443\u0440\u0430l', 'paypal'],
    ['scope', '\u0455\u0441\u043e\u0440\u0435'],
    ['rn', 'm'],
    ['l', '1'],
  ])('%s and %s look the same', (a, b) => expect(skeleton(a)).toBe(skeleton(b)));

  test('different names do not', () => {
    expect(skeleton('read_file')).not.toBe(skeleton('write_file'));
    expect(knownNames(['read_file']).like('read_file')).toEqual([]);
    expect(knownNames(['read_file']).like('write_file')).toEqual([]);
  });

  test.each(['read_file', 'чтение_файла', 'קרא', 'اقرأ', '読み込みfile', '파일file', 'naïve', 'Δ', 'µm', 'file2'])(
    'an honest name is not flagged: %s',
    (name) => expect(mixedScripts(name)).toBeNull(),
  );

  test.each(['re\u0430d', 'раypal', 'αlpha', 'caf\u0435', 'اقرأread'])('a mixed one is: %s', (name) =>
    expect(mixedScripts(name)?.length).toBe(2),
  );

  test('a text may hold words of several scripts; a word may not change its script', () => {
    expect(mixedWords('Привет, world! שלום and 東京 in Zürich', 5)).toEqual([]);
    expect(mixedWords('send to p\u0430yroll now', 5)).toEqual([
      { word: 'p\u0430yroll', scripts: ['Latin', 'Cyrillic'] },
    ]);
    expect(scriptsOf('1_2-3')).toEqual([]);
  });
});
