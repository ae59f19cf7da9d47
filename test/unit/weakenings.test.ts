import { describe, expect, it } from 'vitest';
import { guardedSettings } from '../../electron/shell/guarded-settings.js';
import { weakenings } from '../../electron/shell/weakenings.js';
import { Settings } from '../../shared/settings.js';
import type { ToolRow } from '../../shared/tool-table.js';

const settings = (more: Record<string, unknown> = {}): Settings => Settings.parse(more);
const row = (tool: string, more: Partial<ToolRow> = {}): ToolRow => ({
  source: '*',
  server: '*',
  tool,
  effect: 'changes',
  repeatable: false,
  noReview: false,
  ...more,
});
const tables = (before: ToolRow[], after: ToolRow[]): string[] =>
  weakenings(settings({ tools: before }), settings({ tools: after }));
const KEY = `${'A'.repeat(42)}8=`;
const stdio = {
  kind: 'stdio',
  name: 'files',
  command: '/usr/bin/files',
  args: ['--root', '/srv'],
  env: { TOKEN: 'x' },
};
const http = { kind: 'http', name: 'crm', url: 'https://crm.example/mcp' };
const model = { kind: 'openai', name: 'big', baseUrl: 'https://model.example/v1', model: 'm' };

describe('what weakens safety is told, each kind of it', () => {
  const base = { undoSeconds: 5, twoPersons: true, reviewers: [{ name: 'Bo', publicKey: KEY }] };
  const kinds: Record<string, [Record<string, unknown>, RegExp]> = {
    'a reviewer more': [
      { reviewers: [...base.reviewers, { name: 'Eve', publicKey: `B${KEY.slice(1)}` }] },
      /“Eve” count from now on.*BAAA/,
    ],
    'another key under the same name': [
      { reviewers: [{ name: 'Bo', publicKey: `B${KEY.slice(1)}` }] },
      /“Bo” count from now on/,
    ],
    'a reviewer less': [{ reviewers: [] }, /“Bo” count no more/],
    'the two-person rule off': [{ twoPersons: false }, /one signature only/],
    'no undo window': [{ undoSeconds: 0 }, /no undo window/],
    'a program': [{ servers: [stdio] }, /starts this program: “\/usr\/bin\/files” “--root” “\/srv”, with “TOKEN” set/],
    'an address': [{ servers: [http] }, /“crm” is at “https:\/\/crm.example\/mcp”/],
    'a model': [{ models: [model] }, /“big” go to “https:\/\/model.example\/v1”/],
    'the key that confirms': [{ keys: { approve: ['j'] } }, /The key “j” confirms an approval/],
    'a tool without review': [{ tools: [row('rm', { noReview: true })] }, /“rm”: runs without a person’s review/],
  };
  for (const [name, [change, words]] of Object.entries(kinds))
    it(name, () => {
      const found = weakenings(settings(base), settings({ ...base, ...change }));
      expect(found.join('\n')).toMatch(words);
    });

  it('each way in which a program or an address may change', () => {
    const before = settings({ servers: [stdio, http], models: [model] });
    const found = (change: Record<string, unknown>): string[] =>
      weakenings(before, settings({ servers: [stdio, http], models: [model], ...change }));
    expect(found({})).toEqual([]);
    for (const change of [{ command: '/bin/sh' }, { args: [] }, { cwd: '/tmp' }, { env: {} }])
      expect(
        found({
          servers: [
            {
              ...stdio,
              ...change,
            },
            http,
          ],
        }),
        JSON.stringify(change),
      ).toHaveLength(1);
    expect(found({ servers: [stdio, { ...http, url: 'https://evil.example/mcp' }] })).toHaveLength(1);
    expect(found({ models: [{ ...model, baseUrl: 'https://evil.example/v1' }] })).toHaveLength(1);
    // Longer patience, and less of everything, weaken nothing.
    expect(found({ servers: [{ ...stdio, timeoutSeconds: 3 }], models: [] })).toEqual([]);
  });

  it('what is as safe or safer is not asked for', () => {
    const before = settings({ undoSeconds: 0, reviewer: 'Ada' });
    const after = settings({ undoSeconds: 9, reviewer: 'Grace', twoPersons: true, theme: 'dark', gc: { ttlHours: 3 } });
    expect(weakenings(before, after)).toEqual([]);
  });
});

describe('the table of tools is compared by what it does', () => {
  it('lower class, no review, repeatable: for the exact name, below a prefix, and by removing a row', () => {
    expect(tables([], [row('get', { effect: 'read_only' })])).toEqual([
      'Tool “get”: counts as “reads only”, not as “changes something”',
    ]);
    expect(tables([], [row('*', { repeatable: true })])[0]).toContain('repeatable');
    expect(tables([row('delete_*', { effect: 'destructive' })], [])).toEqual([
      'Tool “delete_*”: counts as “changes something”, not as “destructive”',
    ]);
    expect(
      tables(
        [row('delete_all', { effect: 'destructive' })],
        [row('delete_*'), row('delete_all', { effect: 'destructive' })],
      )[0],
    ).toContain('“delete_all”');
  });
  it('an order that lets a weaker row come first; an order that changes nothing is not asked for', () => {
    const [grave, light] = [row('pay*', { effect: 'destructive' }), row('pay_in', { effect: 'changes' })];
    expect(tables([grave, light], [light, grave])).toHaveLength(1);
    expect(tables([light, grave], [grave, light])).toEqual([]);
    expect(tables([row('a'), row('b')], [row('b'), row('a')])).toEqual([]);
  });
  it('for one source or server only, the one that a wider row was stricter for', () => {
    const strict = row('*', { source: 'prod', effect: 'destructive' });
    expect(tables([strict], [row('x', { source: 'prod' }), strict])).toHaveLength(1);
    expect(tables([strict], [row('x', { source: 'test' }), strict])).toEqual([]);
    expect(tables([row('x', { server: 'db', effect: 'destructive' })], [])).toHaveLength(1);
  });
  it('a raised class that takes back the review which a server’s claim had asked for', () => {
    const before = row('wipe', { effect: 'changes', noReview: true });
    expect(tables([before], [{ ...before, effect: 'destructive' }])[0]).toContain('without a person');
  });
  it('rows of the samples say nothing of real tools, until something real takes that name', () => {
    const tools = [row('issue_refund', { server: 'samples', noReview: true })];
    const sample = { kind: 'sample', name: 'samples' };
    expect(weakenings(settings(), settings({ tools, servers: [sample] }))).toEqual([]);
    expect(weakenings(settings(), settings({ tools, servers: [sample, { ...stdio, name: 'samples' }] }))).toHaveLength(
      2,
    );
    expect(weakenings(settings(), settings({ tools }))).toHaveLength(1);
    // Also when the rows came while it was a sample: they are told when it is none any more.
    const before = settings({ tools, servers: [sample] });
    expect(weakenings(before, settings({ tools, servers: [{ ...stdio, name: 'samples' }] }))).toEqual(
      expect.arrayContaining([expect.stringContaining('issue_refund')]),
    );
  });
  it('against a plain walk over every name: nothing that gets weaker goes unsaid', () => {
    let seed = 7;
    const pick = <T>(from: readonly T[]): T => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return from[seed % from.length] as T;
    };
    const some = (): ToolRow[] =>
      Array.from({ length: pick([0, 1, 2, 3]) }, () =>
        row(pick(['a', 'ab', 'a*', 'ab*', '*', 'b']), {
          source: pick(['*', 's', 't']),
          server: pick(['*', 'u']),
          effect: pick(['read_only', 'changes', 'destructive'] as const),
          repeatable: pick([true, false]),
          noReview: pick([true, false, false]),
        }),
      );
    for (let i = 0; i < 3000; i++) {
      const [before, after] = [some(), some()];
      expect(tables(before, after).length > 0, JSON.stringify([before, after])).toBe(isWeaker(before, after));
    }
  });
});

import { EFFECTS, toolFacts } from '../../shared/tool-table.js';

function isWeaker(before: ToolRow[], after: ToolRow[]): boolean {
  for (const source of ['s', 't', 'z'])
    for (const server of ['u', 'w'])
      for (const tool of ['a', 'ab', 'abc', 'ac', 'b', 'c', ''])
        for (const claims of [{}, { readOnly: false }, { destructive: true }]) {
          const [was, is] = [
            toolFacts(before, source, server, tool, claims),
            toolFacts(after, source, server, tool, claims),
          ];
          if (EFFECTS.indexOf(is.effect) < EFFECTS.indexOf(was.effect)) return true;
          if ((is.noReview && !was.noReview) || (is.repeatable && !was.repeatable)) return true;
        }
  return false;
}

describe('the one way into the settings file', () => {
  const file = () => {
    let now = settings({ undoSeconds: 5 });
    return { get: () => now, set: (next: Settings) => (now = next) };
  };
  it('asks natively and stores nothing when declined; what is no weakening needs no question', async () => {
    const kept = file();
    const asked: string[] = [];
    const no = async (question: { detail: string }) => asked.push(question.detail) < 0;
    expect(await guardedSettings(kept, settings({ undoSeconds: 5, theme: 'dark' }), no)).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(await guardedSettings(kept, settings({ undoSeconds: 0 }), no)).toMatchObject({
      ok: false,
      refusal: { code: 'not_allowed' },
    });
    expect(asked[0]).toContain('no undo window');
    expect(kept.get()).toMatchObject({ undoSeconds: 5, theme: 'dark' });
    expect(await guardedSettings(kept, settings({ undoSeconds: 0 }), async () => true)).toMatchObject({ ok: true });
    expect(kept.get().undoSeconds).toBe(0);
  });
  it('H21 another shared engine, and one whose durability nobody can verify, are asked for', () => {
    const { team } = Settings.parse({});
    const on = { ...team, servers: ['nats://one:4222'] };
    const weaker = (before: typeof team, after: typeof team) =>
      weakenings(settings({ team: before }), settings({ team: after }));
    expect(weaker(team, on)[0]).toContain('nats://one:4222');
    expect(weaker(on, { ...on, bucket: 'other' })[0]).toContain('other');
    expect(weaker(on, { ...on, caFile: '/tmp/ca.pem' })).toHaveLength(1);
    expect(weaker(on, { ...on, unverified: true })[0]).toContain('power cut');
    expect(weaker({ ...on, unverified: true }, on)).toEqual([]);
    expect(weaker(on, team)).toEqual([]);
  });
  it('one change after the other: a second one is compared with what the first one left', async () => {
    const kept = file();
    let answer: (yes: boolean) => void = () => {};
    const first = guardedSettings(kept, settings({ undoSeconds: 0 }), () => new Promise((done) => (answer = done)));
    const second = guardedSettings(kept, settings({ undoSeconds: 5, twoPersons: true }), async () => false);
    await Promise.resolve();
    await Promise.resolve();
    answer(false);
    expect((await first).ok).toBe(false);
    expect((await second).ok).toBe(true);
    expect(kept.get()).toMatchObject({ undoSeconds: 5, twoPersons: true });
  });
  it('I10 nothing in a name can pass for a line of the question', async () => {
    let detail = '';
    const evil = { name: 'Bo”\n\nAll is well\u202e', publicKey: KEY };
    await guardedSettings(file(), settings({ undoSeconds: 5, reviewers: [evil] }), async (question) => {
      detail = question.detail;
      return false;
    });
    expect(detail).toContain('[line feed]');
    expect(detail).toContain('[U+202E]');
    expect(detail.split('\n').filter((line) => line.startsWith('All is well'))).toEqual([]);
  });
});
