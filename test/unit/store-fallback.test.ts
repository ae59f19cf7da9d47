import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CasConflict, StoreReadOnly } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { retryingDisk } from '../../electron/store/disk-retry.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { bytes, host, recordFile, tempFolder, text } from '../helpers/store-folder.js';
import { errno } from '../helpers/store-memory-disk.js';

const options = { ballastBytes: 0, host: host() };

function withoutLinks(code: string): Disk {
  return {
    ...nodeDisk,
    link: () => {
      throw errno(code);
    },
  };
}

test.each(['ENOTSUP', 'EPERM', 'EISDIR'])(
  'without hard links (%s) a record is a folder that is renamed into place',
  async (code) => {
    const root = tempFolder();
    const disk = withoutLinks(code);
    const store = await openStore(root, { ...options, disk });
    expect(store.readOnlyReason).toBeNull();
    expect(await store.cas('runs', 'a', bytes('one'), null, { meta: 'm' })).toBe(1);
    expect(await store.cas('runs', 'a', bytes('two'), 1)).toBe(2);
    await expect(store.cas('runs', 'a', bytes('x'), 1)).rejects.toMatchObject({ expected: 1, actual: 2 });
    expect(statSync(recordFile(root, 'runs', 'a', 2, 'folder')).isFile()).toBe(true);
    expect(await store.getRevision('runs', 'a', 1)).toEqual({ value: bytes('one'), revision: 1, meta: 'm' });
    expect(await store.delete('runs', 'a', 2)).toBe(3);
    expect(await store.head('runs', 'a')).toMatchObject({ revision: 3, deleted: true });
    const sha256 = await store.putPayload(bytes('payload'));
    expect(text((await store.getPayload(sha256)) ?? undefined)).toBe('payload');
    expect(await store.quarantined()).toEqual([]);
    expect(readdirSync(join(root, 'tmp'))).toEqual([]);
    // The same store is written the same way by a process that could make links.
    const other = await openStore(root, options);
    expect(await other.cas('runs', 'a', bytes('again'), null)).toBe(4);
    expect(existsSync(recordFile(root, 'runs', 'a', 4, 'folder'))).toBe(true);
  },
);

test('without hard links, too, one of two writers wins', async () => {
  const root = tempFolder();
  let meanwhile: (() => void) | null = null;
  const disk: Disk = {
    ...withoutLinks('ENOTSUP'),
    rename: (from, to) => {
      const act = meanwhile;
      meanwhile = null;
      act?.();
      nodeDisk.rename(from, to);
    },
  };
  const [slow, fast] = [await openStore(root, { ...options, disk }), await openStore(root, options)];
  await fast.put('runs', 'a', bytes('one'));
  const won: Promise<number>[] = [];
  meanwhile = () => won.push(fast.cas('runs', 'a', bytes('fast'), 1));
  await expect(slow.cas('runs', 'a', bytes('slow'), 1)).rejects.toBeInstanceOf(CasConflict);
  expect(await Promise.all(won)).toEqual([2]);
  expect(text((await slow.get('runs', 'a'))?.value)).toBe('fast');
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
});

test('without hard links, too, old revisions are thinned', async () => {
  const root = tempFolder();
  const retention = { keep: 8, distance: 8, ageMs: -1 };
  const store = await openStore(root, { ...options, disk: withoutLinks('ENOTSUP'), retention });
  for (let n = 0; n < 20; n += 1) await store.put('runs', 'a', bytes(`${n}`));
  expect(existsSync(join(recordFile(root, 'runs', 'a', 12, 'folder'), '..'))).toBe(false);
  expect(existsSync(recordFile(root, 'runs', 'a', 13, 'folder'))).toBe(true);
});

test('a volume that can do neither takes no new store, and an old one opens read-only', async () => {
  const root = tempFolder();
  const made: FileStore = await openStore(root, options);
  await made.put('runs', 'a', bytes('one'));
  const disk: Disk = {
    ...withoutLinks('ENOTSUP'),
    // A rename that replaces what is there: no compare-and-set can be built on it.
    rename: (_from, to) => {
      for (const name of nodeDisk.readdir(to)) nodeDisk.unlink(join(to, name));
    },
  };
  await expect(openStore(tempFolder(), { ...options, disk })).rejects.toBeInstanceOf(StoreReadOnly);
  const store = await openStore(root, { ...options, disk });
  expect(store.readOnlyReason).toMatch(/cannot publish a file exclusively/);
  expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
  await expect(store.put('runs', 'a', bytes('two'))).rejects.toBeInstanceOf(StoreReadOnly);
});

test('a link that replaces what is there is not taken for an exclusive one', async () => {
  const root = tempFolder();
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      if (existsSync(to)) nodeDisk.unlink(to);
      nodeDisk.link(from, to);
    },
  };
  const store = await openStore(root, { ...options, disk });
  await store.put('runs', 'a', bytes('one'));
  expect(existsSync(recordFile(root, 'runs', 'a', 1, 'folder'))).toBe(true);
});

test('a volume that cannot sync folders is written without, and says so in STORE.json', async () => {
  const root = tempFolder();
  const disk: Disk = {
    ...nodeDisk,
    fsync: (fd) => {
      if (nodeDisk.fstat(fd).kind === 'folder') throw errno('EINVAL');
      nodeDisk.fsync(fd);
    },
  };
  const store = await openStore(root, { ...options, disk });
  expect(await store.put('runs', 'a', bytes('one'))).toBe(1);
  expect(JSON.parse(readFileSync(join(root, 'STORE.json'), 'utf8'))).toMatchObject({ folderSync: false });
});

test('on Windows what a virus scanner is in the way of is tried again, for a while', () => {
  let left = 5;
  let slept = 0;
  const disk: Disk = {
    ...nodeDisk,
    unlink: () => {
      left -= 1;
      if (left > 0) throw errno('EBUSY');
    },
    fsync: () => {
      throw errno('EPERM');
    },
  };
  const windows = retryingDisk(disk, 'win32', (ms) => (slept += ms));
  windows.unlink('x');
  expect(left).toBe(0);
  expect(slept).toBe(40);
  left = 1000;
  expect(() => windows.unlink('x')).toThrow('EBUSY');
  expect(slept).toBeLessThan(600);
  left = 5;
  slept = 0;
  expect(() => windows.fsync(1)).toThrow('EPERM');
  expect(() => retryingDisk(disk, 'linux', (ms) => (slept += ms)).unlink('x')).toThrow('EBUSY');
  expect(slept).toBe(0);
});

test('on Windows folders are not synced', async () => {
  let folders = 0;
  const disk: Disk = {
    ...nodeDisk,
    openFolder: () => {
      folders += 1;
      throw errno('EPERM');
    },
  };
  const store = await openStore(tempFolder(), { ...options, disk, platform: 'win32' });
  expect(await store.put('runs', 'a', bytes('one'))).toBe(1);
  expect(folders).toBe(0);
});
