import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotSerialisable, readJsonText, stringifyStrict } from '../../shared/json.js';
import { cyc, getter, shared } from '../fixtures/cases/C52-circular-placeholder/make.mjs';

describe('C52 nothing is written in place of what JSON cannot hold', () => {
  test('a cycle is a typed fault that names its place', () => {
    expect(() => stringifyStrict({ a: [cyc] })).toThrow(NotSerialisable);
    expect(() => stringifyStrict({ a: [cyc] })).toThrow('a[0].self cannot be written as JSON: a cycle');
  });

  test('the same object twice is fine', () => {
    expect(stringifyStrict(shared)).toBe('{"a":{"k":1},"b":{"k":1}}');
  });

  test('a getter that throws is a typed fault', () => {
    expect(() => stringifyStrict(getter)).toThrow(NotSerialisable);
  });

  test.each([
    ['a function', () => 1],
    ['undefined', undefined],
    ['a symbol', Symbol('s')],
    ['a bigint', 10n],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['a lone surrogate', 'x\ud83d'],
  ])('%s', (_, value) => {
    expect(() => stringifyStrict({ deep: [1, value] })).toThrow(NotSerialisable);
  });

  test('a hole in a list, and nesting that no reader takes', () => {
    expect(() => stringifyStrict(new Array(2))).toThrow(NotSerialisable);
    let deep: unknown = 1;
    for (let level = 0; level < 128; level++) deep = [deep];
    expect(() => stringifyStrict(deep)).toThrow('nested deeper');
  });
});

test('what is written is what JSON.stringify writes, and the strict reader takes it back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = stringifyStrict(value);
      expect(readJsonText(text).ok).toBe(true);
      expect(JSON.parse(text)).toEqual(value);
      expect(text.replaceAll('-0', '0')).toBe(JSON.stringify(value).replaceAll('-0', '0'));
    }),
  );
});
