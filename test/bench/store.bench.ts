import { closeSync, fsyncSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'vitest';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';

/**
 * The store against P1, the least that a durable write can cost here: open, write, fsync, close, and fsync of the
 * folder. Both run in turn in one loop, so that a busy machine weighs on both alike; figures are ratios of medians.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 200);
const KB = 1024;

const folder = mkdtempSync(join(tmpdir(), 'holdpoint-bench-'));
const plain = join(folder, 'plain');
let written = 0;

function p1(bytes: Uint8Array): void {
  written += 1;
  const fd = openSync(join(plain, String(written)), 'wx', 0o600);
  writeSync(fd, bytes, 0, bytes.byteLength, 0);
  fsyncSync(fd);
  closeSync(fd);
  const dir = openSync(plain, 'r');
  fsyncSync(dir);
  closeSync(dir);
}

async function timed(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

const quantile = (times: readonly number[], part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

function report(line: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Runs an act and P1 on as many bytes in turn, and prints the ratio of their medians. */
async function against(name: string, size: number, limit: number, act: (n: number) => Promise<unknown>): Promise<void> {
  const bytes = new Uint8Array(size).fill(120);
  const [ours, least]: [number[], number[]] = [[], []];
  for (let n = 0; n < ROUNDS; n += 1) {
    const both = [
      async () => ours.push(await timed(() => act(n))),
      async () => least.push(await timed(() => p1(bytes))),
    ];
    for (const one of n % 2 === 0 ? both : both.reverse()) await one();
  }
  const ratio = quantile(ours, 0.5) / quantile(least, 0.5);
  report({
    name,
    size,
    rounds: ROUNDS,
    ms: rounded(quantile(ours, 0.5)),
    p1_ms: rounded(quantile(least, 0.5)),
    ratio: rounded(ratio),
    p99_ratio: rounded(quantile(ours, 0.99) / quantile(least, 0.99)),
    limit,
    ok: ratio <= limit,
  });
}

test('the store against the physical limit', { timeout: 600_000 }, async () => {
  mkdirSync(plain);
  const syncs = { count: 0 };
  const disk: Disk = {
    ...nodeDisk,
    fsync: (fd) => {
      syncs.count += 1;
      nodeDisk.fsync(fd);
    },
  };
  const store = await openStore(join(folder, 'store'), { disk });
  // Brings the bucket into use, until all its shards are made.
  for (let n = 0; n < 40; n += 1) await store.put('runs', `first ${n}`, new Uint8Array(10));
  for (let n = 0; n < 40; n += 1) await store.putPayload(new Uint8Array(10).fill(n));
  await new Promise((resolve) => setTimeout(resolve, 3000));

  const counted = async (name: string, expected: number, act: () => Promise<unknown>) => {
    const before = syncs.count;
    await act();
    report({ name, syncs: syncs.count - before, expected, ok: syncs.count - before === expected });
  };
  await counted('syncs of an inline update', 2, () => store.put('runs', 'first 1', new Uint8Array(2 * KB)));
  await counted('syncs of a new inline record', 2, () => store.put('runs', 'second', new Uint8Array(2 * KB)));
  await counted('syncs of a record with a new payload', 4, async () => {
    const sha256 = await store.putPayload(new Uint8Array(50 * KB));
    await store.put('runs', 'third', Buffer.from(sha256));
  });

  const small = new Uint8Array(2 * KB).fill(120);
  const large = new Uint8Array(200 * KB).fill(120);
  // What is measured is the disk and the code, not its compilation.
  for (let n = 0; n < 600; n += 1) await store.put('runs', `warm ${n % 60}`, small);
  await against('put of a new record', 2 * KB, 1.7, (n) => store.put('runs', `new ${n}`, small));
  await against('cas', 2 * KB, 1.4, (n) => store.cas('runs', `new ${n}`, small, 1));
  await against('get and cas', 2 * KB, 1.6, async (n) => {
    const entry = await store.get('runs', `new ${n}`);
    await store.cas('runs', `new ${n}`, entry?.value ?? small, entry?.revision ?? null);
  });
  for (let n = 0; n < 30; n += 1) await store.put('runs', `large ${n}`, large);
  await against('cas', 200 * KB, 1.5, (n) => store.cas('runs', `large ${n % 30}`, large, Math.floor(n / 30) + 1));

  const reads: number[] = [];
  for (let n = 0; n < ROUNDS; n += 1) reads.push(await timed(() => store.get('runs', `new ${n}`)));
  report({ name: 'get', size: 2 * KB, ms: rounded(quantile(reads, 0.5)) });
  const pages: number[] = [];
  for (let n = 0; n < 20; n += 1) pages.push(await timed(() => store.keysPage('runs', null, 256)));
  report({ name: 'page of 256', keys: ROUNDS, ms: rounded(quantile(pages, 0.5)) });
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
