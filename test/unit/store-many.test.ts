import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  CasConflict,
  CasIndeterminate,
  type CasWrite,
  StoreCorrupt,
  StoreFault,
} from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { copyOf, crashStates } from '../helpers/store-crash-states.js';
import { bytes, growFull, host, recordFile, tempFolder, text } from '../helpers/store-folder.js';
import { errno, MemoryDisk } from '../helpers/store-memory-disk.js';

vi.setConfig({ testTimeout: 60_000 });

const options = { ballastBytes: 0, host: host() };

const creates = (count: number): CasWrite[] =>
  Array.from({ length: count }, (_, n) => ({
    key: `Run ${n}`,
    value: bytes(`value ${n} `.repeat(n % 7)),
    expected: null,
    options: { meta: `meta ${n}` },
  }));

async function full(disk: Disk = nodeDisk): Promise<{ store: FileStore; root: string }> {
  const root = tempFolder();
  const store = await openStore(root, { ...options, disk });
  await growFull(store, 'runs');
  return { store, root };
}

test('H19 a hundred and fifty records written at once are durable after three files and each folder once', async () => {
  const syncs = { file: 0, folder: 0 };
  const disk: Disk = {
    ...nodeDisk,
    fsync: (fd) => {
      syncs[nodeDisk.fstat(fd).kind === 'file' ? 'file' : 'folder'] += 1;
      nodeDisk.fsync(fd);
    },
  };
  const { store, root } = await full(disk);
  const before = { ...syncs };
  const writes = creates(150);
  expect(await store.casMany('runs', writes)).toEqual(writes.map(() => expect.any(Number)));
  expect(syncs.file - before.file).toBe(3);
  expect(syncs.folder - before.folder).toBeLessThanOrEqual(150);
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  // Whoever reads them sees ordinary records, each under its own name.
  for (const reader of [store, await openStore(root, options)]) {
    for (const { key, value, options: given } of writes) {
      expect(await reader.get('runs', key)).toMatchObject({ value, meta: given?.meta, revision: 1 });
    }
    const { heads } = await reader.keysPage('runs', null, 999);
    expect(heads.map(({ key, meta }) => `${key} ${meta}`).sort()).toEqual(
      writes.map(({ key, options: given }) => `${key} ${given?.meta}`).sort(),
    );
    expect(await reader.quarantined()).toEqual([]);
  }
});

test('each of several writes holds or fails by itself, and is gone on from like any other', async () => {
  const { store, root } = await full();
  await store.put('runs', 'Run 1', bytes('there before'));
  await store.put('runs', 'updated', bytes('one'));
  await store.put('runs', 'deleted', bytes('one'));
  await store.delete('runs', 'deleted');
  const results = await store.casMany('runs', [
    ...creates(3),
    { key: 'updated', value: bytes('two'), expected: 1 },
    { key: 'deleted', value: bytes('again'), expected: null },
    { key: 'absent', value: bytes('x'), expected: 7 },
  ]);
  expect(results).toEqual([1, expect.any(CasConflict), 1, 2, 3, expect.any(CasConflict)]);
  expect(results[1]).toMatchObject({ expected: null, actual: 1 });
  expect(text((await store.get('runs', 'Run 1'))?.value)).toBe('there before');
  expect(await store.get('runs', 'absent')).toBeNull();
  const other = await openStore(root, options);
  expect(await other.cas('runs', 'updated', bytes('three'), 2)).toBe(3);
  expect(text((await other.getRevision('runs', 'updated', 2))?.value)).toBe('two');
  expect(await store.delete('runs', 'Run 0', 1)).toBe(2);
  expect(await store.get('runs', 'Run 2')).toMatchObject({ revision: 1 });
});

test('the model answers the same', async () => {
  const model = new MemoryStore();
  await model.put('runs', 'Run 1', bytes('there before'));
  expect(await model.casMany('runs', creates(3))).toEqual([1, expect.any(CasConflict), 1]);
});

test('guarantee 3: whoever else takes a slot meanwhile has it, and the others hold', async () => {
  const root = tempFolder();
  const other = await openStore(root, options);
  let links = 0;
  const done: Promise<unknown>[] = [];
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      links += 1;
      if (links === 2) done.push(other.put('runs', 'Run 3', bytes('theirs')));
      nodeDisk.link(from, to);
    },
  };
  const store = await openStore(root, { ...options, disk });
  expect(await store.casMany('runs', creates(5))).toEqual([1, 1, 1, expect.any(CasConflict), 1]);
  await Promise.all(done);
  expect(text((await store.get('runs', 'Run 3'))?.value)).toBe('theirs');
});

test('guarantee 4: a slot that was freed by thinning is not taken again by several writes either', async () => {
  const root = tempFolder();
  const retention = { keep: 8, distance: 8, ageMs: -1 };
  const fast = await openStore(root, { ...options, retention });
  for (let n = 1; n <= 3; n += 1) await fast.put('runs', 'Run 0', bytes(`${n}`));
  let act = true;
  const done: Promise<unknown>[] = [];
  const disk: Disk = {
    ...nodeDisk,
    link: (from, to) => {
      if (act) for (let n = 0; n < 17; n += 1) done.push(fast.put('runs', 'Run 0', bytes(`fast ${n}`)));
      act = false;
      nodeDisk.link(from, to);
    },
  };
  const slow = await openStore(root, { ...options, disk, retention });
  const [first, second] = creates(2);
  if (first === undefined || second === undefined) throw new Error('two writes');
  const results = await slow.casMany('runs', [{ ...first, expected: 3 }, second]);
  await Promise.all(done);
  expect(results).toEqual([expect.any(CasConflict), 1]);
  expect(await fast.get('runs', 'Run 0')).toMatchObject({ revision: 20 });
});

test('I5 what is altered among records that were written together is refused alone; what is cut is refused', async () => {
  const { store, root } = await full();
  await store.casMany('runs', creates(6));
  const file = recordFile(root, 'runs', 'Run 5', 1);
  expect(statSync(file).nlink).toBe(6);
  const content = readFileSync(file, 'utf8');
  const at = content.indexOf('value 5');
  writeFileSync(file, `${content.slice(0, at)}VALUE 5${content.slice(at + 7)}`);
  for (const reader of [store, await openStore(root, options)]) {
    await expect(reader.get('runs', 'Run 5')).rejects.toBeInstanceOf(StoreCorrupt);
    await expect(reader.cas('runs', 'Run 5', bytes('x'), 1)).rejects.toBeInstanceOf(StoreCorrupt);
    expect(text((await reader.get('runs', 'Run 4'))?.value)).toContain('value 4');
    expect((await reader.quarantined()).map(({ key }) => key)).toEqual(['Run 5']);
  }
  writeFileSync(file, content.slice(0, 300));
  const cut = await openStore(root, options);
  for (const { key } of creates(6)) await expect(cut.get('runs', key)).rejects.toBeInstanceOf(StoreCorrupt);
  expect(await cut.quarantined()).toHaveLength(6);
});

test.each([
  ['file', StoreFault],
  ['folder', CasIndeterminate],
] as const)('guarantee 6: a %s that cannot be synced is never a success', async (kind, type) => {
  const failing = { on: false };
  const disk: Disk = {
    ...nodeDisk,
    fsync: (fd) => {
      if (failing.on && nodeDisk.fstat(fd).kind === kind) throw errno('EIO');
      nodeDisk.fsync(fd);
    },
  };
  const { store, root } = await full(disk);
  failing.on = true;
  const results = await store.casMany('runs', creates(4));
  failing.on = false;
  for (const result of results) expect(result).toBeInstanceOf(type);
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  const left = kind === 'file' ? null : expect.objectContaining({ revision: 1 });
  for (const { key } of creates(4)) expect(await store.get('runs', key)).toEqual(left);
});

const ROOT = '/data';
const openAt = (disk: Disk) => openStore(ROOT, { disk, host: host(), ballastBytes: 0, platform: 'linux' });

/** Cuts the power after every call of several writes at once, and says how many states lost or tore one. */
async function cuts(cheat: (disk: MemoryDisk) => Disk): Promise<{ states: number; lost: number; torn: number }> {
  const start = new MemoryDisk();
  await (await openAt(start)).put('runs', 'other', bytes('other'));
  start.settle();
  const ran = copyOf(start);
  const writes = creates(3);
  await (await openAt(cheat(ran))).casMany('runs', writes);
  ran.ack('all');
  const found = { states: 0, lost: 0, torn: 0 };
  const replay = copyOf(start);
  let acked = false;
  for (const entry of ran.log) {
    if (typeof entry !== 'function') acked = true;
    try {
      if (typeof entry === 'function') entry(replay);
    } catch {
      // It failed the first time, too.
    }
    for (const state of crashStates(replay)) {
      found.states += 1;
      const store = await openAt(state);
      for (const { key, value } of writes) {
        try {
          const entry = await store.get('runs', key);
          if (entry === null && acked) found.lost += 1;
          if (entry !== null && text(entry.value) !== text(value)) found.torn += 1;
        } catch {
          found.torn += 1;
        }
      }
    }
  }
  return found;
}

const without = (kind: 'file' | 'folder') => (disk: MemoryDisk) => ({
  ...disk,
  fsync: (fd: number) => {
    if (disk.fstat(fd).kind !== kind) disk.fsync(fd);
  },
});

test('guarantees 1 and 2: no power cut loses or tears any of several records that were acknowledged together', async () => {
  const found = await cuts((disk) => disk);
  expect(found).toMatchObject({ lost: 0, torn: 0 });
  expect(found.states).toBeGreaterThan(40);
  expect((await cuts(without('file'))).torn).toBeGreaterThan(0);
  expect((await cuts(without('folder'))).lost).toBeGreaterThan(0);
}, 60_000);
