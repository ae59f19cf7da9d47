import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CasConflict, CasIndeterminate, StoreFault } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { bytes, host, recordFile, tempFolder } from '../helpers/store-folder.js';
import { errno } from '../helpers/store-memory-disk.js';

const retention = { keep: 8, distance: 8, ageMs: -1 };
const options = { ballastBytes: 0, host: host(), retention };

interface Publishing {
  root: string;
  store: FileStore;
  other: FileStore;
  /** What the next link of a record does. */
  next(link: Disk['link']): void;
}

/** A store whose volume tells what it likes about how many names a file has. */
async function publishing(names: number | null): Promise<Publishing> {
  const root = tempFolder();
  let link: Disk['link'] | null = null;
  const lying = <T extends { nlink: number }>(found: T): T => (names === null ? found : { ...found, nlink: names });
  const disk: Disk = {
    ...nodeDisk,
    fstat: (fd) => lying(nodeDisk.fstat(fd)),
    lstat: (path) => lying(nodeDisk.lstat(path)),
    link: (from, to) => {
      const now = to.includes(join(root, 'k')) ? link : null;
      if (now !== null) link = null;
      (now ?? nodeDisk.link)(from, to);
    },
  };
  const store = await openStore(root, { ...options, disk });
  const other = await openStore(root, options);
  for (const key of ['a', 'b']) await store.put('runs', key, bytes('1'));
  return { root, store, other, next: (now) => (link = now) };
}

const WAYS = {
  cas: async (store: FileStore): Promise<unknown> => store.cas('runs', 'a', bytes('mine'), 1),
  casMany: async (store: FileStore): Promise<unknown> => {
    const value = bytes('mine');
    const [first] = await store.casMany('runs', [
      { key: 'a', value, expected: 1 },
      { key: 'b', value, expected: 1 },
    ]);
    if (first instanceof Error) throw first;
    return first;
  },
};

describe.each(Object.entries(WAYS))(
  'guarantee 6: who has published by %s is told by the file, not by a count of its names',
  (_, write) => {
    test.each([1, 2, 7, null])('the deed was done and its answer lost; the volume counts %s', async (names) => {
      const { store, other, next } = await publishing(names);
      next((from, to) => {
        nodeDisk.link(from, to);
        throw errno('EIO');
      });
      expect(await write(store)).toBe(2);
      expect((await other.get('runs', 'a'))?.value).toEqual(bytes('mine'));
    });

    test.each([1, 2, 7, null])(
      'another writer was first, and a tool has given ours another name; the volume counts %s',
      async (names) => {
        const { root, store, other, next } = await publishing(names);
        next((from, to) => {
          nodeDisk.link(from, join(root, 'tmp', 'a-backup-of-it'));
          void other.put('runs', 'a', bytes('theirs'));
          nodeDisk.link(from, to);
        });
        await expect(write(store)).rejects.toBeInstanceOf(CasConflict);
        expect((await other.get('runs', 'a'))?.value).toEqual(bytes('theirs'));
      },
    );

    test.each([1, 2, 7, null])('nothing was done; the volume counts %s', async (names) => {
      const { root, store, other, next } = await publishing(names);
      next((from) => {
        nodeDisk.link(from, join(root, 'tmp', 'a-backup-of-it'));
        throw errno('EIO');
      });
      await expect(write(store)).rejects.toBeInstanceOf(StoreFault);
      expect((await other.get('runs', 'a'))?.revision).toBe(1);
    });
  },
);

test('guarantee 6: a folder that went away before it was published is no publish', async () => {
  const root = tempFolder();
  let away = false;
  const disk: Disk = {
    ...nodeDisk,
    link: () => {
      throw errno('EPERM');
    },
    rename: (from, to) => {
      if (away && to.includes(join(root, 'k'))) rmSync(from, { recursive: true });
      nodeDisk.rename(from, to);
    },
  };
  const store = await openStore(root, { ...options, disk });
  await store.put('runs', 'a', bytes('1'));
  away = true;
  await expect(store.cas('runs', 'a', bytes('2'), 1)).rejects.toBeInstanceOf(CasIndeterminate);
  away = false;
  expect((await store.get('runs', 'a'))?.revision).toBe(1);
});

test.each(Object.entries(WAYS))(
  'guarantee 4: a stale %s does not stand on another record that came to lie in the slot it was built on',
  async (_, write) => {
    const { root, store, other, next } = await publishing(null);
    const elsewhere = tempFolder();
    const stale = await openStore(elsewhere, options);
    await stale.put('runs', 'a', bytes('1'));
    const first = recordFile(root, 'runs', 'a', 1);
    next((from, to) => {
      // Others went on until thinning had freed both slots, and then one that slept as well took the lower one.
      for (let n = 0; n < 20; n += 1) void other.put('runs', 'a', bytes(`${n}`));
      writeFileSync(first, readFileSync(recordFile(elsewhere, 'runs', 'a', 1)));
      nodeDisk.link(from, to);
    });
    await expect(write(store)).rejects.toBeInstanceOf(CasConflict);
    expect(nodeDisk.readdir(dirname(first)).filter((name) => name.startsWith('k-a.0000000002'))).toEqual([]);
  },
);
