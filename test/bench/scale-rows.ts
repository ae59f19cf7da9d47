import { closeSync, openSync, readdirSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { HEADS } from '../../electron/checkpoints/keys.js';
import { WORKER_LIMITS } from '../../electron/worker/limits.js';
import { inTurn, median, timed } from './floor.js';
import { report } from './report.js';
import { countingDisk, MB, open } from './world.js';

export interface Sizes {
  small: string;
  middle: string;
  large: string;
}

/** Listing, opening, rebuilding and sweeping at 1,000, 10,000 and 100,000 runs. */
export async function scaleRows({ small, middle, large }: Sizes, counts: Record<keyof Sizes, number>): Promise<void> {
  await sweepRows(large);
  const cold = await coldRow(large, counts.large);
  for (const root of [small, middle]) await prepared(root);

  const first = (root: string) => async () => {
    const store = await open(root);
    const page = await store.keysPage(HEADS, null, 256);
    if (page.heads.length !== 256) throw new Error('a page is short');
    await store.close();
  };
  const warm = await inTurn(15, { small: first(small), large: first(large) });
  const [few, many] = [median(warm['small'] ?? []), median(warm['large'] ?? [])];
  const facts = { ms: many, small_ms: few, keys: counts.large, small_keys: counts.small };
  report({ name: 'open and first page, warm, 100,000 against 1,000', value: many / few, unit: 'x', limit: 2, facts });

  const stores = { middle: await open(middle), large: await open(large) };
  for (const store of Object.values(stores)) await store.prepare(HEADS);
  const pager = (store: typeof stores.large) => {
    let cursor: string | null = null;
    return async () => {
      cursor = (await store.keysPage(HEADS, cursor, 256)).next;
    };
  };
  const pages = await inTurn(200, { middle: pager(stores.middle), large: pager(stores.large) });
  const [at10, at100] = [median(pages['middle'] ?? []), median(pages['large'] ?? [])];
  const said = { ms: at100, middle_ms: at10, keys: counts.large, middle_keys: counts.middle };
  report({ name: 'page of 256, 100,000 against 10,000', value: at100 / at10, unit: 'x', limit: 1.1, facts: said });
  const { none = [] } = await inTurn(3, { none: () => stores.large.quarantined() });
  report({ name: 'asking what cannot be trusted at 100,000', value: median(none), unit: 'ms' });
  for (const store of Object.values(stores)) await store.close();
  report({ name: 'cold rebuild of 100,000', value: cold, unit: 's' });
}

async function prepared(root: string): Promise<void> {
  const store = await open(root);
  await store.prepare(HEADS);
  await store.close();
}

/** Rebuilds the index from nothing and reads the same headers plainly, in turn; the queue's first page comes meanwhile. */
async function coldRow(root: string, count: number): Promise<number> {
  let firstPage = 0;
  const { cold = [], plain = [] } = await inTurn(5, {
    cold: async () => {
      rmSync(join(root, 'idx', `${HEADS}.jsonl`), { force: true });
      const { disk, counts } = countingDisk();
      const store = await open(root, disk);
      const preparing = store.prepare(HEADS);
      firstPage = await timed(() => store.keysPage(HEADS, null, 256));
      await preparing;
      if (counts.payloadOpens > 0) throw new Error('a listing opened a payload');
      void store.close();
    },
    plain: () => readPlainly(join(root, 'k', HEADS)),
  });
  // Both take seconds, in which a shared machine does anything: the fastest of each is what the code takes.
  const [ours, least] = [Math.min(...cold), Math.min(...plain)];
  const facts = { ms: ours, plain_ms: least, first_page_ms: firstPage, keys: count };
  const value = ours / least;
  report({ name: 'cold rebuild against reading the same headers plainly', value, unit: 'x', limit: 1.5, facts });
  return ours / 1000;
}

/** The least that reading every header can take: list, open, read, close, and parse one line of JSON. */
function readPlainly(folder: string): void {
  const buffer = Buffer.alloc(8192);
  for (const shard of readdirSync(folder)) {
    if (shard.startsWith('.')) continue;
    for (const name of readdirSync(join(folder, shard))) {
      const fd = openSync(join(folder, shard, name), 'r');
      const count = readSync(fd, buffer, 0, buffer.length, 0);
      closeSync(fd);
      const end = buffer.subarray(0, count).indexOf(10);
      JSON.parse(buffer.toString('utf8', 0, end));
    }
  }
}

/** A sweep in a thread of its own, as the application runs it: what it opens, what it takes, and how free the main thread stays. */
async function sweepRows(root: string): Promise<void> {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 20);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const worker = new Worker(join(import.meta.dirname, 'side.mjs'), {
    argv: ['sweep', root, 'once'],
    resourceLimits: WORKER_LIMITS,
  });
  const seen = await new Promise<{ seconds: number; failed: string | null; payloadOpens: number }>(
    (resolve, reject) => {
      worker.on('message', (message) => (message === 'started' ? undefined : resolve(message)));
      worker.once('error', reject);
    },
  );
  delay.disable();
  clearInterval(sampling);
  await worker.terminate();
  if (seen.failed !== null) throw new Error(seen.failed);
  const { payloadOpens, seconds } = seen;
  report({
    name: 'payload opens in a sweep of 100,000',
    value: payloadOpens,
    unit: 'opens',
    limit: 0,
    facts: { seconds },
  });
  const growth = (most - before) / MB;
  report({
    name: 'memory growth in a sweep of 100,000, index and thread included',
    value: growth,
    unit: 'MB',
    limit: 80,
  });
  const p99 = delay.percentile(99) / 1e6 - 1;
  const facts = { max_ms: delay.max / 1e6 };
  report({ name: 'delay of the main thread during the sweep, p99', value: p99, unit: 'ms', limit: 20, facts });
}
