import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareDecimals } from '../../electron/checkpoints/rules/decimals.js';
import { argumentsHold, conditionFault, speaksOf } from '../../electron/checkpoints/rules/match.js';
import { type RuleCondition, RuleDraft } from '../../shared/rule.js';
import { exactly } from '../helpers/rules.js';

const holds = (conditions: RuleCondition[], text: string, others = false): boolean =>
  argumentsHold({ conditions, others }, text);
const equals = (pointer: string, value: string): RuleCondition => ({ pointer, test: 'equals', value });
const range = (min: string | null, max: string | null): RuleCondition => ({ pointer: '/n', test: 'range', min, max });
const prefix = (text: string): RuleCondition => ({ pointer: '/p', test: 'prefix', prefix: text });

describe('a condition holds to the letter, over the lossless JSON', () => {
  test.each<[string, RuleCondition, string, boolean]>([
    ['equal text', equals('/a', '"x"'), '{"a":"x"}', true],
    ['written otherwise', equals('/a', '"x"'), '{"a":"\\u0078"}', true],
    ['another text', equals('/a', '"x"'), '{"a":"X"}', false],
    ['a number as written', equals('/a', '1'), '{"a":1}', true],
    ['1.0 is not 1', equals('/a', '1'), '{"a":1.0}', false],
    ['a number is no text', equals('/a', '1'), '{"a":"1"}', false],
    ['past 2^53, the neighbour', equals('/a', '9007199254740993'), '{"a":9007199254740992}', false],
    ['not there', equals('/a', 'null'), '{}', false],
    ['null', equals('/a', 'null'), '{"a":null}', true],
    ['an object, in another order', equals('/a', '{"x":1,"y":2}'), '{"a":{"y":2,"x":1}}', true],
    ['deeper', equals('/a/0/b', 'true'), '{"a":[{"b":true}]}', true],
    ['deeper, beside what nobody named', equals('/a/0', '"ops"'), '{"a":["ops","evil"]}', false],
    ['deeper, beside an empty list', equals('/a/0', '1'), '{"a":[1],"b":[]}', false],
    ['no place of a list', equals('/a/01', '1'), '{"a":[0,1]}', false],
    ['escaped key', equals('/a~1b~0', '1'), '{"a/b~":1}', true],
    ['the whole', equals('', '{}'), '{}', true],
    ['one of', { pointer: '/a', test: 'one_of', values: ['"x"', '2'] }, '{"a":2}', true],
    ['none of', { pointer: '/a', test: 'one_of', values: ['"x"', '2'] }, '{"a":3}', false],
    ['within', range('1', '10'), '{"n":10}', true],
    ['above', range('1', '10'), '{"n":10.0000000000000000001}', false],
    ['below', range('1', null), '{"n":0.99999999999999999999}', false],
    ['by another way of writing', range('1', '10'), '{"n":1e1}', true],
    ['a text is no number', range('1', '10'), '{"n":"5"}', false],
    ['far beyond what is reckoned', range('1', null), '{"n":1e300}', true],
    ['a beginning', prefix('/srv/reports/'), '{"p":"/srv/reports/today.txt"}', true],
    ['another beginning', prefix('/srv/reports/'), '{"p":"/srv/report"}', false],
    ['a way up again', prefix('/srv/reports/'), '{"p":"/srv/reports/../../etc/passwd"}', false],
    ['a way up, otherwise written', prefix('/srv/reports/'), '{"p":"/srv/reports/%2e%2E%2fpasswd"}', false],
    ['a way up, with a tab in it', prefix('/srv/reports/'), '{"p":"/srv/reports/.\\t./x"}', false],
    ['a way up, encoded twice', prefix('/srv/reports/'), '{"p":"/srv/reports/%252e%252e/x"}', false],
    ['a way up before a query', prefix('https://x.example/a/'), '{"p":"https://x.example/a/..?q"}', false],
    ['a way up before a fragment', prefix('https://x.example/a/'), '{"p":"https://x.example/a/..#f"}', false],
    ['a way up, by backslashes', prefix('C:\\\\x\\\\'.replaceAll('\\\\', '\\')), '{"p":"C:\\\\x\\\\..\\\\y"}', false],
  ])('%s', (_, condition, text, expected) => {
    expect(holds([condition], text)).toBe(expected);
  });

  test('every condition must hold', () => {
    expect(holds([equals('/a', '1'), equals('/b', '2')], '{"a":1,"b":2}')).toBe(true);
    expect(holds([equals('/a', '1'), equals('/b', '2')], '{"a":1,"b":3}')).toBe(false);
  });

  test('an argument that no condition names keeps the rule from speaking, unless others may be there', () => {
    expect(holds([equals('/a', '1')], '{"a":1,"force":true}')).toBe(false);
    expect(holds([equals('/a', '1')], '{"a":1,"force":true}', true)).toBe(true);
    // Also within an argument of which only a part is named; one that is named as a whole is held against all of it.
    const part = equals('/pay/to', '"ops"');
    expect(holds([part], '{"pay":{"to":"ops"}}')).toBe(true);
    expect(holds([part], '{"pay":{"to":"ops","amount":999999}}')).toBe(false);
    expect(holds([part], '{"pay":{"to":"ops","amount":999999}}', true)).toBe(true);
    expect(holds([equals('/pay', '{"to":"ops","amount":5}')], '{"pay":{"to":"ops","amount":5}}')).toBe(true);
  });

  test.each([
    ['a key twice', '{"a":1,"a":1}'],
    ['a key twice, deeper', '{"a":1,"b":{"c":1,"c":2}}'],
    ['no JSON', '{"a":1'],
    ['text that holds an object', JSON.stringify('{"a":1}')],
    ['a list', '[1]'],
    ['more than anybody read', JSON.stringify({ a: 1, b: 'x'.repeat(70_000) })],
  ])('%s: no match', (_, text) => {
    expect(holds([equals('/a', '1')], text, true)).toBe(false);
    expect(holds([equals('', '[1]')], text, true)).toBe(false);
  });
});

describe('numbers are compared exactly', () => {
  test('as doubles where doubles can', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: -1e9, max: 1e9 }), (a, b) => {
        expect(Math.sign(compareDecimals(`${a / 1000}`, `${b / 1000}`) ?? 9)).toBe(Math.sign(a - b) || 0);
      }),
    );
  });
  test('and beyond', () => {
    expect(compareDecimals('9007199254740993', '9007199254740992')).toBe(1);
    expect(compareDecimals('1.50e3', '1500')).toBe(0);
    expect(compareDecimals('-0.1', '0')).toBe(-1);
    expect(compareDecimals('1'.repeat(500), '1')).toBeNull();
    expect(compareDecimals('1e9999', '1')).toBeNull();
  });
});

describe('source, server and tool are exact: no wildcards', () => {
  const rule = { ...exactly({ conditions: [equals('', '{}')] }), source: 'mail', server: 'fs', tool: 'send' };
  const call = { source: 'mail', server: 'fs', tool: 'send', arguments: '{}' };
  test.each([
    ['the same', {}, true],
    ['another source', { source: 'other' }, false],
    ['another server', { server: 'other' }, false],
    ['no server', { server: null }, false],
    ['a server that is not known', { server: undefined }, false],
    ['another tool', { tool: 'send2' }, false],
  ])('%s', (_, change, expected) => {
    expect(speaksOf(rule, { ...call, ...change })).toBe(expected);
  });
  test('a star stands for itself', () => {
    expect(speaksOf({ ...rule, tool: '*' }, call)).toBe(false);
    expect(speaksOf({ ...rule, source: '*' }, call)).toBe(false);
  });
});

describe('what a rule may say at all', () => {
  test.each<[string, RuleCondition, string | null]>([
    ['text without quotes', equals('/a', 'x'), 'no JSON value'],
    ['a range without bounds', range(null, null), 'needs a bound'],
    ['a range upside down', range('2', '1'), 'above the upper one'],
    ['an address that anybody can go on with', prefix('https://example.com'), 'whole host'],
    ['an address with its host', prefix('https://example.com/'), null],
  ])('%s', (_, condition, fault) => {
    const said = conditionFault([condition]);
    if (fault === null) expect(said).toBeNull();
    else expect(said).toContain(fault);
  });

  test.each([
    ['more than 90 days', { days: 91 }],
    ['no days', { days: 0 }],
    ['no limit', { limit: 0 }],
    ['no condition', { conditions: [] }],
    ['a pointer that is none', { conditions: [{ pointer: 'a', test: 'equals', value: '1' }] }],
    ['no name', { name: ' ' }],
  ])('%s is refused', (_, change) => {
    expect(RuleDraft.safeParse({ ...exactly(), ...change }).success).toBe(false);
    expect(RuleDraft.safeParse(exactly()).success).toBe(true);
  });
});
