import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { type LiveQueue, openLiveQueue } from '../../electron/queue/live-queue.js';
import { openSearch, type RunSearch } from '../../electron/queue/search-link.js';
import { openStore } from '../../electron/store/file-store.js';
import { systemClock } from '../../electron/system-clock.js';
import { NO_FILTER, QueueQuery } from '../../shared/queue.js';
import { Settings } from '../../shared/settings.js';
import { bundle } from '../helpers/bundle.js';
import { manyRuns } from '../helpers/many-runs.js';

/**
 * The list at a hundred thousand runs beside the same at a thousand, in one run. BENCH_DATA keeps the stores from one run
 * to the next, RUNS is how many the large one has.
 */
const RUNS = Number(process.env['RUNS'] ?? 100_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 100);
const kept = process.env['BENCH_DATA'];
const root = kept ?? mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));

const report = (line: Record<string, unknown>): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const rounded = (value: number): number => Math.round(value * 100) / 100;
const quantile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;

async function timed<T>(act: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const value = await act();
  return [performance.now() - start, value];
}

const settings = Settings.parse({
  tools: [
    { tool: 'search_kb', effect: 'read_only', repeatable: true },
    { tool: 'delete_records', effect: 'destructive', repeatable: false },
  ],
});

interface Opened {
  live: LiveQueue;
  search: RunSearch;
  close(): Promise<void>;
}

async function open(folder: string, worker: string): Promise<Opened> {
  const store = await openStore(join(folder, 'store'), { snapshotMs: 2 ** 30 });
  const search = openSearch({
    file: worker,
    store: join(folder, 'store'),
    storeId: store.storeId,
    path: join(folder, 'search', 'index'),
    progress: () => undefined,
    log: (text) => report({ log: text }),
  });
  const live = openLiveQueue({
    store,
    ports: { clock: systemClock(), settings: () => settings },
    timers: { set: (after, act) => setTimeout(act, after), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    waiting: () => null,
    asSeenHere: (row) => row,
    quarantined: async () => [],
    refused: async () => [],
    search,
    changed: () => undefined,
    log: (text) => report({ log: text }),
  });
  const close = async (): Promise<void> => {
    live.close();
    await search.close();
    await store.close();
  };
  return { live, search, close };
}

const first = ({ live }: Opened) => live.queue.show(QueueQuery.parse({ view: 'needs_me' }));

test('the list at a hundred thousand runs', { timeout: 3_600_000 }, async () => {
  const worker = await bundle(join(import.meta.dirname, '../../electron/queue/search-entry.ts'));
  const folders: Record<number, string> = {};
  for (const count of [1000, RUNS]) {
    folders[count] = join(root, String(count));
    mkdirSync(folders[count], { recursive: true });
    await manyRuns(join(folders[count], 'store'), count);
    const [cold, opened] = await timed(async () => {
      const one = await open(folders[count] ?? '', worker);
      while (one.live.queue.reading !== null) await new Promise((resolve) => setTimeout(resolve, 20));
      return one;
    });
    report({ name: 'read without a snapshot, or with one', runs: count, ms: rounded(cold) });
    await opened.close();
  }

  /** From opening the store to the first page, warm: the index was written when it was closed last. */
  const starts: Record<number, number[]> = { 1000: [], [RUNS]: [] };
  for (let round = 0; round < 4; round += 1)
    for (const count of [1000, RUNS]) {
      const [ms, opened] = await timed(async () => {
        const one = await open(folders[count] ?? '', worker);
        await first(one);
        return one;
      });
      if (round > 0) starts[count]?.push(ms);
      await opened.close();
    }
  const [small, large] = [quantile(starts[1000] ?? [], 0.5), quantile(starts[RUNS] ?? [], 0.5)];
  report({
    name: 'first page, engine alone, warm',
    runs: RUNS,
    ms: rounded(large),
    at_1000_ms: rounded(small),
    ratio: rounded(large / small),
  });

  const opened = await open(folders[RUNS] ?? '', worker);
  const { state } = await first(opened);
  const shows: number[] = [];
  const states: number[] = [];
  const pages: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const [show, { state: now }] = await timed(() => first(opened));
    shows.push(show);
    states.push((await timed(() => opened.live.queue.state(now.list)))[0]);
    pages.push((await timed(() => opened.live.queue.rows(now.list, Math.floor((now.items / 20) * round), 200)))[0]);
  }
  report({
    name: 'built anew: filtered, ordered, folded',
    items: state.items,
    runs: state.runs,
    ms: rounded(quantile(shows, 0.5)),
    p99_ms: rounded(quantile(shows, 0.99)),
  });
  report({ name: 'what has become of it', ms: rounded(quantile(states, 0.5)) });
  report({ name: 'a page of 200', ms: rounded(quantile(pages, 0.5)) });

  const [indexed] = await timed(async () => {
    for (;;) {
      const { indexing } = opened.search;
      if (indexing === null) {
        await new Promise((resolve) => setTimeout(resolve, 1000));
        if (opened.search.indexing === null) return;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });
  report({ name: 'texts read for the search', seconds: rounded(indexed / 1000) });
  const words = [
    'refund',
    'b2s',
    'example',
    'desk',
    'delete records',
    'bab example',
    'n 12',
    'dis',
    '01k0',
    'zzzzq',
    'fu',
    'c',
  ];
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const search = words[round % words.length] ?? '';
    const [ms] = await timed(() =>
      opened.live.queue.show(QueueQuery.parse({ view: 'needs_me', filter: { ...NO_FILTER, search } })),
    );
    times.push(ms);
  }
  report({
    name: 'search to first page',
    runs: RUNS,
    p50_ms: rounded(quantile(times, 0.5)),
    p99_ms: rounded(quantile(times, 0.99)),
    limit_ms: 200,
    ok: quantile(times, 0.99) <= 200,
  });
  report({
    name: 'memory of the list',
    rss_mb: Math.round(process.memoryUsage().rss / 2 ** 20),
    heap_mb: Math.round(process.memoryUsage().heapUsed / 2 ** 20),
  });
  const [saved] = await timed(() => opened.close());
  report({ name: 'closing, with the search written down', ms: rounded(saved) });

  const [again, reopened] = await timed(async () => {
    const one = await open(folders[RUNS] ?? '', worker);
    await one.live.queue.show(QueueQuery.parse({ view: 'needs_me', filter: { ...NO_FILTER, search: 'refund' } }));
    return one;
  });
  report({ name: 'opened again, to the first search', ms: rounded(again), indexing: reopened.search.indexing });
  await reopened.close();
  if (!kept || !existsSync(kept)) rmSync(root, { recursive: true, force: true });
});
