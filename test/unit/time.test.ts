import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatNs, parseTime } from '../../shared/time.js';

function nsOf(text: string): bigint {
  const time = parseTime(text);
  if (!time.ok) throw new Error(time.reason);
  return time.ns;
}

const reasonOf = (text: string): string => {
  const time = parseTime(text);
  return time.ok ? `accepted as ${formatNs(time.ns)}` : time.reason;
};

describe('J9 reading', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['1969-12-31T23:59:59.999999999Z', -1n],
    ['2026-07-20T09:14:03.482917651Z', 1784538843482917651n],
    ['2026-07-20T11:14:03.482917651+02:00', 1784538843482917651n],
    ['2026-07-20 09:14:03.482917651Z', 1784538843482917651n],
    ['2026-07-20T09:14:03.4829176519999Z', 1784538843482917651n],
    ['2026-07-20T09:14:03.5Z', 1784538843500000000n],
    ['2026-07-20T09:13:60Z', 1784538840000000000n],
    ['2016-12-31T23:59:60.25Z', 1483228800250000000n],
    ['2026-07-20T09:14:03-00:00', 1784538843000000000n],
    ['+10000-01-01T00:00:00Z', 253402300800000000000n],
    ['-0001-12-31T00:00:00Z', -62167305600000000000n],
    ['0000-02-29T00:00:00Z', -62162121600000000000n],
  ])('%s', (text, ns) => {
    expect(nsOf(text)).toBe(ns);
  });

  test.each([
    ['2026-03-01T12:00:00', 'no time zone in the record'],
    ['2026-03-01T12:00:00.123', 'no time zone in the record'],
    ['2026-03-01T12:00Z', 'no seconds'],
    ['2026-03-01', 'no time of day'],
    ['2026-03-01Z', 'no time of day'],
    ['1784538843', 'not a date and time'],
    ['', 'not a date and time'],
    ['10000-01-01T00:00:00Z', 'not a date and time'],
    ['2026-02-29T00:00:00Z', 'no day 29 in month 2 of 2026'],
    ['1900-02-29T00:00:00Z', 'no day 29'],
    ['2026-04-31T00:00:00Z', 'no day 31'],
    ['2026-13-01T00:00:00Z', 'no month 13'],
    ['2026-00-01T00:00:00Z', 'no month 0'],
    ['2026-01-00T00:00:00Z', 'no day 0'],
    ['2026-01-01T24:00:00Z', 'no time 24:00:00'],
    ['2026-01-01T00:60:00Z', 'no time 00:60:00'],
    ['2026-01-01T00:00:61Z', 'no time 00:00:61'],
    ['2026-01-01t00:00:00Z', 'no time of day'],
    ['2026-01-01T00:00:00z', 'not a time zone'],
    ['2026-01-01T00:00:00+0000', 'not a time zone'],
    ['2026-01-01T00:00:00+00', 'not a time zone'],
    ['2026-01-01T00:00:00+24:00', 'not a time zone'],
    ['2026-01-01T00:00:00.Z', 'not a time zone'],
    ['2026-01-01T00:00:00 UTC', 'not a time zone'],
    ['2026-01-01T00:00:00Z ', 'not a time zone'],
    [' 2026-01-01T00:00:00Z', 'not a date and time'],
    ['+999999-01-01T00:00:00Z', 'out of range'],
  ])('%j is refused', (text, words) => {
    expect(reasonOf(text)).toContain(words);
  });
});

describe('J9 writing', () => {
  test.each([
    [0n, '1970-01-01T00:00:00Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
    [500_000_000n, '1970-01-01T00:00:00.500Z'],
    [500_000n, '1970-01-01T00:00:00.000500Z'],
    [500n, '1970-01-01T00:00:00.000000500Z'],
    [1784538843482917000n, '2026-07-20T09:14:03.482917Z'],
    [253402300800000000000n, '+10000-01-01T00:00:00Z'],
    [-62167305600000000000n, '-0001-12-31T00:00:00Z'],
  ])('%s', (ns, text) => {
    expect(formatNs(ns)).toBe(text);
  });

  test('what is written is read back, for any instant', () => {
    const instants = fc.bigInt({ min: -8_000_000_000_000_000_000_000n, max: 8_000_000_000_000_000_000_000n });
    fc.assert(
      fc.property(instants, (ns) => nsOf(formatNs(ns)) === ns),
      { numRuns: 2000 },
    );
  });

  test('agrees with the calendar of Date', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (ms) => {
        const expected = new Date(ms).toISOString().replace('.000Z', 'Z');
        expect(formatNs(BigInt(ms) * 1_000_000n)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('C71 the same under any TZ', () => {
  const times = ['a-naive', 'b-offset', 'c-neg', 'd-dst', 'e-z'].map((name) => {
    const file = new URL(`../fixtures/cases/C71-naive-and-offset-times/${name}.json`, import.meta.url);
    return String(JSON.parse(readFileSync(file, 'utf8')).created_at);
  });

  test('b, c and e are one instant; a and d have no time zone', () => {
    const [a = '', b = '', c = '', d = '', e = ''] = times;
    expect(nsOf(b)).toBe(nsOf(e));
    expect(nsOf(c)).toBe(nsOf(e));
    expect(reasonOf(a)).toContain('no time zone in the record');
    expect(reasonOf(d)).toContain('no time zone in the record');
  });

  test.each(['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati'])('TZ=%s', (zone) => {
    const before = process.env['TZ'];
    try {
      process.env['TZ'] = zone;
      // The zone took hold: this is what a reader that asks the machine would get.
      const offset = new Date('2026-03-01T12:00:00').getTimezoneOffset();
      expect(offset).toBe({ UTC: 0, 'America/New_York': 300, 'Asia/Kolkata': -330, 'Pacific/Kiritimati': -840 }[zone]);
      expect(times.map((text) => reasonOf(text).replace(/^".*?": /, ''))).toEqual([
        'no time zone in the record',
        'accepted as 2026-03-01T12:00:00Z',
        'accepted as 2026-03-01T12:00:00Z',
        'no time zone in the record',
        'accepted as 2026-03-01T12:00:00Z',
      ]);
    } finally {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    }
  });
});
