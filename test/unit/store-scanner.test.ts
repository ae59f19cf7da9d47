import { describe, expect, test } from 'vitest';
import { StoreFault, StoreFull } from '../../electron/store/contract.js';
import type { Disk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { caseText } from '../helpers/store-case.js';
import { type Call, FaultDisk } from '../helpers/store-fault-disk.js';
import { bytes, host, text } from '../helpers/store-folder.js';
import { MemoryDisk } from '../helpers/store-memory-disk.js';

const ROOT = '/data/store';
/** A call is tried so often, 10 ms apart: half a second. */
const MOST_TRIES = 50;
const open = (disk: Disk, platform: NodeJS.Platform = 'win32') =>
  openStore(ROOT, { disk, host: host(), ballastBytes: 0, platform });

async function prepared() {
  const memory = new MemoryDisk();
  const faulty = new FaultDisk(memory);
  const store = await open(faulty.disk);
  await store.put('runs', 'a', bytes('unclaimed'));
  return { memory, faulty, store };
}

const fake: { rename: [{ times: number; code: string }, unknown]; rename_forever: { code: string } } = JSON.parse(
  caseText('C84', 'fake-fs.json'),
);

describe('C84 a virus scanner holds the file', () => {
  test.each(['EPERM', 'EBUSY', 'EACCES'])(
    'three times %s, then it goes: one saved record, and nobody notices',
    async (code) => {
      const { memory, faulty, store } = await prepared();
      const [{ times }] = fake.rename;
      faulty.arm({ call: 'link', nth: 1, code, times });
      expect(await store.cas('runs', 'a', bytes('claimed'), 1)).toBe(2);
      expect(faulty.struck).toBe(times);
      expect(text((await store.get('runs', 'a'))?.value)).toBe('claimed');
      expect(memory.readdir(`${ROOT}/tmp`)).toEqual([]);
    },
  );

  test('endlessly: after a bounded time the claim fails closed, the old record stays, and the words say why', async () => {
    const { memory, faulty, store } = await prepared();
    faulty.arm({ call: 'link', nth: 1, code: fake.rename_forever.code, times: Number.POSITIVE_INFINITY });
    const failed = await store.cas('runs', 'a', bytes('claimed'), 1).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreFault);
    expect(String(failed)).toMatch(/publish .*k-a\.0000000002\.json.*in use by another program \(EBUSY\)/);
    expect(faulty.struck).toBe(MOST_TRIES);
    expect(await store.get('runs', 'a')).toMatchObject({ revision: 1, value: bytes('unclaimed') });
    expect(memory.readdir(`${ROOT}/tmp`)).toEqual([]);
    faulty.heal();
    expect(await store.cas('runs', 'a', bytes('claimed'), 1)).toBe(2);
  });

  test('nothing is ever written in place: every file is new, under tmp/, and gets its name when it is whole', async () => {
    const { faulty, store } = await prepared();
    const written: string[] = [];
    const { openNew } = faulty.disk;
    faulty.disk.openNew = (path) => {
      written.push(path);
      return openNew(path);
    };
    const again = await open(faulty.disk);
    faulty.arm({ call: 'link', nth: 1, code: 'EBUSY', times: Number.POSITIVE_INFINITY });
    await expect(again.cas('runs', 'a', bytes('claimed'), 1)).rejects.toBeInstanceOf(StoreFault);
    expect(written.filter((path) => !path.startsWith(`${ROOT}/tmp/`))).toEqual([]);
    expect(written.length).toBeGreaterThan(0);
    expect(text((await store.getRevision('runs', 'a', 1))?.value)).toBe('unclaimed');
  });

  test('out of handles once: the words say so, and the next try goes through', async () => {
    const { faulty, store } = await prepared();
    faulty.arm({ call: 'openNew', nth: 1, code: 'EMFILE', times: 1 });
    await expect(store.cas('runs', 'a', bytes('claimed'), 1)).rejects.toBeInstanceOf(StoreFull);
    expect(await store.cas('runs', 'a', bytes('claimed'), 1)).toBe(2);
  });
});

describe('guarantee 6: on Windows what passes is waited for, and no longer', () => {
  const calls: Call[] = ['openNew', 'openRead', 'link', 'readdir', 'lstat', 'mkdir'];
  test.each(calls)('%s', async (call) => {
    for (const times of [1, 7, MOST_TRIES - 1]) {
      const { faulty, store } = await prepared();
      faulty.arm({ call, nth: 1, code: 'EPERM', times });
      expect(await store.put('runs', 'b', bytes('b'))).toBe(1);
      expect(text((await (await open(faulty.disk)).get('runs', 'b'))?.value)).toBe('b');
    }
  });

  test('a sync is never tried again: a second one could say yes to bytes that the first one dropped', async () => {
    const { faulty, store } = await prepared();
    faulty.arm({ call: 'fsync', nth: 1, code: 'EPERM', times: 1 });
    await expect(store.cas('runs', 'a', bytes('claimed'), 1)).rejects.toThrow(/Could not sync/);
    expect(faulty.struck).toBe(1);
  });

  test('elsewhere EPERM means what it says, and is told at once', async () => {
    const memory = new MemoryDisk();
    const faulty = new FaultDisk(memory);
    const store = await open(faulty.disk, 'linux');
    faulty.arm({ call: 'link', nth: 1, code: 'EPERM', times: Number.POSITIVE_INFINITY });
    await expect(store.put('runs', 'a', bytes('one'))).rejects.toThrow(/no rights to write there \(EPERM\)/);
    expect(faulty.struck).toBe(1);
  });
});
