import { appendFileSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CasConflict, StoreCorrupt } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { besideRecord, bytes, host, recordFile, recordName, tempFolder, text } from '../helpers/store-folder.js';

const options = { ballastBytes: 0, host: host() };

/** Counts what a write asks of the disk. `coarse`: all changes within one write look as if they came at one time. */
function counting(coarse = false): { disk: Disk; counts: { readdir: number; openRead: number; calls: number } } {
  const counts = { readdir: 0, openRead: 0, calls: 0 };
  const disk = { ...nodeDisk };
  for (const [name, call] of Object.entries(nodeDisk)) {
    Object.assign(disk, {
      [name]: (...args: unknown[]) => {
        counts.calls += 1;
        if (name === 'readdir' || name === 'openRead') counts[name] += 1;
        return Reflect.apply(call, nodeDisk, args);
      },
    });
  }
  const { lstat } = disk;
  if (coarse)
    disk.lstat = (path) => {
      const stat = lstat(path);
      if (stat.kind !== 'folder') return stat;
      return { ...stat, mtimeNs: stat.mtimeNs - (stat.mtimeNs % 2_000_000_000n), ctimeNs: 0n };
    };
  return { disk, counts };
}

async function hot(store: FileStore, from: number, to: number): Promise<void> {
  for (let revision = from; revision < to; revision += 1) {
    await store.cas('runs', 'hot', bytes(`${revision + 1}`), revision === 0 ? null : revision);
  }
}

test('a write costs the same at the 3rd and at the 300th revision of a key: nothing is listed, no head is read again', async () => {
  const { disk, counts } = counting();
  const store = await openStore(tempFolder(), { ...options, disk });
  const costs: number[] = [];
  for (let revision = 0; revision < 300; revision += 1) {
    const before = { ...counts };
    await hot(store, revision, revision + 1);
    costs.push(counts.calls - before.calls);
  }
  // Once a second the folder is listed all the same; in between every write asks the same of the disk.
  const usual = costs[2] ?? 0;
  expect(costs.slice(2).filter((cost) => cost > usual + 4)).toEqual([]);
  expect(costs.slice(2).filter((cost) => cost === usual).length).toBeGreaterThan(250);
  expect(usual).toBeLessThanOrEqual(20);
  expect(counts.openRead).toBeLessThanOrEqual(3);
});

test('where the clock is coarse, every write lists: no other process’s write hides in one tick', async () => {
  const { disk, counts } = counting(true);
  const root = tempFolder();
  const [store, other] = [await openStore(root, { ...options, disk }), await openStore(root, options)];
  for (let n = 0; n < 20; n += 2) {
    const before = counts.readdir;
    await hot(store, n, n + 1);
    expect(counts.readdir).toBeGreaterThan(before);
    await hot(other, n + 1, n + 2);
    expect(text((await store.get('runs', 'hot'))?.value)).toBe(`${n + 2}`);
  }
});

test('two processes that write in turn each build on the other’s revision', async () => {
  const root = tempFolder();
  const two = [await openStore(root, options), await openStore(root, options)] as const;
  for (let n = 0; n < 60; n += 1) {
    const [writer, other] = n % 3 === 0 ? two : ([two[1], two[0]] as const);
    await hot(writer, n, n + 1);
    await expect(other.cas('runs', 'hot', bytes('stale'), n === 0 ? 7 : n)).rejects.toBeInstanceOf(CasConflict);
    expect(await other.get('runs', 'hot')).toMatchObject({ revision: n + 1 });
  }
});

test('guarantee 10: a copy that another program makes beside a record stops the very next write', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  for (let n = 0; n < 20; n += 1) {
    const key = `a${n}`;
    await store.put('runs', key, bytes('1'));
    const copy = besideRecord(root, 'runs', key, recordName(key, 1).replace('.json', '.sync-conflict-1.json'));
    copyFileSync(recordFile(root, 'runs', key, 1), copy);
    await expect(store.cas('runs', key, bytes('2'), 1)).rejects.toThrow('looks like a copy');
    rmSync(copy);
    expect(await store.cas('runs', key, bytes('2'), 1)).toBe(2);
  }
});

test('guarantee 10: a head that was altered since it was written or read is refused by the very next write', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'own', bytes('1'));
  appendFileSync(recordFile(root, 'runs', 'own', 1), 'more');
  await expect(store.cas('runs', 'own', bytes('2'), 1)).rejects.toBeInstanceOf(StoreCorrupt);

  const other = await openStore(root, options);
  await other.put('runs', 'read', bytes('1'));
  await store.get('runs', 'read');
  writeFileSync(recordFile(root, 'runs', 'read', 1), 'something else');
  await expect(store.cas('runs', 'read', bytes('2'), 1)).rejects.toBeInstanceOf(StoreCorrupt);
  await expect(store.get('runs', 'read')).rejects.toBeInstanceOf(StoreCorrupt);
});

test('another process’s write in the moment of an own one is seen by the next read', async () => {
  const root = tempFolder();
  const other = await openStore(root, options);
  let act: (() => void) | null = null;
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      nodeDisk.link(from, to);
      const now = act;
      act = null;
      now?.();
    },
  };
  const store = await openStore(root, { ...options, disk });
  await hot(store, 0, 3);
  const done: Promise<unknown>[] = [];
  act = () => done.push(other.put('runs', 'hot', bytes('theirs')));
  expect(await store.cas('runs', 'hot', bytes('ours'), 3)).toBe(4);
  await Promise.all(done);
  expect(await store.get('runs', 'hot')).toMatchObject({ revision: 5 });
  await expect(store.cas('runs', 'hot', bytes('stale'), 4)).rejects.toMatchObject({ expected: 4, actual: 5 });
});
