import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { PAGE, sweep } from '../../electron/checkpoints/gc.js';
import { HEADS } from '../../electron/checkpoints/keys.js';
import type { Head } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { caseFolder } from '../helpers/store-case.js';
import { fillBucket } from '../helpers/store-filled.js';
import { bytes, host, tempFolder } from '../helpers/store-folder.js';
import { at } from '../helpers/world.js';

// Five thousand files of 20 KiB are made.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const COUNT = 5000;
const options = { ballastBytes: 0, host: host() };

/** Counts the records that are opened, and the bytes that are read of them. */
function counting(): { disk: Disk; seen: { opened: number; bytes: number } } {
  const seen = { opened: 0, bytes: 0 };
  const records = new Set<number>();
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      const fd = nodeDisk.openRead(path);
      if (path.includes('/k/')) {
        seen.opened += 1;
        records.add(fd);
      }
      return fd;
    },
    read: (fd, into, position) => {
      const count = nodeDisk.read(fd, into, position);
      if (records.has(fd)) seen.bytes += count;
      return count;
    },
    close: (fd) => {
      records.delete(fd);
      nodeDisk.close(fd);
    },
  };
  return { disk, seen };
}

async function allHeads(store: FileStore): Promise<Head[]> {
  const heads: Head[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(HEADS, cursor, 256);
    heads.push(...page.heads);
    if (page.next === null) return heads;
    cursor = page.next;
  }
}

test('C95 5,000 files of 20 KiB: a refresh reads what changed, a lost index hides nothing, the sweep holds a page of keys', async () => {
  const made = tempFolder();
  execFileSync(process.execPath, [join(caseFolder('C95'), 'make.mjs'), made, String(COUNT), '20']);
  const files = readdirSync(made);
  expect(files).toHaveLength(COUNT);
  const root = tempFolder();
  const keyOf = (file: string) => `klieo:local:1:${file.replace('.json', '')}`;
  function* records() {
    for (const file of files) yield { key: keyOf(file), value: readFileSync(join(made, file)), meta: `of ${file}` };
  }
  await fillBucket(root, HEADS, records(), host());
  rmSync(made, { recursive: true });

  // Cold: every header once, and of no conversation more than what a header's read brings along.
  const cold = counting();
  const first = await openStore(root, { ...options, disk: cold.disk });
  expect(await allHeads(first)).toHaveLength(COUNT);
  expect(cold.seen.opened).toBe(COUNT);
  expect(cold.seen.bytes).toBeLessThan(COUNT * 20 * 1024);
  await first.prepare(HEADS);
  await first.close();

  // Warm: the first rows are there without a single record being opened.
  const warm = counting();
  const store = await openStore(root, { ...options, disk: warm.disk });
  expect((await store.keysPage(HEADS, null, 256)).heads).toHaveLength(256);
  expect(warm.seen.opened).toBe(0);

  // One file changes: exactly one is read, by a window that was open and by one that opens now.
  const writer = await openStore(root, options);
  const changed = keyOf(files[4000] ?? '');
  await writer.put(HEADS, changed, bytes('changed'), { meta: 'changed' });
  await writer.close();
  for (const how of ['open', 'opened anew'] as const) {
    const { disk, seen } = counting();
    const reader = how === 'open' ? store : await openStore(root, { ...options, disk });
    const before = warm.seen.opened;
    expect((await allHeads(reader)).find(({ key }) => key === changed)).toMatchObject({ meta: 'changed', revision: 2 });
    expect(how === 'open' ? warm.seen.opened - before : seen.opened).toBe(1);
  }

  // The sweep asks for pages of 256 keys, and opens no record that is not due.
  const limits: number[] = [];
  const swept = new Proxy(store, {
    get: (target, name) =>
      name === 'keysPage'
        ? (bucket: string, cursor: string | null, limit: number) => {
            limits.push(limit);
            return target.keysPage(bucket, cursor, limit);
          }
        : Reflect.get(target, name, target),
  });
  const before = warm.seen.opened;
  const clock = { now: () => at('2030-01-01T00:00:00Z'), monotonic: () => 0 };
  expect(await sweep(swept, clock, { ttl: () => 1n })).toMatchObject({ reaped: 0, failed: null });
  expect(new Set(limits)).toEqual(new Set([PAGE]));
  expect(PAGE).toBe(256);
  expect(warm.seen.opened).toBe(before);
  await store.close();

  // A deleted and a spoilt index are made anew, and hide no file.
  const index = join(root, 'idx', `${HEADS}.jsonl`);
  rmSync(index);
  expect(await allHeads(await openStore(root, options))).toHaveLength(COUNT);
  writeFileSync(index, 'stale');
  expect(await allHeads(await openStore(root, options))).toHaveLength(COUNT);
});
