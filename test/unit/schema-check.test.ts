import { describe, expect, test } from 'vitest';
import { schemaFaults, schemaWords } from '../../electron/checkpoints/schema-check.js';

const words = (schema: unknown, text: string): string | null => schemaWords(schemaFaults(JSON.stringify(schema), text));

const TRANSFER = {
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 1000 },
    mode: { enum: ['dry', 'real'] },
    id: { type: 'integer' },
    to: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', maxLength: 3 } } } },
  },
  required: ['limit'],
  additionalProperties: false,
};

describe('what does not fit is said with its place', () => {
  test.each<[string, string | null]>([
    ['{"limit":10,"mode":"dry"}', null],
    ['{"limit":10,"id":2512292042121000001}', null],
    ['{"limit":1001}', 'limit: 1001 is greater than 1000'],
    ['{"limit":1.5}', 'limit: is of type number, expected "integer"'],
    ['{"mode":"dry"}', 'does not have required property "limit"'],
    ['{"limit":1,"mode":"wild"}', 'mode: does not match any of ["dry","real"]'],
    ['{"limit":1,"other":1}', 'other: the tool knows no such argument'],
    ['{"limit":1,"to":[{"name":"Ada"},{"name":"Grace"}]}', 'to[1].name: String is too long (5 > 3)'],
    [
      '{"limit":"1","mode":1}',
      'limit: is of type string, expected "integer"; mode: does not match any of ["dry","real"]',
    ],
  ])('%s', (text, expected) => {
    expect(words(TRANSFER, text)).toBe(expected);
  });

  test.each<[string, unknown, string, boolean]>([
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition', { if: { properties: { a: { const: 1 } } }, then: { required: ['b'] } }, '{"a":1}', false],
    ['not', { not: { required: ['b'] } }, '{"b":1}', false],
    ['one that needs another', { dependentRequired: { a: ['b'] } }, '{"a":1}', false],
    [
      'all of, beside its own',
      { allOf: [{ properties: { a: { type: 'string' } } }], properties: { b: {} } },
      '{"a":1}',
      false,
    ],
    ['no type said', { properties: { a: { minimum: 5 } } }, '{"a":3}', false],
    ['a reference', { properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { maxLength: 2 } } }, '{"a":"xxx"}', false],
    ['an older draft', { $schema: 'http://json-schema.org/draft-07/schema#', required: ['a'] }, '{}', false],
    ['one of two', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, '{"a":1}', true],
    ['one of two, both', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, '{"a":1,"b":1}', false],
    ['a property that is called pattern', { properties: { pattern: { type: 'string' } } }, '{"pattern":1}', false],
    ['a property that is called type', { properties: { type: { type: 'string' } } }, '{"type":1}', false],
    ['a property that is called type, right', { properties: { type: { type: 'string' } } }, '{"type":"x"}', true],
  ])('%s', (_, schema, text, fits) => {
    expect(words(schema, text) === null).toBe(fits);
  });
});

describe('a schema that is hostile checks nothing, and ends', () => {
  test.each<[string, unknown]>([
    ['none', null],
    ['a number', 7],
    ['a type that is none', { type: 'nonsense' }],
    ['an address', { $ref: 'https://example.invalid/x' }],
    ['itself', { $ref: '#' }],
    ['a regular expression', { properties: { a: { pattern: '(a+)+$' } } }],
    ['keys by a regular expression', { patternProperties: { '^(a+)+$': { type: 'number' } } }],
  ])('%s', (_, schema) => {
    expect(words(schema, `{"a":"${'a'.repeat(60)}!"}`)).toBeNull();
  });

  test('a tree of references that doubles at each step', () => {
    const $defs: Record<string, unknown> = { d40: { type: 'object' } };
    for (let i = 0; i < 40; i++) {
      const next = { $ref: `#/$defs/d${i + 1}` };
      $defs[`d${i}`] = { allOf: [next, next] };
    }
    expect(words({ $ref: '#/$defs/d0', $defs }, '{"a":1}')).toBeNull();
  });

  test('no text is no JSON value', () => {
    expect(schemaFaults('{"type":"object"}', '{"a":')).toEqual([]);
    expect(schemaFaults('no schema', '{"a":1}')).toEqual([]);
  });
});
