import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CasConflict, CasIndeterminate, StoreFault, StoreFull, StoreReadOnly } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { besideRecord, bytes, host, tempFolder, text } from '../helpers/store-folder.js';
import { errno } from '../helpers/store-memory-disk.js';

type Call = 'openNew' | 'write' | 'fileSync' | 'folderSync' | 'link' | 'readdir' | 'openFolder' | 'openRead';

/** A disk that fails one kind of call while it is told to. */
class FaultyDisk {
  fail: { call: Call; code: string; after?: boolean } | null = null;
  failures = 0;
  readonly disk: Disk;

  constructor() {
    const run = <T>(call: Call, act: () => T): T => {
      if (this.fail?.call !== call) return act();
      this.failures += 1;
      if (this.fail.after === true) act();
      throw errno(this.fail.code);
    };
    this.disk = {
      ...nodeDisk,
      openNew: (path) => run('openNew', () => nodeDisk.openNew(path)),
      openRead: (path) =>
        path.includes('/k/') ? run('openRead', () => nodeDisk.openRead(path)) : nodeDisk.openRead(path),
      openFolder: (path) => run('openFolder', () => nodeDisk.openFolder(path)),
      write: (fd, data, position) => run('write', () => nodeDisk.write(fd, data, position)),
      fsync: (fd) => {
        const call = nodeDisk.fstat(fd).kind === 'file' ? 'fileSync' : 'folderSync';
        run(call, () => nodeDisk.fsync(fd));
      },
      link: (from, to) => run('link', () => nodeDisk.link(from, to)),
      readdir: (path) => run('readdir', () => nodeDisk.readdir(path)),
    };
  }
}

async function prepared(ballastBytes = 0): Promise<{ store: FileStore; faulty: FaultyDisk; root: string }> {
  const faulty = new FaultyDisk();
  const root = tempFolder();
  const store = await openStore(root, { disk: faulty.disk, ballastBytes, host: host() });
  await store.put('runs', 'a', bytes('one'));
  await store.put('runs', 'b', bytes('one'));
  return { store, faulty, root };
}

const before: [Call, string, new () => Error, RegExp][] = [
  ['openNew', 'ENOSPC', StoreFull, /Could not create .*tmp.*no space left \(ENOSPC\)/],
  ['openNew', 'EDQUOT', StoreFull, /no space left \(EDQUOT\)/],
  ['openNew', 'EMFILE', StoreFull, /Could not create .*too many files are open.*EMFILE/],
  ['openNew', 'EROFS', StoreReadOnly, /Could not create .*read-only \(EROFS\)/],
  ['openNew', 'EACCES', StoreReadOnly, /no rights to write there \(EACCES\)/],
  ['write', 'ENOSPC', StoreFull, /Could not write .*ENOSPC/],
  ['write', 'EIO', StoreFault, /Could not write .*EIO/],
  ['write', 'EFBIG', StoreFault, /Could not write .*EFBIG/],
  ['fileSync', 'EIO', StoreFault, /Could not sync .*EIO/],
  ['fileSync', 'ENOSPC', StoreFull, /Could not sync .*ENOSPC/],
  ['openFolder', 'EMFILE', StoreFull, /Could not open the folder .*EMFILE/],
  ['link', 'EIO', StoreFault, /Could not publish .*k-a\.0000000002\.json.*EIO/],
  ['link', 'ENOSPC', StoreFull, /Could not publish .*ENOSPC/],
  ['link', 'EPERM', StoreReadOnly, /Could not publish .*EPERM/],
  ['readdir', 'EMFILE', StoreFull, /Could not list .*EMFILE/],
];

test.each(before)('guarantee 6: %s failing with %s leaves the key as it was', async (call, code, type, says) => {
  const { store, faulty, root } = await prepared();
  faulty.fail = { call, code };
  for (let n = 0; n < 3; n += 1) {
    // Another program changes the folder: so its names are listed anew.
    if (call === 'readdir') writeFileSync(besideRecord(root, 'runs', 'a', '.DS_Store'), `${n}`);
    if (call === 'readdir') rmSync(besideRecord(root, 'runs', 'a', '.DS_Store'));
    const failed = await store.cas('runs', 'a', bytes('two'), 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(type);
    expect(String(failed)).toMatch(says);
  }
  if (call !== 'readdir') expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
  faulty.fail = null;
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  expect((await store.head('runs', 'a'))?.revision).toBe(1);
  expect(await store.quarantined()).toEqual([]);
  // One failed write never poisons later ones (no reopening).
  expect(await store.cas('runs', 'a', bytes('two'), 1)).toBe(2);
  expect(await store.put('runs', 'b', bytes('two'))).toBe(2);
});

test('guarantee 6: a folder whose sync fails after the publish leaves it in doubt, never a success or a conflict', async () => {
  const { store, faulty } = await prepared();
  faulty.fail = { call: 'folderSync', code: 'EIO' };
  const doubt = await store.cas('runs', 'a', bytes('two'), 1).catch((error: unknown) => error);
  expect(doubt).toBeInstanceOf(CasIndeterminate);
  expect(String(doubt)).toMatch(/k-a\.0000000002\.json was published.*EIO/);
  expect(faulty.failures).toBe(1);
  await expect(store.put('runs', 'b', bytes('two'))).rejects.toBeInstanceOf(CasIndeterminate);
  await expect(store.delete('runs', 'b')).rejects.toBeInstanceOf(CasIndeterminate);
  faulty.fail = null;
  expect((await store.head('runs', 'a'))?.revision).toBe(2);
  expect(await store.cas('runs', 'a', bytes('three'), 2)).toBe(3);
});

test('guarantee 6: a listing that fails after the publish leaves it in doubt', async () => {
  const { store, faulty } = await prepared();
  const { link } = faulty.disk;
  faulty.disk.link = (from, to) => {
    link(from, to);
    faulty.fail = { call: 'readdir', code: 'EMFILE' };
  };
  // A new key is built on nothing that could be looked at instead.
  await expect(store.cas('runs', 'new', bytes('one'), null)).rejects.toBeInstanceOf(CasIndeterminate);
});

test('guarantee 6: a look that fails after the publish leaves it in doubt', async () => {
  const { store, faulty } = await prepared();
  const { link, lstat } = faulty.disk;
  let published = false;
  faulty.disk.link = (from, to) => {
    link(from, to);
    published = true;
  };
  faulty.disk.lstat = (path) => {
    if (published && path.endsWith('k-a.0000000001.json')) throw errno('EIO');
    return lstat(path);
  };
  await expect(store.cas('runs', 'a', bytes('two'), 1)).rejects.toBeInstanceOf(CasIndeterminate);
});

test.each(['EIO', 'EEXIST', 'ESTALE'])('a link that reports %s although it was made has won', async (code) => {
  const { store, faulty } = await prepared();
  faulty.fail = { call: 'link', code, after: true };
  expect(await store.cas('runs', 'a', bytes('two'), 1)).toBe(2);
  faulty.fail = null;
  expect(text((await store.get('runs', 'a'))?.value)).toBe('two');
  await expect(store.cas('runs', 'a', bytes('x'), 1)).rejects.toBeInstanceOf(CasConflict);
});

test('when not even the file that has the name can be asked, the write is in doubt', async () => {
  const { store, faulty, root } = await prepared();
  const { lstat } = faulty.disk;
  faulty.disk.lstat = (path) => {
    if (path.startsWith(join(root, 'k')) && path.includes('0000000002')) throw errno('EIO');
    return lstat(path);
  };
  faulty.fail = { call: 'link', code: 'EIO', after: true };
  await expect(store.cas('runs', 'a', bytes('two'), 1)).rejects.toBeInstanceOf(CasIndeterminate);
});

test('a disk that takes bytes in small pieces gets them all', async () => {
  const root = tempFolder();
  const disk: Disk = { ...nodeDisk, write: (fd, data, position) => nodeDisk.write(fd, data.subarray(0, 7), position) };
  const store = await openStore(root, { disk, ballastBytes: 0, host: host() });
  const value = bytes('piece by piece '.repeat(100));
  await store.put('runs', 'a', value);
  expect(await (await openStore(root, { ballastBytes: 0, host: host() })).get('runs', 'a')).toMatchObject({ value });
  disk.write = () => 0;
  await expect(store.put('runs', 'a', value)).rejects.toBeInstanceOf(StoreFault);
});

test('guarantee 7: a full disk still takes tombstones and settles, by giving up the ballast once', async () => {
  const { store, faulty, root } = await prepared(4096);
  const ballast = join(root, 'ballast');
  expect(existsSync(ballast)).toBe(true);
  const { unlink } = faulty.disk;
  faulty.disk.unlink = (path) => {
    if (path === ballast) faulty.fail = null;
    unlink(path);
  };
  faulty.fail = { call: 'write', code: 'ENOSPC' };
  await expect(store.cas('runs', 'a', bytes('claim'), 1)).rejects.toBeInstanceOf(StoreFull);
  expect(existsSync(ballast)).toBe(true);
  expect(await store.cas('runs', 'a', bytes('settled'), 1, { reserve: true })).toBe(2);
  expect(existsSync(ballast)).toBe(false);
  faulty.fail = { call: 'write', code: 'ENOSPC' };
  await expect(store.delete('runs', 'b')).rejects.toBeInstanceOf(StoreFull);
  faulty.fail = null;
  expect(await store.delete('runs', 'b')).toBe(2);
  await openStore(root, { ballastBytes: 4096, host: host() });
  expect(existsSync(ballast)).toBe(true);
});

test('too many open files never give up the ballast', async () => {
  const { store, faulty, root } = await prepared(4096);
  faulty.fail = { call: 'openNew', code: 'EMFILE' };
  await expect(store.delete('runs', 'a')).rejects.toThrow('too many files');
  expect(existsSync(join(root, 'ballast'))).toBe(true);
});

test('guarantee 7: out of handles says nothing about a record: no quarantine, and it reads again', async () => {
  const { store, faulty } = await prepared();
  faulty.fail = { call: 'openRead', code: 'EMFILE' };
  await expect(store.get('runs', 'a')).rejects.toBeInstanceOf(StoreFull);
  faulty.fail = null;
  expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
  expect(await store.quarantined()).toEqual([]);
});

test('guarantee 7: a folder that cannot be written opens read-only, says why, and is written again when it can be', async () => {
  const root = tempFolder();
  await (await openStore(root, { ballastBytes: 0, host: host() })).put('runs', 'a', bytes('one'));
  const faulty = new FaultyDisk();
  faulty.fail = { call: 'openNew', code: 'EROFS' };
  const store = await openStore(root, { disk: faulty.disk, ballastBytes: 0, host: host() });
  expect(store.readOnlyReason).toMatch(/read-only \(EROFS\)/);
  expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
  expect((await store.keysPage('runs', null, 9)).heads).toHaveLength(1);
  await expect(store.put('runs', 'a', bytes('two'))).rejects.toBeInstanceOf(StoreReadOnly);
  await expect(store.putPayload(bytes('x'))).rejects.toBeInstanceOf(StoreReadOnly);
  faulty.fail = null;
  expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
  expect(store.readOnlyReason).toBeNull();
});

test('a full disk does not keep a store from opening', async () => {
  const root = tempFolder();
  await (await openStore(root, { ballastBytes: 0, host: host() })).put('runs', 'a', bytes('one'));
  const faulty = new FaultyDisk();
  faulty.fail = { call: 'openNew', code: 'ENOSPC' };
  const store = await openStore(root, { disk: faulty.disk, ballastBytes: 4096, host: host() });
  expect(store.readOnlyReason).toBeNull();
  await expect(store.put('runs', 'a', bytes('two'))).rejects.toBeInstanceOf(StoreFull);
  faulty.fail = null;
  expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
});

test('a new store in a folder that cannot be written is refused by its type', async () => {
  const faulty = new FaultyDisk();
  faulty.fail = { call: 'openNew', code: 'EACCES' };
  await expect(openStore(tempFolder(), { disk: faulty.disk, host: host() })).rejects.toBeInstanceOf(StoreReadOnly);
});
