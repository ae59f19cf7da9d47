import fc from 'fast-check';
import { expect, it } from 'vitest';
import { HeadMeta, mayAskFor, readHeadMeta } from '../../electron/checkpoints/head.js';

const PLAIN = {
  c: '1784538843482917000',
  t: '1784538843482917000',
  s: 2,
  th: 'desk-1',
  to: ['delete_file'],
  n: 1,
  d: 'ab',
  r: 'here',
  f: 'waiting',
  p: '{"n":1}',
  re: null,
  l: null,
  w: null,
  sb: null,
  co: null,
};
const MORE = {
  cr: 'klieo:local:1',
  ln: { i: 'x', r: null },
  cl: 'finished; nothing to decide',
  go: true,
  a: 'abc',
  l: { k: 'here', b: 'Ada', a: '2026-01-01T00:00:00Z', di: null },
  sb: 2,
  co: 1,
  end: { status: 'expired', at: '2026-01-01T00:00:00Z' },
};
/** Values that belong nowhere, or somewhere else. */
const ODD = [null, undefined, 0, 1.5, 2 ** 60, '', 'here', [], [1], {}, true, { k: 'here' }];

it('what the index keeps of a head is read as its schema says, whatever stands in it', () => {
  const names = [...Object.keys(PLAIN), ...Object.keys(MORE), 'unknown'];
  const change = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...ODD, ...Object.values(MORE)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 3 }), fc.subarray(Object.keys(MORE)), (changes, added) => {
      const meta: Record<string, unknown> = { ...PLAIN };
      for (const name of added) meta[name] = MORE[name as keyof typeof MORE];
      for (const [name, value] of changes) meta[name] = value;
      const text = JSON.stringify(meta);
      expect(readHeadMeta(text)).toEqual(HeadMeta.safeParse(JSON.parse(text)).data ?? null);
    }),
    { numRuns: 2000 },
  );
});

it('a text that is none of ours is nothing', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(readHeadMeta(`${JSON.stringify(PLAIN).slice(0, -1)},"${name}":1}`)).toBeNull();
  for (const text of ['', 'null', '[]', '7', '{', '{"c":null}']) expect(readHeadMeta(text)).toBeNull();
});

it('a tool is found by a long name, as heads cut it now and as they did before', () => {
  const tool = `mcp__billing__${'x'.repeat(26)}`;
  const meta = (to: string[]): HeadMeta => HeadMeta.parse({ ...PLAIN, to });
  expect(mayAskFor(meta([tool]), tool)).toBe(true);
  expect(mayAskFor(meta([`${tool.slice(0, 31)}…`]), tool)).toBe(true);
  expect(mayAskFor(meta(['other']), tool)).toBe(false);
  const longer = 'y'.repeat(80);
  expect(mayAskFor(meta([`${longer.slice(0, 63)}…`]), longer)).toBe(true);
});
