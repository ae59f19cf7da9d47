import { describe, expect, it } from 'vitest';
import { coalesce } from '../../renderer/app/coalesce.js';
import { ageOf, shortName, size, span } from '../../renderer/app/format.js';
import { commands, found } from '../../renderer/app/palette.js';
import { remember } from '../../renderer/app/remember.js';
import { diffTexts } from '../../renderer/decision/diff.js';
import { snoozeUntil } from '../../renderer/decision/snooze.js';
import { ACTIONS, actionFor, clash, isPlainKey, KEYS, type KeyLike, keysFor, keyTable } from '../../renderer/keys.js';
import { toolWords } from '../../renderer/queue/tool-words.js';
import { unknownCalls } from '../../renderer/reconcile/unknown-calls.js';
import { realTextOf } from '../../renderer/run/copy-selection.js';
import { LONG_LINES, LONG_UNITS, prepareArguments, readArguments } from '../../renderer/run/fields.js';
import { pieces } from '../../renderer/run/marked.js';
import { prettyLines } from '../../renderer/run/pretty.js';
import { targetOf } from '../../renderer/run/target.js';
import { pagesOf, rowsOf } from '../../renderer/run/text-lines.js';
import { urlParts } from '../../renderer/run/url-host.js';
import { takenBy } from '../../renderer/settings/Keys.js';
import { fromLines, fromPairs, toPairs } from '../../renderer/settings/lines.js';
import { matchesEvent } from '../../shared/history-filter.js';
import { readJsonText } from '../../shared/json.js';
import { makeCall, makeDetail, makeEvent, makeRow } from './samples.js';

describe('differences', () => {
  const kinds = (before: string, after: string): string[] =>
    diffTexts(before, after)
      .filter((line) => line.kind !== 'same')
      .map((line) => `${line.kind} ${line.text.trim()}`);

  it('are taken over the layout, so that one changed value is one line', () => {
    expect(kinds('{"a":1,"b":[1,2]}', '{ "a": 1, "b": [1, 3] }')).toEqual(['del 2', 'add 3']);
  });

  it('1.0 and 1 differ, and so do blanks when nothing else does', () => {
    expect(kinds('{"a":1.0}', '{"a":1}')).toEqual(['del "a": 1.0', 'add "a": 1']);
    expect(kinds('{"a":1}', '{"a": 1}')).toEqual(['del {"a":1}', 'add {"a": 1}']);
    expect(kinds('{"a":1}', '{"a":1}')).toEqual([]);
  });

  it('inserted lines do not mark what follows them', () => {
    expect(kinds('a\nb\nc', 'a\nx\nb\nc')).toEqual(['add x']);
  });
});

describe('fields', () => {
  const read = (text: string) => {
    const args = readArguments(text, 'as_written');
    if (args.kind !== 'fields') throw new Error('no fields');
    return args;
  };

  it('C56 a long text is read in steps to what it is read to at once, also where an object comes as a string', async () => {
    const object = JSON.stringify({ list: Array.from({ length: 40_000 }, (_, n) => `item ${n}`), n: 1 });
    for (const [text, as] of [
      [object, 'as_written'],
      [JSON.stringify(object), 'decoded_once'],
      [`${object}]`, 'as_written'],
    ] as const) {
      expect(text.length).toBeGreaterThan(256 * 1024);
      const atOnce = readArguments(text, as);
      await prepareArguments(text, as);
      const inSteps = readArguments(text, as);
      expect(inSteps).not.toBe(atOnce);
      expect(inSteps).toEqual(atOnce);
    }
  });

  it('a field is long by its text, its lines, or the number of its values', () => {
    const long = (value: unknown): boolean => read(JSON.stringify({ a: value })).fields[0]?.long ?? false;
    expect(long('x'.repeat(LONG_UNITS - 2))).toBe(false);
    expect(long('x'.repeat(LONG_UNITS))).toBe(true);
    expect(long('\n'.repeat(LONG_LINES - 1))).toBe(false);
    expect(long('\n'.repeat(LONG_LINES))).toBe(true);
    expect(long(Array(40).fill(0))).toBe(false);
    expect(long(Array(80).fill(0))).toBe(true);
  });

  it('an object of very many fields is one long value, so that its end must be reached', () => {
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
    expect(read(JSON.stringify(many)).fields).toMatchObject([{ key: null, long: true }]);
  });

  it('__proto__ is a key like any other', () => {
    expect(read('{"__proto__":{"a":1}}').fields[0]).toMatchObject({ key: '__proto__', repeated: false });
  });

  it('the layout keeps every token, and joined without blanks it is the text', () => {
    const text = '{"a":1.0,"b":[2512292042121000001,{"c":"\\u202e x"}],"d":{},"a":null}';
    const json = readJsonText(text);
    if (!json.ok) throw new Error('not JSON');
    const lines = prettyLines(text, json.root, 'as_written');
    expect(
      lines
        .map((line) => line.replace(/^ +|(?<=": ?) +/g, ''))
        .join('')
        .replaceAll('": ', '":'),
    ).toBe(text);
  });

  it('decoded, a string shows its characters, and still cannot leave its quotes or its line', () => {
    const text = String.raw`{"\u0063md":"\u0072\u006d \u0022\u000a\u202e"}`;
    const json = readJsonText(text);
    if (!json.ok) throw new Error('not JSON');
    expect(prettyLines(text, json.root)).toEqual(['{', '  "cmd": "rm \\"\\n\u202e"', '}']);
  });

  it('the target is a plain short field, the most telling first; never a repeated or a nested one', () => {
    expect(targetOf(read('{"mode":"w","path":"/srv"}'))).toEqual({ key: 'path', value: '/srv' });
    expect(targetOf(read('{"id":2512292042121000001}'))).toEqual({ key: 'id', value: '2512292042121000001' });
    expect(targetOf(read('{"path":"/a","path":"/b"}'))).toBeNull();
    expect(targetOf(read('{"path":{"x":1}}'))).toBeNull();
  });
});

describe('text from outside', () => {
  it('the pieces joined are the text, unit for unit', () => {
    const text = `a\u202eb${' '.repeat(50)}c${'\n'.repeat(9)}d\u{e0041}👩‍👩‍👧 é\t`;
    expect(
      pieces(text)
        .map((piece) => piece.real)
        .join(''),
    ).toBe(text);
  });

  it('long lines are split between characters, never inside one', () => {
    const text = `${'x'.repeat(999)}😀${'y'.repeat(1500)}`;
    const rows = pagesOf(text).flatMap((page) => rowsOf(text, page));
    expect(rows.map((row) => row.text).join('')).toBe(`${'x'.repeat(999)}😀${'y'.repeat(1500)}`);
    expect(rows.every((row) => !/[\uD800-\uDBFF]$/.test(row.text))).toBe(true);
    expect(rows.map((row) => [row.number, row.ends])).toEqual([
      [1, false],
      [null, false],
      [null, true],
    ]);
  });

  it('what is copied from the page is the real text, not its marks and line numbers', () => {
    const box = document.createElement('template');
    const row = (n: number, body: string): string =>
      `<div data-line="ends"><span data-gutter>${n}</span><span>${body}</span></div>`;
    box.innerHTML = row(1, 'a<span data-real="\u200b">U+200B</span>b') + row(2, 'c');
    expect(realTextOf(box.content)).toBe('a\u200bb\nc');
  });

  it('the host of an address is the one that would be asked', () => {
    expect(urlParts('https://good.example@evil.example/x')).toMatchObject({ host: 'evil.example', userInfo: true });
    expect(urlParts('https://EVIL.example/')).toMatchObject({ host: 'evil.example', written: null, userInfo: false });
    expect(urlParts('https://b\u00fccher.example')?.unicode).toBe('b\u00fccher.example');
    expect(urlParts('deploy/production.yaml')).toBeNull();
    expect(urlParts('javascript:alert(1)')).toBeNull();
  });
});

describe('keys', () => {
  const press = (key: string, change = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...change,
  });

  it('every action has exactly one row in the table', () => {
    expect(KEYS.map((row) => row.action).sort()).toEqual([...ACTIONS].sort());
  });

  it('G G is a sequence, G with shift is another key', () => {
    expect(actionFor(press('g'), '', true)).toBe('prefix');
    expect(actionFor(press('g'), 'g', true)).toBe('first');
    expect(actionFor(press('G', { shiftKey: true }), '', true)).toBe('last');
    expect(actionFor(press('j'), 'g', true)).toBe('down');
  });

  it('modifiers belong to the system, but for the submit chord', () => {
    expect(actionFor(press('a', { ctrlKey: true }), '', true)).toBeNull();
    expect(actionFor(press('r', { metaKey: true }), '', true)).toBeNull();
    expect(actionFor(press('Enter', { ctrlKey: true }), '', true)).toBe('submit');
    expect(actionFor(press('Enter', { ctrlKey: true, altKey: true }), '', true)).toBeNull();
  });

  it('switched off, single characters do nothing; Enter, Escape and the chord stay', () => {
    expect(['a', 'j', '?', 'g'].map((key) => actionFor(press(key), '', false))).toEqual([null, null, null, null]);
    expect(actionFor(press('Escape'), '', false)).toBe('back');
    expect(actionFor(press('Enter', { metaKey: true }), '', false)).toBe('submit');
  });
});

describe('small things', () => {
  it('spans, sizes and names', () => {
    expect([0, 59_999, 60_000, 3_600_000, 3 * 86_400_000].map(span)).toEqual(['0 s', '59 s', '1 min', '1 h', '3 d']);
    expect(ageOf(null, 0)).toBeNull();
    expect([1023, 1536, 3 * 1024 * 1024].map(size)).toEqual(['1023 B', '1.5 KB', '3.0 MB']);
    expect(shortName('01K0QZ7N9V3M8XKD2RB5F1XGA0')).toBe('01K0QZ…1XGA0');
  });

  it('snoozed until the next morning or Monday, never now', () => {
    const sunday = new Date(2026, 2, 1, 22, 0);
    const monday = new Date(2026, 2, 2, 8, 0);
    expect(new Date(snoozeUntil('hour', sunday)).getTime() - sunday.getTime()).toBe(3_600_000);
    expect(new Date(snoozeUntil('tomorrow', sunday))).toEqual(new Date(2026, 2, 2, 9, 0));
    expect(new Date(snoozeUntil('monday', sunday))).toEqual(new Date(2026, 2, 2, 9, 0));
    expect(new Date(snoozeUntil('monday', monday))).toEqual(new Date(2026, 2, 9, 9, 0));
  });

  it('a task asked for while it runs runs once more after it', async () => {
    let runs = 0;
    let release = (): void => undefined;
    const ask = coalesce(async () => {
      runs += 1;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    ask();
    ask();
    ask();
    expect(runs).toBe(1);
    release();
    await Promise.resolve();
    await Promise.resolve();
    expect(runs).toBe(2);
    release();
  });

  it('a remembered answer is worked out once and forgotten after others', () => {
    let times = 0;
    const fn = remember((text: string) => {
      times += 1;
      return text.length;
    }, 2);
    expect([fn('a'), fn('a'), fn('bb'), fn('a')]).toEqual([1, 1, 2, 1]);
    expect(times).toBe(2);
    fn('ccc');
    fn('bb');
    expect(times).toBe(4);
  });

  it('tool names of a row: the same name once, with its count', () => {
    const row = makeRow('x', { tools: ['a', 'b', 'a', 'c', 'd'], calls: 25 });
    expect(toolWords(row)).toEqual({ names: 'a ×2, b, c', more: 21 });
    expect(toolWords(makeRow('x', { tools: [], calls: 0 })).names).toBe('step without calls');
  });

  it('history is searched by who, what, and the whole name of the run', () => {
    const event = makeEvent('came_second', 'Not taken.', { by: 'Grace' });
    expect(matchesEvent(event, 'grace 2RB5F1')).toBe(true);
    expect(matchesEvent(event, 'ada')).toBe(false);
  });

  it('the number under which main settles a call counts the batch first, then the loop', () => {
    const detail = makeDetail('x', [makeCall('{"a":1}')], { row: { status: 'unknown_outcome' } });
    const entry = { id: 'c', argumentsSha256: '', edited: false, reconciled: [] };
    const journal = {
      v: 1 as const,
      suspension: { system: 'klieo' as const, source: 'inbox', runId: 'r', seq: 1 },
      decisionId: null,
      claim: '',
      calls: [{ ...entry, index: 0, name: 'a', state: 'done' as const }],
      loop: [{ ...entry, index: 0, name: 'b', state: 'unknown' as const, step: 3, arguments: '{"b":2}' }],
      continuation: { state: 'pending' as const },
    };
    expect(unknownCalls({ ...detail, journal })).toMatchObject([{ index: 1, name: 'b', arguments: '{"b":2}' }]);
  });

  it('settings written over lines', () => {
    expect(fromLines('a\n\n b\n')).toEqual(['a', ' b']);
    expect(fromPairs('A=1=2\nB\n')).toEqual({ A: '1=2', B: '' });
    expect(toPairs({ A: '1', B: '' })).toBe('A=1\nB=');
  });
});

describe('own keys', () => {
  const press = (key: string, more: Partial<KeyLike> = {}): KeyLike => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...more,
  });

  it('stand in the place of the first ones, which then do nothing', () => {
    const table = keyTable({ approve: ['y'], first: ['0', '0'] });
    expect(actionFor(press('y'), '', true, table)).toBe('approve');
    expect(actionFor(press('a'), '', true, table)).toBeNull();
    expect(actionFor(press('0'), '', true, table)).toBe('prefix');
    expect(actionFor(press('0'), '0', true, table)).toBe('first');
    expect(keysFor('approve', table)).toEqual(['Y']);
  });

  it('that clash with a row, or begin one, count for nothing', () => {
    for (const own of [{ reject: ['a'] }, { reject: ['g'] }, { down: ['x', 'y'], up: ['x'] }])
      expect(keyTable(own), JSON.stringify(own)).toBe(KEYS);
    expect(clash(KEYS)).toBeNull();
    expect(takenBy('reject', ['g'], {})).toBe('first');
    expect(takenBy('reject', ['y'], { edit: ['y'] })).toBe('edit');
    expect(takenBy('reject', ['r'], {})).toBeNull();
  });

  it('never change Enter, Escape or a combination, whatever the settings file says', () => {
    const table = keyTable({ enter: ['q'], back: ['q'], submit: ['q'], palette: ['q'], nothing: ['q'] });
    expect(actionFor(press('q'), '', true, table)).toBeNull();
    expect(actionFor(press('Enter'), '', true, table)).toBe('enter');
    expect(actionFor(press('k', { ctrlKey: true }), '', true, table)).toBe('palette');
  });

  it('are plain characters: no blank, no function key, no combination', () => {
    const plain = ['y', 'é', '§', '😀', ' ', 'F1', 'Enter', ''].filter((key) => isPlainKey(press(key)));
    expect(plain).toEqual(['y', 'é', '§', '😀']);
    expect(isPlainKey(press('y', { ctrlKey: true }))).toBe(false);
  });

  it('a capital letter is shown with its Shift, a small one as it stands on the key', () => {
    expect([keysFor('last'), keysFor('first'), keysFor('search')]).toEqual([['Shift+G'], ['G', 'G'], ['/']]);
  });
});

describe('the palette', () => {
  const all = commands(KEYS);

  it('holds every action but those that confirm, submit or open it, each once', () => {
    const ids = all.map(({ id }) => id);
    expect(ids.filter((id) => (ACTIONS as readonly string[]).includes(id)).sort()).toEqual(
      ACTIONS.filter((action) => !['enter', 'submit', 'palette'].includes(action)).sort(),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('finds by all words typed, in any order and case; what begins so comes first', () => {
    const labels = (typed: string): string[] => found(all, typed).map(({ label }) => label);
    expect(labels('HISTORY go')).toEqual(['Go to History']);
    expect(labels('next')[0]).toMatch(/^Next/);
    expect(labels('')).toHaveLength(all.length);
    expect(labels('no such thing')).toEqual([]);
  });
});
