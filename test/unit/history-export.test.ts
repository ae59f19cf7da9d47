import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { eachHistory, wholeHistory } from '../../electron/checkpoints/history.js';
import { cell, lineOf } from '../../electron/keep/history-text.js';
import type { HistoryEvent } from '../../shared/history-event.js';
import { type HistoryFilter, matchesFilter } from '../../shared/history-filter.js';
import { run, runJson } from '../helpers/cli-run.js';
import { keptWorld, NAME, OTHER, RUN, refund } from '../helpers/kept-world.js';
import { klieoRecord, unwrap } from '../helpers/world.js';

vi.setConfig({ testTimeout: 60_000 });

/** RFC 4180, as a spreadsheet reads it. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    if (rows.length === 0) rows.push([]);
    rows.at(-1)?.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'));
    if (match[3] === '\r\n') rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

async function filled() {
  const kept = await keptWorld();
  const key = await kept.world.put(
    klieoRecord({
      runId: '01K0QZ6V5M3H8D7N2B4C9F1XGC',
      calls: [
        { id: 'a', name: 'send_email', args: '{"to":"x"}' },
        { id: 'b', name: 'delete_file', args: '{"path":"y"}' },
      ],
    }),
  );
  unwrap(
    await kept.world.decide(key, [{ edit: '{"to":"z"}' }, { reject: '=HYPERLINK("http://evil.example","click")' }], {
      by: '@Grace',
    }),
  );
  unwrap(await kept.world.resume(key));
  return kept;
}

it('an export holds every event once, run by run, as JSON lines', async () => {
  const kept = await filled();
  const file = join(kept.data, '..', 'out.jsonl');
  const { code, value } = await runJson(['history', '--export', file, '--data', kept.data]);
  expect([code, value]).toMatchObject([0, { ok: true, file, format: 'jsonl' }]);
  const told = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryEvent);
  const whole = await wholeHistory(kept.store, 1000);
  const inOrder = (events: readonly HistoryEvent[]) => events.map((event) => JSON.stringify(event)).sort();
  expect(inOrder(told)).toEqual(inOrder(whole));
  expect(value['events']).toBe(whole.length);
  const runs = told.map((event) => event.suspension?.runId);
  expect(runs.filter((id, i) => id !== runs[i - 1])).toHaveLength(new Set(runs).size);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('an export replaces nobody’s file, and leaves none half-written', async () => {
  const kept = await filled();
  const file = join(kept.data, '..', 'mine.csv');
  writeFileSync(file, 'mine');
  const there = await run(['history', '--export', file, '--data', kept.data]);
  expect([there.code, there.err]).toEqual([2, expect.stringContaining('EEXIST')]);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const nowhere = await run(['history', '--export', join(kept.data, 'no', 'out'), '--data', kept.data]);
  expect(nowhere.err).toContain('Nothing was exported');
  expect(existsSync(join(kept.data, 'no'))).toBe(false);
});

it('CSV: no cell is ever a formula, and every cell reads back as it was', async () => {
  const kept = await filled();
  const { out } = await run(['history', '--export', '-', '--format', 'csv', '--data', kept.data]);
  const [head, ...rows] = parseCsv(out);
  expect(head?.slice(0, 4)).toEqual(['at', 'kind', 'by', 'system']);
  const whole = await wholeHistory(kept.store, 1000);
  expect(rows).toHaveLength(whole.length);
  for (const row of rows) for (const one of row) expect(one).not.toMatch(/^\s*[=+\-@＝＋－＠\t\r\n]/u);
  const decided = rows.filter((row) => row[1] === 'decided' && row[2] === "'@Grace");
  expect(decided).toHaveLength(1);
  expect(decided[0]?.slice(7, 10)).toEqual(['', 'send_email delete_file', 'edit reject']);
});

it.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', expect.stringMatching(/^"'/)],
  ['  =1', `"'  =1"`],
  ['＝1', `"'＝1"`],
  ['plain', '"plain"'],
  ['a "quoted", b', '"a ""quoted"", b"'],
  ['a\u202eb', expect.stringContaining('[U+202E')],
  ['\u001b[2J', expect.stringContaining('[U+001B')],
  ['שלום', '"שלום"'],
])('CSV cell of %j', (text, expected) => {
  expect(cell(text)).toEqual(expected);
});

it('JSON lines: the text is exact, and nothing in it steers a terminal', () => {
  const event: HistoryEvent = {
    at: '2026-07-20T10:00:00Z',
    kind: 'decided',
    by: 'A\u202eda',
    suspension: null,
    call: null,
    text: '\u009b2J\u200b',
    facts: {},
  };
  const line = lineOf(event, 'jsonl');
  expect(JSON.parse(line)).toEqual(event);
  expect(line).not.toMatch(/[\u007f-\u009f\u202e\u200b]/u);
});

it.each(['jsonl', 'csv'] as const)('an export masks secrets as the window does, and nothing else: %s', (format) => {
  const secret = 'sk-live-0123456789abcdefghijklmnop';
  const digest = 'a'.repeat(64);
  const verdict = {
    index: 0,
    verdict: 'approve',
    argumentsSha256: digest,
    editedArguments: `{"to":"a@b.c","api_key":"${secret}"}`,
  };
  const event: HistoryEvent = {
    at: '2026-07-20T10:00:00Z',
    kind: 'decided',
    by: 'Ada',
    suspension: null,
    call: null,
    text: `with the key ${secret}`,
    facts: { digest, verdicts: [verdict] },
  };
  const line = lineOf(event, format);
  expect(line).not.toContain(secret);
  for (const kept of [digest, 'a@b.c', 'api_key']) expect(line).toContain(kept);
});

const FILTERS: [HistoryFilter, (event: HistoryEvent) => boolean][] = [
  [{ by: '@Grace' }, ({ by }) => by === '@Grace'],
  [{ verdict: 'edit' }, ({ kind, by }) => kind === 'decided' && by === '@Grace'],
  [{ verdict: 'approve' }, ({ kind, by }) => kind === 'decided' && by === 'Ada'],
  [
    { tool: 'delete_file' },
    ({ kind, call, by }) => (kind === 'decided' && by === '@Grace') || (kind === 'rejected' && call === 1),
  ],
  [{ ending: 'completed' }, ({ kind }) => kind === 'completed'],
  [{ since: '2026-07-20T10:00:00Z' }, () => true],
  [{ until: '2026-07-20T10:00:00Z' }, () => false],
  [{ search: 'send_email started' }, ({ kind, text }) => kind === 'started' && text.includes('send_email')],
];

it.each(FILTERS)('the filter %j lets through what it says', async (filter, expected) => {
  const kept = await filled();
  const whole = await wholeHistory(kept.store, 1000);
  const through = whole.filter((event) => matchesFilter(event, filter));
  expect(through).toEqual(whole.filter(expected));
  const args = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { value } = await runJson(['history', ...args, '--data', kept.data]);
  expect(value['events']).toEqual(through);
});

it('an unreadable record is an event of its own, and the rest is told', async () => {
  const kept = await filled();
  const events: HistoryEvent[] = [];
  const store = Object.assign(Object.create(kept.store) as typeof kept.store, {
    head: kept.store.head.bind(kept.store),
    keysPage: kept.store.keysPage.bind(kept.store),
    getRevision: kept.store.getRevision.bind(kept.store),
    get: async (bucket: string, key: string) => {
      if (key === NAME) throw new Error('it is cut');
      return kept.store.get(bucket, key);
    },
  });
  for await (const some of eachHistory(store)) events.push(...some);
  expect(events.filter(({ kind }) => kind === 'unreadable')).toMatchObject([
    { suspension: { runId: RUN }, text: 'it is cut' },
  ]);
  expect(events.some(({ suspension }) => suspension?.runId === OTHER)).toBe(true);
});

it('one run is exported by its id, and wrong options are told', async () => {
  const kept = await filled();
  await kept.world.put(refund('01K0QZ6V5M3H8D7N2B4C9F1XGD'));
  const { out } = await run(['history', RUN, '--export', '-', '--data', kept.data]);
  const runs = new Set(
    out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as HistoryEvent).suspension?.runId),
  );
  expect([...runs]).toEqual([RUN]);
  for (const wrong of [
    ['--format', 'csv'],
    ['--anchor', 'a'.repeat(64)],
    ['--export', 'x', '--format', 'xml'],
    ['--verdict', 'maybe'],
    ['--since', 'yesterday'],
    ['--verify', '--by', 'Ada'],
  ])
    expect((await run(['history', ...wrong, '--data', kept.data])).code).toBe(2);
});
