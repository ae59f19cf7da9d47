import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { Head } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { fillBucket } from '../helpers/store-filled.js';
import { bytes, host, recordFile, tempFolder } from '../helpers/store-folder.js';

// Thousands of files are made.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const options = { ballastBytes: 0, host: host() };
const snapshotOf = (root: string) => join(root, 'idx', 'runs.jsonl');

/** A store whose index is known: `count` keys, listed once and closed. */
async function warm(count: number): Promise<string> {
  const root = tempFolder();
  const records = Array.from({ length: count }, (_, n) => ({ key: `Run ${n}`, value: bytes(`${n}`), meta: `m${n}` }));
  await fillBucket(root, 'runs', records, host());
  const store = await openStore(root, options);
  await store.prepare('runs');
  await store.close();
  return root;
}

/** What a store's files were read for, and how many bytes of its snapshot. */
function watching(): { disk: Disk; records: string[]; looks: string[]; snapshotBytes: () => number } {
  const [records, looks]: [string[], string[]] = [[], []];
  const snapshots = new Set<number>();
  let read = 0;
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      if (path.includes('/k/')) records.push(path);
      const fd = nodeDisk.openRead(path);
      if (path.includes('/idx/')) snapshots.add(fd);
      return fd;
    },
    read: (fd, into, position) => {
      const count = nodeDisk.read(fd, into, position);
      if (snapshots.has(fd)) read += count;
      return count;
    },
    lstat: (path) => {
      if (path.endsWith('.json') && path.includes('/k/')) looks.push(path);
      return nodeDisk.lstat(path);
    },
  };
  return { disk, records, looks, snapshotBytes: () => read };
}

async function allHeads(store: FileStore, limit: number): Promise<Head[]> {
  const heads: Head[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage('runs', cursor, limit, { tombstones: true });
    heads.push(...page.heads);
    if (page.next === null) return heads;
    cursor = page.next;
  }
}

/** The answers of a store that has nothing but the files. */
async function coldHeads(root: string): Promise<Head[]> {
  const store = await openStore(root, { ...options, readOnly: true });
  rmSync(snapshotOf(root), { force: true });
  return allHeads(store, 1000);
}

test('guarantee 9: the first page of a warm store reads a page of the index and no record, whatever there is', async () => {
  const root = await warm(1200);
  const { disk, records, snapshotBytes } = watching();
  const store = await openStore(root, { ...options, disk });
  const page = await store.keysPage('runs', null, 100);
  expect(page.heads).toHaveLength(100);
  expect(records).toEqual([]);
  expect(snapshotBytes()).toBeLessThan(readFileSync(snapshotOf(root)).length * 0.75);
  expect(page.heads[0]).toMatchObject({ key: 'Run 0', meta: 'm0', revision: 1 });
  await store.close();
});

test('guarantee 9: pages of a warm store are those of a cold one after others wrote, deleted and added', async () => {
  const root = await warm(700);
  const other = await openStore(root, options);
  for (let n = 0; n < 30; n += 1) {
    await other.put('runs', `Run ${n * 17}`, bytes('newer'), { meta: `newer ${n}` });
    await other.put('runs', `Added ${n}`, bytes('added'), { meta: `added ${n}` });
    await other.delete('runs', `Run ${n * 13 + 1}`);
  }
  const store = await openStore(root, options);
  // What it reads or writes itself before the first page is in no way special.
  await store.get('runs', 'Run 5');
  await store.put('runs', 'Run 6', bytes('own'), { meta: 'own' });
  const { disk, records } = watching();
  const looked = await openStore(root, { ...options, disk });
  for (const limit of [23, 256, 5000]) {
    const heads = await allHeads(store, limit);
    expect(heads).toEqual(await allHeads(looked, limit));
    expect(new Set(heads.map(({ key }) => key)).size).toBe(heads.length);
  }
  // Only what changed is read: heads that stayed are known from the snapshot.
  expect(records.length).toBeLessThan(100);
  const [early, built] = [await allHeads(store, 256), await store.prepare('runs').then(() => allHeads(store, 256))];
  expect(built).toEqual(early);
  await store.close();
  expect(await coldHeads(root)).toEqual(early);
});

test('guarantee 9: a block that is not as it was written takes the whole snapshot out of use', async () => {
  const root = await warm(800);
  const right = (await coldHeads(root)).length;
  const again = await openStore(root, options);
  await again.prepare('runs');
  await again.close();
  const content = readFileSync(snapshotOf(root), 'utf8');
  writeFileSync(snapshotOf(root), content.replace('"m700"', '"m701"'));
  const store = await openStore(root, options);
  const heads = await allHeads(store, 100);
  expect(heads).toHaveLength(right);
  expect(heads.find(({ key }) => key === 'Run 700')?.meta).toBe('m700');
});

test('a cold index tells how far it is, and answers pages meanwhile', async () => {
  const root = await warm(1500);
  rmSync(snapshotOf(root));
  const store = await openStore(root, options);
  const told: [number, number][] = [];
  let done = false;
  const preparing = store.prepare('runs', (known, all) => told.push([known, all])).then(() => (done = true));
  const page = await store.keysPage('runs', null, 256);
  expect(page.heads).toHaveLength(256);
  expect(done).toBe(false);
  await preparing;
  expect(told.at(-1)).toEqual([1500, 1500]);
  expect(told.every(([known, all]) => known <= all)).toBe(true);
});

test('asking what cannot be trusted looks at a bounded number of records, and in rounds at all of them', async () => {
  const root = await warm(2300);
  const { disk, records, looks } = watching();
  const store = await openStore(root, { ...options, disk });
  const altered = recordFile(root, 'runs', 'Run 999', 1);
  const content = readFileSync(altered, 'utf8');
  writeFileSync(altered, `${content.slice(0, -1)}x`);
  let found = await store.quarantined();
  expect(records.length + looks.length).toBeLessThan(2050);
  for (let calls = 1; calls < 3 && found.length === 0; calls += 1) found = await store.quarantined();
  expect(found.map(({ key }) => key)).toEqual(['Run 999']);
  // Once found it stays listed, and it is gone once it is mended.
  expect(await store.quarantined()).toHaveLength(1);
  writeFileSync(altered, content);
  expect(await store.quarantined()).toEqual([]);
});
