import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readHead } from '../../electron/checkpoints/records.js';
import { StoreCorrupt } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { encodeKey, slotName } from '../../electron/store/names.js';
import { storeRefusal } from '../../electron/store/refusal.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { caseFolder, caseText } from '../helpers/store-case.js';
import { FaultDisk } from '../helpers/store-fault-disk.js';
import {
  besideRecord,
  bytes,
  host,
  inventory,
  recordFile,
  recordName,
  tempFolder,
  text,
} from '../helpers/store-folder.js';
import { errno, MemoryDisk } from '../helpers/store-memory-disk.js';
import { klieoRecord, unwrap, World } from '../helpers/world.js';

const options = { ballastBytes: 0, host: host() };

/** A run that was approved, in a store on a disk that can fail. */
async function approved() {
  const faulty = new FaultDisk(new MemoryDisk());
  const store = await openStore('/data/store', { ...options, disk: faulty.disk, platform: 'linux' });
  const world = new World({}, store);
  const key = await world.put(klieoRecord({ calls: [{ id: 'c', name: 'run_shell', args: '{}' }] }));
  unwrap(await world.decide(key, ['approve']));
  return { faulty, store, world, key };
}

/** What a person is told when the claim does not go through. */
async function toldBy(world: World, key: SuspensionKey): Promise<{ code: string; text: string }> {
  const outcome = await world.resume(key).catch((error: unknown) => storeRefusal(error));
  if (outcome.ok) throw new Error('it went through');
  return outcome.refusal;
}

describe('C82 a disk that fills up while the claim is written', () => {
  test.each([
    ['write', 'ENOSPC', 'store_full'],
    ['fsync', 'ENOSPC', 'store_full'],
    ['link', 'ENOSPC', 'store_full'],
    ['openNew', 'ENOSPC', 'store_full'],
    ['link', 'EIO', 'fault'],
  ] as const)(
    '%s fails with %s: refused, no call fires, the old record is intact, and later it goes through',
    async (call, code, refusal) => {
      const { faulty, store, world, key } = await approved();
      const before = await readHead(store, key);
      faulty.arm({ call, nth: 1, code, times: Number.POSITIVE_INFINITY });
      const told = await toldBy(world, key);
      expect(told.code).toBe(refusal);
      expect(told.text).toMatch(code === 'ENOSPC' ? /Nothing was saved: .*no space left/ : /Nothing was saved: .*EIO/);
      expect(world.ledger).toEqual([]);
      expect(await readHead(store, key)).toEqual(before);
      faulty.heal();
      expect(faulty.disk.readdir('/data/store/tmp')).toEqual([]);
      // Space is back: no restart is needed.
      unwrap(await world.resume(key));
      expect(world.ledger).toHaveLength(1);
    },
  );

  test('a sync of the folder that fails leaves the claim in doubt, and in doubt no call fires', async () => {
    const { faulty, world, key } = await approved();
    const { fsync } = faulty.disk;
    faulty.disk.fsync = (fd) => {
      if (faulty.disk.fstat(fd).kind === 'folder') throw errno('ENOSPC');
      fsync(fd);
    };
    const store = await openStore('/data/store', { ...options, disk: faulty.disk, platform: 'linux' });
    world.store = store;
    expect((await toldBy(world, key)).code).toBe('in_doubt');
    expect(world.ledger).toEqual([]);
  });

  test('a write that takes half is gone on with: what is published is as long as it was meant to be', async () => {
    const memory = new MemoryDisk();
    let halves = 0;
    const disk: Disk = {
      ...memory,
      write: (fd, data, position) => {
        halves += 1;
        return memory.write(fd, data.subarray(0, Math.ceil(data.byteLength / 2)), position);
      },
    };
    const store = await openStore('/data/store', { ...options, disk, platform: 'linux' });
    await store.put('runs', 'a', bytes('whole '.repeat(2000)));
    expect(halves).toBeGreaterThan(2);
    expect(text((await store.get('runs', 'a'))?.value)).toBe('whole '.repeat(2000));
  });
});

describe('C85 copies that folder-sync programs made', () => {
  const RUN = '504NSVSTANBVGAD3TS1HEH5V60';
  const names = [
    `${RUN} (Reviewer B's conflicted copy 2026-03-02).json`,
    `${RUN}.sync-conflict-20260302-100237-ABCDEF7.json`,
    `${RUN}-LAPTOP2.json`,
    `${RUN} (1).json`,
  ];
  const ignored = ['desktop.ini', '.DS_Store', `.~${RUN}.json.tmp`, `.syncthing.${RUN}.json.tmp`];
  const from = (name: string) => join(caseFolder('C85'), 'store', name);

  /** The folder of the case, under the names that the store gives the run. */
  async function copied() {
    const root = tempFolder();
    const store = await openStore(root, options);
    await store.put('runs', 'good', bytes('good'));
    await store.put('runs', 'run', new Uint8Array(readFileSync(from(`${RUN}.json`))));
    const own = recordName('run', 1).replace('.json', '');
    const place = (name: string) => besideRecord(root, 'runs', 'run', name.replace(RUN, own));
    for (const name of [...names, ...ignored]) copyFileSync(from(name), place(name));
    copyFileSync(recordFile(root, 'runs', 'run', 1), besideRecord(root, 'runs', 'run', `${own} (2).json`));
    return { root, store, place };
  }

  test('guarantee 10: one key, blocked; each copy is listed, and whether it is the same; temporary and system files are ignored', async () => {
    const { root, store } = await copied();
    const before = inventory(root, ['idx', 'tmp']);
    const found = await store.quarantined();
    expect(found.map(({ key }) => key)).toEqual(['run', 'run', 'run', 'run', 'run']);
    const alike = found.filter(({ reason }) => reason.includes('its bytes are those of revision 1'));
    expect(alike.map(({ file }) => file)).toEqual([expect.stringContaining('(2)')]);
    expect(found.filter(({ reason }) => reason.includes('those of no revision here'))).toHaveLength(4);
    // No second row, and none that could be approved: one copy may hold the latch.
    expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
    await expect(store.get('runs', 'run')).rejects.toBeInstanceOf(StoreCorrupt);
    await expect(store.cas('runs', 'run', bytes('claimed'), 1)).rejects.toBeInstanceOf(StoreCorrupt);
    // They can be compared, and none goes by itself.
    for (const { file, size } of found) expect((await store.readQuarantined(file)).byteLength).toBe(size);
    await store.close();
    expect(inventory(root, ['idx', 'tmp'])).toEqual(before);
  });

  test('a file whose name and inner key disagree is flagged, and is neither run', async () => {
    const root = tempFolder();
    const store = await openStore(root, options);
    await store.put('runs', 'one', bytes('one'));
    mkdirSync(besideRecord(root, 'runs', 'other', '.'), { recursive: true });
    copyFileSync(recordFile(root, 'runs', 'one', 1), recordFile(root, 'runs', 'other', 1));
    const found = await store.quarantined();
    expect(found).toMatchObject([{ reason: expect.stringContaining('another key') }]);
    expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['one']);
  });
});

/** Windows: device names in any case and with any extension, no trailing dot or space, no difference of case. */
function windowsDisk(): Disk {
  const memory = new MemoryDisk();
  const check = (path: string): string => {
    for (const part of path.split('/').filter((one) => one !== '')) {
      const stem = part.split('.')[0] ?? '';
      if (/^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i.test(stem)) throw errno('ENOENT');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what Windows refuses
      if (/[. ]$/.test(part) || /[<>:"\\|?*\u0000-\u001f]/.test(part)) throw errno('EINVAL');
    }
    return path.toLowerCase().replace('/store.json', '/STORE.json');
  };
  const disk: Disk = { ...memory };
  for (const call of [
    'openNew',
    'openRead',
    'stat',
    'lstat',
    'unlink',
    'mkdir',
    'rmdir',
    'readdir',
    'openFolder',
  ] as const) {
    const original = memory[call] as (path: string) => unknown;
    Object.assign(disk, { [call]: (path: string) => original(check(path)) });
  }
  for (const call of ['link', 'rename'] as const) {
    Object.assign(disk, { [call]: (one: string, other: string) => memory[call](check(one), check(other)) });
  }
  return disk;
}

describe.each([
  ['C89 names that Windows keeps for devices', 'C89', 16],
  ['C91 ids that differ only in what a sanitiser would remove', 'C91', 8],
  ['C87 ids that are paths', 'C87', 24],
])('%s', (_name, id, count) => {
  const ids: string[] = JSON.parse(caseText(id, 'ids.json'));

  test('guarantee 10: each has a record of its own, under the rules of Windows too', async () => {
    expect(ids).toHaveLength(count);
    const store = await openStore('/data/store', { ...options, disk: windowsDisk(), platform: 'win32' });
    for (const one of ids) await store.cas('runs', one, bytes(`record of ${one}`), null);
    await store.cas('runs', ids[0] ?? '', bytes('claimed'), 1);
    for (const one of ids.slice(1)) {
      expect(await store.get('runs', one)).toMatchObject({ revision: 1, value: bytes(`record of ${one}`) });
    }
    expect(text((await store.get('runs', ids[0] ?? ''))?.value)).toBe('claimed');
    const listed = (await store.keysPage('runs', null, 99)).heads.map(({ key }) => key);
    expect(listed.sort()).toEqual([...ids].sort());
    expect(await store.quarantined()).toEqual([]);
  });

  test('no derived name is a reserved one, and none differs from another by case alone', () => {
    const derived = ids.map((one) => slotName({ enc: encodeKey(one), revision: 1, form: 'file' }));
    for (const name of derived) expect(name).toMatch(/^[kh]-[a-z0-9_%-]*\.\d{10}\.json$/);
    expect(new Set(derived.map((name) => name.toLowerCase())).size).toBe(ids.length);
  });
});

test('C91 when two files claim the same key, both are reported', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'a/b', bytes('one'));
  await store.put('runs', 'a_b', bytes('other'));
  writeFileSync(besideRecord(root, 'runs', 'a/b', recordName('a/b', 1).replace('.json', ' (1).json')), 'two');
  expect((await store.quarantined()).map(({ key }) => key)).toEqual(['a/b']);
  expect(text((await store.get('runs', 'a_b'))?.value)).toBe('other');
});

describe('C92 a folder that cannot be written, or not even opened', () => {
  test.each(['EACCES', 'EROFS'])(
    '%s: it is listed and read, writing is refused with the reason, and closing is quiet',
    async (code) => {
      const root = tempFolder();
      await (await openStore(root, options)).put('runs', 'a', bytes('one'));
      const faulty = new FaultDisk(nodeDisk);
      faulty.arm({ call: 'openNew', nth: 1, code, times: Number.POSITIVE_INFINITY });
      const store = await openStore(root, { ...options, disk: faulty.disk });
      expect(store.readOnlyReason).toContain(code);
      expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
      const refused = await store.cas('runs', 'a', bytes('claimed'), 1).catch((error: unknown) => storeRefusal(error));
      expect(refused).toMatchObject({ ok: false, refusal: { code: 'store_read_only' } });
      const before = inventory(root);
      await store.close();
      expect(inventory(root)).toEqual(before);
    },
  );

  test('0000: the words name the folder, and nothing is taken for empty', async () => {
    const root = tempFolder();
    await (await openStore(root, options)).put('runs', 'a', bytes('one'));
    const faulty = new FaultDisk(nodeDisk);
    for (const call of ['openRead', 'lstat', 'readdir'] as const) {
      faulty.arm({ call, nth: 1, code: 'EACCES', times: Number.POSITIVE_INFINITY });
      const opened = await openStore(root, { ...options, disk: faulty.disk }).catch((error: unknown) => error);
      if (opened instanceof Error) expect(opened.message).toContain(root);
      else {
        const store = opened as Awaited<ReturnType<typeof openStore>>;
        await expect(store.get('runs', 'a')).rejects.toThrow(root);
        await store.close();
      }
    }
  });
});

test('C93 a record of 24 MB: listing opens no payload, and the whole argument of 2 MB is dispatched unchanged', async () => {
  const make = join(caseFolder('C93'), 'make.mjs');
  const made = execFileSync(process.execPath, [make, '24'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  // As it is made, its fourth message answers a call that nobody asked for, and that blocks it; here the call is there.
  const asked = '{"id":"r","name":"read_file","args":{"path":"big"}}';
  const record = Buffer.from(made.replace(asked, `${asked},${asked.replace('"r"', '"r2"')}`), 'utf8');
  const opened: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      opened.push(path);
      return nodeDisk.openRead(path);
    },
  };
  const root = tempFolder();
  const store = await openStore(root, { ...options, disk });
  const world = new World({}, store);
  const key = await world.put(new Uint8Array(record));
  opened.length = 0;
  expect((await store.keysPage('suspensions', null, 9)).heads).toHaveLength(1);
  expect(opened.filter((path) => path.startsWith(join(root, 'p')))).toEqual([]);
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  expect(world.ledger).toHaveLength(1);
  const sent = world.ledger[0]?.arguments ?? '';
  expect(record.includes(sent)).toBe(true);
  expect(JSON.parse(sent)).toEqual({ text: 'y'.repeat(2 * 1024 * 1024), tail: 'rm -rf ~' });
}, 120_000);
