import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { caseText } from '../helpers/store-case.js';
import {
  besideRecord,
  bytes,
  growFull,
  host,
  inventory,
  recordFile,
  tempFolder,
  text,
} from '../helpers/store-folder.js';

const quick = { ballastBytes: 0, host: host() };

function counting(): { disk: Disk; syncs: { file: number; folder: number }; opened: string[] } {
  const syncs = { file: 0, folder: 0 };
  const opened: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      opened.push(path);
      return nodeDisk.openRead(path);
    },
    fsync: (fd) => {
      syncs[nodeDisk.fstat(fd).kind === 'file' ? 'file' : 'folder'] += 1;
      nodeDisk.fsync(fd);
    },
  };
  return { disk, syncs, opened };
}

test('H19 an inline write syncs twice, one with a new payload four times', async () => {
  const { disk, syncs } = counting();
  const store = await openStore(tempFolder(), { ...quick, disk });
  await store.put('runs', 'first', bytes('makes the bucket'));
  await growFull(store, 'runs');
  const since = async (act: () => Promise<unknown>) => {
    const before = { ...syncs };
    await act();
    return { file: syncs.file - before.file, folder: syncs.folder - before.folder };
  };
  for (let n = 0; n < 20; n += 1) {
    expect(await since(() => store.put('runs', `new ${n}`, new Uint8Array(2048)))).toEqual({ file: 1, folder: 1 });
    expect(await since(() => store.cas('runs', `new ${n}`, bytes('2'), 1))).toEqual({ file: 1, folder: 1 });
    expect(await since(() => store.delete('runs', `new ${n}`, 2))).toEqual({ file: 1, folder: 1 });
  }
  const withPayload = async () => {
    const sha256 = await store.putPayload(new Uint8Array(20_000).fill(1));
    await store.put('runs', 'with payload', bytes(sha256));
  };
  expect(await since(withPayload)).toEqual({ file: 2, folder: 2 });
  // Bytes that are there already are read, not written again, but their name is made durable.
  expect(await since(withPayload)).toEqual({ file: 1, folder: 2 });
  expect(await since(() => store.cas('runs', 'first', bytes('x'), 9).catch(() => 'refused'))).toEqual({
    file: 0,
    folder: 0,
  });
});

test('only the first record of a shard syncs once more, so that the folder above it is durable', async () => {
  const { disk, syncs } = counting();
  const store = await openStore(tempFolder(), { ...quick, disk });
  const opening = { ...syncs };
  await store.put('runs', 'a', bytes('1'));
  // The record and its shard; the bucket for the shard; the records' folder for the bucket.
  expect(syncs).toEqual({ file: opening.file + 1, folder: opening.folder + 3 });
  await store.put('runs', 'a', bytes('2'));
  expect(syncs).toEqual({ file: opening.file + 2, folder: opening.folder + 4 });
});

test('folders that another process made, and may not have synced, are synced before they are used', async () => {
  const { disk, syncs } = counting();
  const root = tempFolder();
  const store = await openStore(root, { ...quick, disk });
  mkdirSync(besideRecord(root, 'runs', 'a', '.'), { recursive: true });
  const opening = { ...syncs };
  await store.put('runs', 'a', bytes('1'));
  expect(syncs.folder - opening.folder).toBe(2);
  const other = await openStore(root, { ...quick, disk });
  const before = { ...syncs };
  await other.put('runs', 'a', bytes('2'));
  expect(syncs.folder - before.folder).toBe(1);
});

test('H11 folders are 0700, files 0600, and nothing is left under tmp/', async () => {
  const root = join(tempFolder(), 'deep', 'store');
  const store = await openStore(root, { host: host() });
  await store.put('runs', 'a', bytes('1'));
  await store.putPayload(bytes('payload'));
  await store.keysPage('runs', null, 1);
  await store.close();
  expect(statSync(root).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const stat = statSync(join(root, name));
    expect(`${name} ${(stat.mode & 0o777).toString(8)}`).toBe(`${name} ${stat.isDirectory() ? '700' : '600'}`);
  }
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  expect(readdirSync(root).sort()).toEqual(['STORE.json', 'ballast', 'idx', 'k', 'p', 'tmp']);
});

test('a record is one header line and the bytes as they are', async () => {
  const root = tempFolder();
  const store = await openStore(root, quick);
  await store.put('runs', 'Run/1', bytes('{"a": 1.0}\n'), { meta: 'waiting' });
  const content = readFileSync(recordFile(root, 'runs', 'Run/1', 1), 'utf8');
  const end = content.indexOf('\n');
  const header = JSON.parse(content.slice(0, end));
  expect(content.slice(end + 1)).toBe('{"a": 1.0}\n');
  expect(header).toMatchObject({
    hp: 1,
    bucket: 'runs',
    key: 'Run/1',
    rev: 1,
    op: 'put',
    len: 11,
    sha256: createHash('sha256').update('{"a": 1.0}\n').digest('hex'),
    meta: 'waiting',
    home: host().id,
    prev: '',
  });
  await store.put('runs', 'Run/1', bytes('2'));
  const second = JSON.parse(readFileSync(recordFile(root, 'runs', 'Run/1', 2), 'utf8').split('\n')[0] ?? '');
  expect(second.prev).toBe(header.id);
});

test('a published file never changes', async () => {
  const root = tempFolder();
  const store = await openStore(root, quick);
  await store.put('runs', 'a', bytes('1'));
  const before = statSync(recordFile(root, 'runs', 'a', 1), { bigint: true });
  for (let n = 0; n < 5; n += 1) await store.put('runs', 'a', bytes('2'));
  await store.delete('runs', 'a');
  const after = statSync(recordFile(root, 'runs', 'a', 1), { bigint: true });
  expect([after.ino, after.mtimeNs, after.size]).toEqual([before.ino, before.mtimeNs, before.size]);
});

test('C87 I11 no id makes, reads or removes anything outside the store', async () => {
  const parent = tempFolder();
  writeFileSync(join(parent, 'outside'), 'stays');
  writeFileSync(join(parent, 'outside.json'), 'stays');
  mkdirSync(join(parent, 'a'));
  const before = inventory(parent);
  const { disk, opened } = counting();
  const root = join(parent, 'store');
  const store = await openStore(root, { ...quick, disk });
  const ids: string[] = JSON.parse(caseText('C87', 'ids.json'));
  for (const id of ids) {
    await store.put('runs', id, bytes(id));
    expect(text((await store.get('runs', id))?.value)).toBe(id);
    await store.keysPage('runs', id, 3);
    await store.delete('runs', id);
    await store.getPayload(id).catch(() => null);
    await store.readQuarantined(id).catch(() => null);
  }
  await store.quarantined();
  await store.close();
  expect(inventory(parent, ['store'])).toEqual(before);
  expect(opened.filter((path) => !path.startsWith(`${root}/`))).toEqual([]);
});

test('guarantee 9: listing opens no payload and no record twice', async () => {
  const { disk, opened } = counting();
  const store = await openStore(tempFolder(), { ...quick, disk });
  for (let n = 0; n < 20; n += 1) {
    await store.put('runs', `r${n}`, bytes(await store.putPayload(new Uint8Array(20_000).fill(n))));
  }
  opened.length = 0;
  await store.keysPage('runs', null, 100);
  expect(opened.filter((path) => path.includes('/p/'))).toEqual([]);
  const first = opened.length;
  expect(first).toBeLessThanOrEqual(21);
  await store.keysPage('runs', null, 100);
  expect(opened.length).toBe(first);
});

describe('what dead writers left under tmp/', () => {
  const day = 25 * 3600;
  const aged = (root: string, name: string, seconds: number) => {
    const path = join(root, 'tmp', name);
    writeFileSync(path, 'half a record');
    const then = Date.now() / 1000 - seconds;
    utimesSync(path, then, then);
  };

  test('guarantee 8: goes when it is old and its writer is dead, and is never read', async () => {
    const root = tempFolder();
    await (await openStore(root, quick)).close();
    const { id, boot } = host();
    aged(root, `${id}-999999-${boot}-1-aaaaaaaa`, day);
    aged(root, `${id}-${process.pid}-00000000-1-bbbbbbbb`, day);
    aged(root, `${id}-${process.pid}-${boot}-1-cccccccc`, day);
    // The number was given to another process since; this one is the writer itself.
    aged(root, `${id}-${process.pid}.76-${boot}-1-99999999`, day);
    aged(root, `${id}-${process.pid}.77-${boot}-1-88888888`, day);
    aged(root, `${id}-999999-${boot}-1-dddddddd`, 3600);
    aged(root, `bbbbbbbbbbbbbbbb-7-${boot}-1-eeeeeeee`, day);
    aged(root, `bbbbbbbbbbbbbbbb-7-${boot}-1-ffffffff`, 8 * day);
    const { disk, opened } = counting();
    const store = await openStore(root, { ...quick, disk });
    await store.keysPage('runs', null, 10);
    await store.quarantined();
    const left = readdirSync(join(root, 'tmp')).map((name) => name.slice(-8));
    expect(left.sort()).toEqual(['88888888', 'cccccccc', 'dddddddd', 'eeeeeeee']);
    expect(opened.filter((path) => path.startsWith(join(root, 'tmp')))).toEqual([]);
  });
});

describe('revisions of the past', () => {
  const retention = { keep: 16, distance: 8, ageMs: 24 * 3600_000 };
  const revisionsOf = (root: string) =>
    readdirSync(join(root, 'k', 'runs'), { recursive: true, encoding: 'utf8' })
      .flatMap((name) => /\.(\d{10})\.json$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);

  test('all stay up to 16; beyond that the old ones at least 8 below the newest go', async () => {
    const root = tempFolder();
    let now = Date.now();
    const store = await openStore(root, { ...quick, retention, now: () => now });
    for (let n = 0; n < 16; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    now += 25 * 3600_000;
    expect(await store.thin('runs', 'a')).toBe(0);
    now -= 25 * 3600_000;
    for (let n = 16; n < 20; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    expect(revisionsOf(root)).toHaveLength(20);
    now += 25 * 3600_000;
    expect(await store.thin('runs', 'a')).toBe(12);
    expect(revisionsOf(root)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    expect(await store.getRevision('runs', 'a', 12)).toBeNull();
    expect(text((await store.getRevision('runs', 'a', 13))?.value)).toBe('12');
    expect(await store.cas('runs', 'a', bytes('next'), 20)).toBe(21);
  });

  test('writes thin by themselves, and never what a bucket keeps', async () => {
    const root = tempFolder();
    const now = Date.now() + 25 * 3600_000;
    const kept = await openStore(root, { ...quick, retention, now: () => now, keepAll: ['runs'] });
    for (let n = 0; n < 18; n += 1) await kept.put('runs', 'a', bytes(`${n}`));
    expect(await kept.thin('runs', 'a')).toBe(0);
    expect(revisionsOf(root)).toHaveLength(18);
    const thinning = await openStore(root, { ...quick, retention, now: () => now });
    await thinning.put('runs', 'a', bytes('19'));
    expect(revisionsOf(root)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
  });
});
