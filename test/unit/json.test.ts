import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonNode, member, patchText, raw, readJson, readJsonText } from '../../shared/json.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What `JSON.parse` would make of a tree: numbers as doubles, the last of equal keys. */
function lossy(node: JsonNode): unknown {
  if (node.kind === 'object') return Object.fromEntries(node.entries.map(({ key, value }) => [key, lossy(value)]));
  if (node.kind === 'array') return node.items.map(lossy);
  if (node.kind === 'number') return Number(node.text);
  return node.kind === 'null' ? null : node.value;
}

function faultOf(text: string) {
  const read = readJsonText(text);
  if (read.ok) throw new Error(`accepted: ${text}`);
  return read.fault;
}

function rootOf(text: string): JsonNode {
  const read = readJsonText(text);
  if (!read.ok) throw new Error(read.fault.text);
  return read.root;
}

function everyNode(node: JsonNode): JsonNode[] {
  const children =
    node.kind === 'object' ? node.entries.map(({ value }) => value) : node.kind === 'array' ? node.items : [];
  return [node, ...children.flatMap(everyNode)];
}

describe('agrees with JSON.parse', () => {
  test('on any value, compact or laid out', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(lossy(rootOf(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  test('on what is refused: text that JSON.parse refuses is refused here', () => {
    const scrap = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        'u',
        '0',
        '1',
        '-',
        '.',
        'e',
        'true',
        'null',
        ' ',
        '\n',
        'a',
      ),
      maxLength: 14,
    });
    fc.assert(
      fc.property(scrap, (text) => {
        let parsed: { value: unknown } | null;
        try {
          parsed = { value: JSON.parse(text) };
        } catch {
          parsed = null;
        }
        const read = readJsonText(text);
        if (parsed === null) expect(read.ok).toBe(false);
        else if (read.ok) expect(lossy(read.root)).toEqual(parsed.value);
        else expect(['lone_surrogate', 'number_overflow', 'bom']).toContain(read.fault.code);
      }),
      { numRuns: 5000 },
    );
  });

  test('on one valid text with one character changed', () => {
    const edit = fc.tuple(
      fc.jsonValue({ maxDepth: 3 }),
      fc.nat(),
      fc.constantFrom('"', '}', ']', ',', '0', '\\', ' ', '\u0001', ''),
    );
    fc.assert(
      fc.property(edit, ([value, at, piece]) => {
        const whole = JSON.stringify(value);
        const text = whole.slice(0, at % whole.length) + piece + whole.slice((at % whole.length) + 1);
        const read = readJsonText(text);
        if (read.ok) expect(lossy(read.root)).toEqual(JSON.parse(text));
        else if (!['lone_surrogate', 'number_overflow'].includes(read.fault.code))
          expect(() => JSON.parse(text)).toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});

describe('keeps the text (I6)', () => {
  test('every span is its value as written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 2), (value, space) => {
        const text = JSON.stringify(value, null, space);
        for (const node of everyNode(rootOf(text))) {
          expect(lossy(rootOf(raw(text, node)))).toEqual(lossy(node));
          if (node.kind !== 'object') continue;
          for (const entry of node.entries)
            expect(JSON.parse(text.slice(entry.keyStart, entry.keyEnd))).toBe(entry.key);
        }
      }),
    );
  });

  test.each([
    '2512292042121000001',
    '-9007199254740993',
    '1.0',
    '-0.0',
    '1e16',
    '0.1000000000000000055511151231257827',
    '-0',
  ])('number %s stays as written', (text) => {
    expect(rootOf(` ${text} `)).toEqual({ kind: 'number', start: 1, end: 1 + text.length, text });
  });

  test('a patch changes one value and nothing else', () => {
    const text = '{ "a" : 1.0,\r\n "flag":false , "b":[9007199254740993] }';
    const flag = member(rootOf(text), 'flag');
    expect(flag && patchText(text, flag, 'true')).toBe(text.replace('false', 'true'));
  });

  test('member takes the last of equal keys, and nothing from what is no object', () => {
    expect(member(rootOf('{"a":1,"a":2}'), 'a')).toMatchObject({ text: '2' });
    expect(member(rootOf('[1]'), '0')).toBeUndefined();
  });
});

describe('J7 refused where JSON.parse is lenient', () => {
  test.each(['1e400', '-1e309', `1${'0'.repeat(309)}`, '[1.5e999]'])('number out of range: %s', (text) => {
    expect(faultOf(text)).toMatchObject({ code: 'number_overflow' });
  });

  test('a long integer inside the range of a double is kept', () => {
    expect(rootOf('9'.repeat(308))).toMatchObject({ kind: 'number', text: '9'.repeat(308) });
    expect(rootOf('1e-400')).toMatchObject({ text: '1e-400' });
  });

  test.each([
    ['{"a":{"b":"x\\ud83d y"}}', 'a.b', 'U+D83D', 13],
    ['["\\udca9"]', '[0]', 'U+DCA9', 3],
    ['["\\ud83d\\u0041"]', '[0]', 'U+D83D', 3],
    ['["\ud83d"]', '[0]', 'U+D83D', 3],
    ['["\udca9\ud83d"]', '[0]', 'U+DCA9', 3],
    ['["\\ud83d\udca9"]', '[0]', 'U+D83D', 3],
    ['{"\\ud800":1}', '', 'U+D800', 3],
  ])('lone surrogate in %s, with its place', (text, path, name, column) => {
    const fault = faultOf(text);
    expect(fault).toMatchObject({ code: 'lone_surrogate', path, line: 1, column });
    expect(fault.text).toContain('lone surrogate');
    expect(fault.text).toContain(name);
  });

  test('a pair is one character in either spelling', () => {
    expect(rootOf('"\\ud83d\\udca9\ud83d\udca9"')).toMatchObject({ value: '💩💩' });
  });

  test('127 levels are read, 128 are not', () => {
    expect(readJsonText('['.repeat(127) + ']'.repeat(127)).ok).toBe(true);
    expect(readJsonText(`${'{"a":'.repeat(127)}1${'}'.repeat(127)}`).ok).toBe(true);
    expect(faultOf('['.repeat(128) + ']'.repeat(128))).toMatchObject({ code: 'too_deep', column: 128 });
  });

  test.each(['[', '{"a":', '[{"a":['])('a hundred thousand times %s is too deep, not a stack overflow', (piece) => {
    expect(faultOf(piece.repeat(100_000)).code).toBe('too_deep');
  });
});

describe('refused with words and a place', () => {
  test.each([
    ['', 'empty', 'empty (0 bytes)'],
    [' \n\t\n', 'empty', 'only white space'],
    ['{"a":1', 'truncated', 'a comma or }'],
    ['["abc', 'truncated', 'inside a string'],
    ['["a\\', 'truncated', 'inside a string'],
    ['["a\\u00', 'truncated', 'inside a string'],
    ['[-', 'truncated', 'inside a number'],
    ['{"a"', 'truncated', 'a colon'],
    ['{} x', 'trailing', '"x" stands after the end'],
    ['{}{}', 'trailing', 'after the end'],
    ['[1,]', 'syntax', 'a value should stand here, not "]"'],
    ['{"a":1,}', 'syntax', 'a key in double quotes'],
    ["{'a':1}", 'syntax', 'a key in double quotes'],
    ['[01]', 'syntax', 'superfluous zero'],
    ['[1.]', 'syntax', 'a digit is missing'],
    ['[+1]', 'syntax', 'a value should stand here'],
    ['[NaN]', 'syntax', 'a value should stand here'],
    ['["a\nb"]', 'syntax', 'U+000A'],
    ['["\\x41"]', 'syntax', 'unknown escape'],
    ['["\\u00g0"]', 'syntax', 'four hexadecimal digits'],
    ['\u0000\u0000\u0000', 'syntax', 'NUL'],
    ['[1]\u00a0', 'trailing', 'U+00A0'],
    ['\ufeff{}', 'bom', 'BOM'],
  ])('%j', (text, code, words) => {
    const fault = faultOf(text);
    expect(fault.code).toBe(code);
    expect(fault.text).toContain(words);
  });

  test('line, column, byte offset and path point at the place', () => {
    const fault = faultOf('{"ä":[\n  {"b": 1,\n   "c": tru}]}');
    expect(fault).toMatchObject({ code: 'syntax', line: 3, column: 9, offset: 27, path: '["ä"][0].c' });
    expect(fault.text).toMatch(/^line 3, column 9: .*\(in \["ä"\]\[0\]\.c\)$/);
  });

  test('more values than can be held are refused, not run out of memory', () => {
    expect(faultOf(`[${'1,'.repeat(3_000_001)}1]`).code).toBe('too_many_values');
  });

  test('30 MB are read', () => {
    const text = JSON.stringify({
      a: 'x'.repeat(15_000_000),
      b: Array.from({ length: 300_000 }, (_, i) => ({ i, s: 'text é' })),
    });
    const read = readJson(bytes(text));
    expect(read.ok && read.root.end).toBe(text.length);
  });
});

describe('C54 duplicate keys', () => {
  const duplicatesOf = (text: string) => {
    const read = readJsonText(text);
    if (!read.ok) throw new Error(read.fault.text);
    return read.duplicates;
  };

  test('are named with path, key and place; an escaped spelling is the same key', () => {
    const text = '{"calls":[{"args":{"to":"V","amount":10,"amount":99999,"\\u0074o":"A","amount":1}}],"x":1,"x":2}';
    expect(duplicatesOf(text).map(({ path, key, text: words }) => ({ path, key, words }))).toEqual([
      { path: 'calls[0].args', key: 'amount', words: 'duplicate key amount in calls[0].args' },
      { path: 'calls[0].args', key: 'to', words: 'duplicate key to in calls[0].args' },
      { path: '', key: 'x', words: 'duplicate key x at top level' },
    ]);
    expect(duplicatesOf(text)[0]).toMatchObject({ line: 1, column: text.indexOf('"amount":99999') + 1 });
  });

  test('exactly those keys that stand more than once, in small objects and large', () => {
    const keys = fc.array(
      fc.string({ unit: fc.constantFrom('a', 'b', '__proto__', '"', 'é'), minLength: 0, maxLength: 3 }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(keys, (names) => {
        const text = `{${names.map((name) => `${JSON.stringify(name)}:1`).join(',')}}`;
        const repeated = [...new Set(names)].filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
        expect(
          duplicatesOf(text)
            .map(({ key }) => key)
            .toSorted(),
        ).toEqual(repeated.toSorted());
      }),
    );
  });

  test('the same key in two objects is no duplicate', () => {
    expect(duplicatesOf('[{"a":{"a":1}},{"a":2}]')).toEqual([]);
  });

  test('more than a thousand of them refuse the text: none goes unnamed', () => {
    const many = (count: number) => `[${'{"a":1,"a":2},'.repeat(count)}0]`;
    expect(duplicatesOf(many(1000))).toHaveLength(1000);
    expect(faultOf(many(1001))).toMatchObject({ code: 'duplicate_key' });
  });
});
