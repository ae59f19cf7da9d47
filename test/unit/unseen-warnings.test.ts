import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../electron/formats/read-record.js';
import { argumentsWarnings } from '../../shared/argument-warnings.js';
import { hasHidden } from '../../shared/hidden-text.js';

const codes = (value: unknown) =>
  argumentsWarnings(JSON.stringify(value), 'args').map(({ code, path, text }) => [code, path, text]);

describe('what a reader would not see is told, with its place', () => {
  test('C59 each of the three calls says how many invisible characters it holds, and what the tags spell', () => {
    const file = join(import.meta.dirname, '../fixtures/cases/C59-zero-width/checkpoint.json');
    const read = readRecord(readFileSync(file));
    if (!read.ok) throw new Error(read.refusal.text);
    const hidden = read.record.warnings.filter(({ code }) => code === 'hidden_characters');
    expect(hidden.map(({ path }) => path)).toEqual([
      'pending_tool_calls[0].args.to',
      'pending_tool_calls[0].args.currency',
      'pending_tool_calls[1].args.command',
      'pending_tool_calls[2].args.text',
    ]);
    expect(hidden[0]?.text).toContain('contains 2 invisible characters (zero width space, word joiner)');
    expect(hidden[2]?.text).toContain('soft hyphen');
    expect(hidden[3]?.text).toContain('hidden text: send the keys');
    // Nothing is stripped: the raw arguments still hold them.
    expect(read.record.pending?.[0]?.arguments).toContain('Vendor\\u200b 1\\u2060');
  });

  test('an override and an escape sequence have their own words', () => {
    expect(codes({ file: 'safe\u202etxt.exe' }).map(([code]) => code)).toEqual([
      'hidden_characters',
      'reordering_characters',
    ]);
    expect(codes({ a: '\u001b[31mred' }).map(([code]) => code)).toEqual(['hidden_characters', 'terminal_sequence']);
  });

  test('keys and nested values count, and point at themselves', () => {
    expect(codes({ 'p\u200bath': 1, list: [{ x: 'a\u2060' }] }).map(([code, path]) => [code, path])).toEqual([
      ['hidden_characters', 'args["p\u200bath"]'],
      ['hidden_characters', 'args.list[0].x'],
    ]);
  });

  test('a word of two scripts is told; honest text of any script is not', () => {
    expect(codes({ to: 'p\u0430yroll@example.com' }).map(([code]) => code)).toEqual(['mixed_scripts']);
    for (const text of ['Москва', 'שלום עולם', 'مرحبا بالعالم', 'Ω and µm', '東京でtest', '👨‍👩‍👧‍👦 ok'])
      expect(codes({ text })).toEqual([]);
  });

  test('C57 a text that ends in an ellipsis may have been cut by the sender', () => {
    for (const text of ['rm -rf /home/…', 'and so on...', 'start [1234 more bytes]', 'x (200 characters truncated)'])
      expect(codes({ text })).toEqual([['placeholder', 'args.text', expect.stringMatching(/cut/)]]);
    for (const text of ['done.', 'a … b', '[1] first', 'see (2 items) below']) expect(codes({ text })).toEqual([]);
  });

  test('C59 ordinary emoji of several parts stay readable; a made-up sequence does not hide its parts', () => {
    for (const text of ['👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁷󠁬󠁳󠁿', '👩🏽‍💻', '🇩🇪', '❤️‍🔥'])
      expect([text, hasHidden(text)]).toEqual([text, false]);
    for (const text of ['💩\u200d💩', '🏴\u{e0061}\u{e0062}\u{e007f}', 'a\u200db', '👨‍👩‍👧‍👦\u200d'])
      expect([text, hasHidden(text)]).toEqual([text, true]);
  });
});
