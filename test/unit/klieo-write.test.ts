import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { klieo } from '../../electron/formats/klieo.js';
import { readRecord } from '../../electron/formats/read-record.js';

const FIXTURES = new URL('../fixtures/', import.meta.url);
const fixture = (file: string): Uint8Array => readFileSync(new URL(`klieo/${file}`, FIXTURES));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function recordOf(bytes: Uint8Array) {
  const read = readRecord(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.record;
}

describe('I6 latching changes the one flag', () => {
  const space = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
  const unknown = fc.tuple(
    fc.constantFrom('zz', 'review_item_id', 'resume_attempted2', '\\u0072esume'),
    fc.constantFrom('1.0', '[{"resume_attempted":false}]', '"é\\ud83d\\udca9"', '1e16'),
  );

  test('whatever else is in the text, in any layout and key order', () => {
    fc.assert(
      fc.property(
        space,
        fc.uniqueArray(unknown, { selector: ([key]) => key }),
        fc.constantFrom(true, false, null),
        fc.infiniteStream(fc.nat()),
        (gap, extra, flag, random) => {
          const fields: [string, string][] = [
            ['run_id', '"01K0QZ6V5M3H8D7N2B4C9F1XGA"'],
            ['step_index', '2'],
            ['thread_id', '"resume_attempted"'],
            ['messages', '[]'],
            [
              'pending_tool_calls',
              '[{"id":"a","name":"x","args":{"resume_attempted":false,"n":9007199254740993,"n2":1.0}}]',
            ],
            ['created_at', '"2026-07-20T09:14:03Z"'],
            ...extra,
            ...(flag === null ? [] : [['resume_attempted', String(flag)] satisfies [string, string]]),
          ];
          const shuffled = fields
            .map((field) => ({ field, at: random.next().value }))
            .toSorted((a, b) => a.at - b.at)
            .map(({ field }) => field);
          const write = (list: [string, string][]) =>
            `{${gap}${list.map(([key, value]) => `"${key}"${gap}:${gap}${value}`).join(`,${gap}`)}${gap}}`;
          const latched = textOf(klieo.latchedView(bytesOf(write(shuffled))));
          if (flag === null)
            expect(latched).toBe(write(shuffled).replace('"created_at"', '"resume_attempted":true,"created_at"'));
          else
            expect(latched).toBe(
              write(shuffled.map(([key, value]) => [key, key === 'resume_attempted' ? 'true' : value])),
            );
          expect(recordOf(bytesOf(latched)).state).toBe('latched');
          expect(textOf(klieo.latchedView(bytesOf(latched)))).toBe(latched);
        },
      ),
    );
  });

  test('an unreadable record is a fault of the caller, not a guess', () => {
    expect(() => klieo.latchedView(fixture('07-corrupt-not-json.json'))).toThrow('not a readable klieo record');
  });
});

describe('writeContinued', () => {
  const bytes = fixture('01-first-attempt-one-pending.json');
  const before = recordOf(bytes);

  test('J1 J2 compact, keys in declared order, raw arguments kept, a fresh latch (K4)', () => {
    const text = textOf(
      klieo.writeContinued(bytes, {
        messages: [
          { role: 'user', content: 'a\u2028<b>"\u0001é', toolCalls: [], toolCallId: null },
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id: 'n1', name: 'x', arguments: '{"n":1.0, "m":9007199254740993}' }],
            toolCallId: null,
          },
        ],
        pending: [{ index: 0, id: 'n1', name: 'x', arguments: '{"n":1.0, "m":9007199254740993}' }],
        step: 3,
        createdAt: '2026-07-20T10:00:00.500Z',
      }),
    );
    expect(text).toBe(
      `{"run_id":"${before.runId}","step_index":3,"thread_id":${JSON.stringify(before.threadId)},"messages":[` +
        '{"role":"user","content":"a\u2028<b>\\"\\u0001é","tool_calls":[],"tool_call_id":null},' +
        '{"role":"assistant","content":"","tool_calls":[{"id":"n1","name":"x","args":{"n":1.0, "m":9007199254740993}}],"tool_call_id":null}],' +
        '"pending_tool_calls":[{"id":"n1","name":"x","args":{"n":1.0, "m":9007199254740993}}],' +
        '"resume_attempted":false,"created_at":"2026-07-20T10:00:00.500Z"}',
    );
  });

  test('an accepted fixture written again is the same bytes', () => {
    for (const file of [
      '01-first-attempt-one-pending.json',
      '02-parallel-three-pending.json',
      '03-no-pending.json',
      '11-big-integer-args.json',
      '12-nanosecond-created-at.json',
      '17-pending-empty-list.json',
      '20-old-abandoned.json',
    ]) {
      const original = fixture(file);
      const { messages, pending, resumeStep, createdAt } = recordOf(original);
      const again = klieo.writeContinued(original, { messages, pending, step: resumeStep, createdAt: createdAt ?? '' });
      expect(textOf(again)).toBe(textOf(original));
    }
  });

  test('what a model may write never makes a record that cannot be read', () => {
    const odd = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc.constantFrom(
        '',
        '1],[2',
        '{"a":1}}',
        '{"a":1,"a":2}',
        '['.repeat(126) + ']'.repeat(126),
        '1e400',
        '"\\ud83d"',
      ),
    );
    fc.assert(
      fc.property(odd, odd, (content, written) => {
        const call = { id: null, name: content, arguments: written };
        const messages = [{ role: 'assistant' as const, content, toolCalls: [call], toolCallId: null }];
        const next = klieo.writeContinued(bytes, {
          messages,
          pending: [{ index: 0, ...call }],
          step: 4,
          createdAt: '2026-07-20T10:00:00Z',
        });
        const record = recordOf(next);
        expect(record.pending).toHaveLength(1);
        expect(record.resumeStep).toBe(4);
      }),
      { numRuns: 1000 },
    );
  });
});
