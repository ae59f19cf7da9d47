import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { argumentsWarnings } from '../../shared/argument-warnings.js';
import { checkEdit, editOneValue, sendable } from '../../shared/arguments.js';

const c20 = JSON.parse(
  readFileSync(new URL('../fixtures/cases/C20-edit-loses-types/checkpoint.json', import.meta.url), 'utf8'),
);
/** The arguments of C20 as its record writes them, `1.0` included. */
const C20 = JSON.stringify(c20.pending_tool_calls[0].args).replace('"ratio":1,', '"ratio":1.0,');

function textOf(outcome: ReturnType<typeof checkEdit>): string {
  return outcome.ok ? 'accepted' : `${outcome.refusal.code}: ${outcome.refusal.text}`;
}

describe('what a tool server gets', () => {
  test.each<[string, string, string]>([
    ['{"a":1.0, "b": 9007199254740993}', '{"a":1.0, "b": 9007199254740993}', 'as_written'],
    [' {} ', ' {} ', 'as_written'],
    ['""', '{}', 'empty_object'],
    ['', '{}', 'empty_object'],
    ['null', '{}', 'empty_object'],
    ['"{\\"to\\":\\"Vendor 1\\",\\"n\\":1.0}"', '{"to":"Vendor 1","n":1.0}', 'decoded_once'],
    ['"{}"', '{}', 'decoded_once'],
  ])('C47 C50 C56 %s', (written, text, as) => {
    expect(sendable(written)).toEqual({ ok: true, text, as });
  });

  test.each<[string, string]>([
    ['"Berlin"', 'a string'],
    ['["Berlin"]', 'a list'],
    ['7', 'a number'],
    ['true', 'a boolean'],
    ['"\\"{\\\\\\"to\\\\\\":\\\\\\"V\\\\\\"}\\""', 'a string'],
    ['"null"', 'a string'],
    ['"[1]"', 'a string'],
    ['" "', 'a string'],
    ['{"a":', 'not JSON'],
    ['{"a":1e400}', 'not JSON'],
  ])('C56 %s cannot be sent', (written, words) => {
    const sent = sendable(written);
    expect(sent).toMatchObject({ ok: false, as: 'not_sendable' });
    expect(!sent.ok && sent.reason).toContain(words);
  });
});

describe('warnings', () => {
  const codes = (written: string) =>
    argumentsWarnings(written, 'args').map(({ code, path, blocksApproval }) => [code, path, blocksApproval]);

  test('plain arguments have none', () => {
    expect(codes('{"a":1.5,"b":["x"],"c":9007199254740991,"d":1e300,"e":12345678901234567890.5}')).toEqual([]);
  });

  test('duplicate keys block, inside an encoded text too', () => {
    expect(codes('{"a":{"b":1,"b":2}}')).toEqual([['duplicate_key', 'args.a', true]]);
    expect(codes('"{\\"b\\":1,\\"b\\":2}"')).toEqual([
      ['duplicate_key', 'args', true],
      ['arguments_encoded', 'args', false],
    ]);
  });

  test.each(['9007199254740992', '-9007199254740993', '18446744073709551615'])('C50 %s is past 2^53', (text) => {
    expect(codes(`{"n":${text}}`)).toEqual([['integer_past_2_53', 'args.n', false]]);
  });

  test.each([
    '[Circular]',
    '[Circular *1]',
    '[Truncated]',
    '[Object]',
    '[object Object]',
    '[Array]',
    'a long text [truncated]',
  ])('C52 %s: the producer may have cut data', (text) => {
    expect(codes(JSON.stringify({ list: [text] }))).toEqual([['placeholder', 'args.list[0]', false]]);
  });

  test('C52 an ordinary text in brackets is none', () => {
    expect(codes('{"a":"[Object] of interest","b":"[ERROR] failed","c":"array"}')).toEqual([]);
  });

  test('many of one kind are folded into a number', () => {
    const warnings = argumentsWarnings(JSON.stringify(Array.from({ length: 50 }, () => '[Circular]')), 'args');
    expect(warnings.filter(({ code }) => code === 'placeholder')).toHaveLength(21);
    expect(warnings[20]?.text).toContain('and 30 more');
    const keys = Array.from({ length: 40 }, (_, i) => `"k${i}":1,"k${i}":2`).join(',');
    expect(argumentsWarnings(`{${keys}}`, 'args').every((warning) => warning.blocksApproval)).toBe(true);
  });
});

describe('C20 edits keep types', () => {
  test('one value is changed in the text, every other byte stays', () => {
    const edited = editOneValue(C20, ['table'], '"events_2024"');
    expect(edited).toEqual({ ok: true, value: C20.replace('"events"', '"events_2024"') });
    if (edited.ok) expect(checkEdit(C20, edited.value)).toEqual({ ok: true, value: { text: edited.value } });
    const nested = editOneValue(C20, ['where', 'age_days', 'gt'], '30');
    expect(nested).toEqual({ ok: true, value: C20.replace('"gt":90', '"gt":30') });
  });

  test.each<[string, string, string]>([
    ['limit', '"500"', 'limit was of type number and is now of type string'],
    ['dry_run', '"false"', 'dry_run was of type boolean and is now of type string'],
    ['tag', '"null"', 'tag was of type null and is now of type string'],
    ['code', '7', 'code was of type string and is now of type number'],
    ['note', 'true', 'note was of type string and is now of type boolean'],
    ['where', '"[object Object]"', 'where was of type object and is now of type string'],
  ])('%s as %s is refused with its path', (key, value, words) => {
    const edited = editOneValue(C20, [key], value);
    if (!edited.ok) throw new Error(edited.refusal.text);
    const outcome = checkEdit(C20, edited.value);
    expect(textOf(outcome)).toContain('invalid_edit');
    expect(textOf(outcome)).toContain(words);
    expect(checkEdit(C20, edited.value, { allowTypeChange: true }).ok).toBe(true);
    // Confirmed by name: exactly this change, and no other one with it.
    const refused = checkEdit(C20, edited.value);
    const changes = refused.ok ? [] : (refused.refusal.facts['changes'] as string[]);
    expect(changes).toHaveLength(1);
    expect(checkEdit(C20, edited.value, { typesConfirmed: changes }).ok).toBe(true);
    expect(checkEdit(C20, edited.value, { typesConfirmed: ['other: number → string'] }).ok).toBe(false);
    expect(checkEdit(C20, C20.replace('"events"', '"e"'), { typesConfirmed: changes }).ok).toBe(false);
  });

  test.each<[string, string]>([
    ['{"a":1', 'not valid JSON'],
    ['{"a":1,"a":2}', 'duplicate key a'],
    ['{"a":{"\\u0062":1,"b":2}}', 'duplicate key b in a'],
    ['[1]', 'no object'],
    ['"x"', 'no object'],
    ['{"a":1e400}', 'out of range'],
  ])('%s is refused', (edited, words) => {
    expect(textOf(checkEdit('{"a":1}', edited, { allowTypeChange: true }))).toContain(words);
  });

  test('R12 where any value may stand for the whole, it may be of another type; what stands inside of both keeps its own', () => {
    const any = { anyValue: true };
    for (const [was, is] of [
      ['{"a":1}', '[1.0]'],
      ['{"a":1}', '"x"'],
      ['3', '{"a":1}'],
      ['"{\\"a\\":1}"', '{"a":"1"}'],
    ] as const)
      expect(checkEdit(was, is, any)).toEqual({ ok: true, value: { text: is } });
    expect(textOf(checkEdit('{"a":1}', '{"a":"1"}', any))).toContain('a was of type number');
    expect(textOf(checkEdit('[1]', '["1"]', any))).toContain('[0] was of type number');
    for (const broken of ['', '{"a":1', '{"a":1,"a":2}']) expect(checkEdit('{"a":1}', broken, any).ok).toBe(false);
  });

  test('an edit equal to the original is fine, whatever it is', () => {
    for (const text of ['7', '""', '{"a":1,"a":2}']) expect(checkEdit(text, text).ok).toBe(true);
  });

  test('keys may be added and left out', () => {
    expect(checkEdit('{"a":1,"b":"x"}', '{"b":"y","c":[null]}').ok).toBe(true);
  });

  test('an empty or encoded original is edited into the object that would be sent', () => {
    expect(checkEdit('""', '{"a":1}').ok).toBe(true);
    expect(textOf(checkEdit('"{\\"a\\":1}"', '{"a":"1"}'))).toContain('a was of type number');
  });

  test('no edit of one value touches another', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
        fc.nat(),
        (value, pick) => {
          const text = JSON.stringify(value, null, 1);
          const keys = Object.keys(JSON.parse(text));
          const key = keys[pick % keys.length] ?? '';
          const edited = editOneValue(text, [key], '"new"');
          if (!edited.ok) throw new Error(edited.refusal.text);
          const expected = new Map(Object.entries(JSON.parse(text))).set(key, 'new');
          expect(new Map(Object.entries(JSON.parse(edited.value)))).toEqual(expected);
        },
      ),
    );
  });

  test.each<[string, (string | number)[]]>([
    ['{"a":1}', ['b']],
    ['{"a":1,"a":2}', ['a']],
    ['[1]', [3]],
    ['{"a":1}', ['a', 'b']],
  ])('no single value at the path: %s %j', (text, path) => {
    expect(editOneValue(text, path, '1')).toMatchObject({ ok: false, refusal: { code: 'invalid_edit' } });
  });

  test('the new value is one JSON value, not a way to write more', () => {
    expect(editOneValue('{"a":1}', ['a'], '1,"b":2').ok).toBe(false);
  });
});
