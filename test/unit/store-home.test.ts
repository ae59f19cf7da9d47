import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { StoreCorrupt, StoreReadOnly, StoreTooNew } from '../../electron/store/contract.js';
import { nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { thisHost } from '../../electron/store/host.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { bytes, host, inventory, tempFolder, text } from '../helpers/store-folder.js';

const here = { ballastBytes: 0, host: host() };
const elsewhere = { ballastBytes: 0, host: host('bbbbbbbbbbbbbbbb') };

async function filled(): Promise<string> {
  const root = join(tempFolder(), 'store');
  const store = await openStore(root, here);
  await store.put('runs', 'a', bytes('one'));
  await store.close();
  return root;
}

async function isReadOnly(store: FileStore, root: string, why: RegExp): Promise<void> {
  const before = inventory(root);
  expect(store.readOnlyReason).toMatch(why);
  for (const act of [
    store.put('runs', 'a', bytes('two')),
    store.cas('runs', 'a', bytes('two'), 1),
    store.delete('runs', 'a'),
    store.putPayload(bytes('p')),
    store.thin('runs', 'a'),
  ]) {
    await expect(act).rejects.toBeInstanceOf(StoreReadOnly);
  }
  await expect(store.put('runs', 'a', bytes('two'))).rejects.toThrow(why);
  expect(text((await store.get('runs', 'a'))?.value)).toBe('one');
  expect((await store.keysPage('runs', null, 9)).heads).toHaveLength(1);
  store.watch('runs', () => undefined)();
  store.watch('other', () => undefined)();
  await store.quarantined();
  expect(inventory(root)).toEqual(before);
}

test('H16 a store opens again on its own machine, also under a new name', async () => {
  const root = await filled();
  expect((await openStore(root, here)).readOnlyReason).toBeNull();
  renameSync(root, `${root}-renamed`);
  const store = await openStore(`${root}-renamed`, here);
  expect(store.readOnlyReason).toBeNull();
  expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
});

test('H16 a store of another machine is read-only until it is taken over by name', async () => {
  const root = await filled();
  const store = await openStore(root, elsewhere);
  await isReadOnly(store, root, /another machine/);
  await store.takeOver('Ada');
  expect(store.readOnlyReason).toBeNull();
  expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
  expect(await store.quarantined()).toEqual([]);
  expect(text((await store.getRevision('runs', 'a', 1))?.value)).toBe('one');
  const { home, takenOver } = JSON.parse(readFileSync(join(root, 'STORE.json'), 'utf8'));
  expect(home.host).toBe('bbbbbbbbbbbbbbbb');
  expect(takenOver).toMatchObject([{ name: 'Ada', from: { host: 'aaaaaaaaaaaaaaaa' } }]);
  // What it was taken over from is read-only now, and says why.
  await expect((await openStore(root, here)).put('runs', 'a', bytes('x'))).rejects.toThrow('another machine');
});

test('H16 a process that has the store open notices that it was taken over', async () => {
  const root = await filled();
  const old = await openStore(root, here);
  await old.put('runs', 'b', bytes('still home'));
  await (await openStore(root, elsewhere)).takeOver('Ada');
  await expect(old.put('runs', 'b', bytes('x'))).rejects.toThrow('another machine');
  expect(old.readOnlyReason).toMatch(/another machine/);
});

test('H16 a copy on the same machine is read-only, and the original is not', async () => {
  const root = await filled();
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true, preserveTimestamps: true });
  await isReadOnly(await openStore(copy, here), copy, /copy of a store/);
  expect((await openStore(root, here)).readOnlyReason).toBeNull();
  rmSync(root, { recursive: true });
  renameSync(copy, root);
  const restored = await openStore(root, here);
  await isReadOnly(restored, root, /copy of a store/);
  await restored.takeOver('Ada');
  expect(await restored.put('runs', 'a', bytes('two'))).toBe(2);
});

test.each([
  ['the same folder on a device with a new number', { dev: 99n, birthNs: 5n }, { birthNs: 5n }, null],
  ['another folder with the same number', { birthNs: 5n }, { birthNs: 6n }, /copy/],
  ['another number, with nothing else to go by', { ino: 99n, birthNs: 0n }, { birthNs: 0n }, /copy/],
  ['another device, with nothing else to go by', { dev: 99n, birthNs: 0n }, { birthNs: 0n }, /copy/],
  ['the same device, with nothing else to go by', { birthNs: 0n }, { birthNs: 0n }, null],
])('H16 %s', async (_name, now, then, why) => {
  const root = tempFolder();
  const on = (change: object) => ({ ...nodeDisk, stat: (path: string) => ({ ...nodeDisk.stat(path), ...change }) });
  await openStore(root, { ...here, disk: on(then) });
  const store = await openStore(root, { ...here, disk: on(now) });
  if (why === null) expect(store.readOnlyReason).toBeNull();
  else expect(store.readOnlyReason).toMatch(why);
});

test('a record that another machine wrote into the home store is not trusted', async () => {
  const root = await filled();
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true });
  const other = await openStore(copy, elsewhere);
  await other.takeOver('Bob');
  await other.put('runs', 'a', bytes('from afar'));
  await other.put('runs', 'b', bytes('from afar'));
  // A folder-sync program brings the records, and not STORE.json.
  cpSync(join(copy, 'k'), join(root, 'k'), { recursive: true });
  const store = await openStore(root, here);
  await expect(store.get('runs', 'a')).rejects.toBeInstanceOf(StoreCorrupt);
  expect((await store.quarantined()).map(({ key, reason }) => `${key}: ${reason}`).sort()).toEqual([
    'a: it was written on another machine',
    'b: it was written on another machine',
  ]);
});

test('a store without its STORE.json is read-only until it is taken over', async () => {
  const root = await filled();
  rmSync(join(root, 'STORE.json'));
  const store = await openStore(root, here);
  await isReadOnly(store, root, /STORE\.json is missing/);
  await store.takeOver('Ada');
  expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
  expect((await openStore(root, here)).readOnlyReason).toBeNull();
});

test.each(['the folder', 'STORE.json alone'])(
  'H16 when %s vanishes, nothing is written until it is back',
  async (what) => {
    const root = await filled();
    const store = await openStore(root, here);
    await store.put('runs', 'b', bytes('one'));
    const path = what === 'the folder' ? root : join(root, 'STORE.json');
    const away = join(root, '../away');
    renameSync(path, away);
    const before = inventory(join(root, '..'));
    await expect(store.put('runs', 'a', bytes('two'))).rejects.toBeInstanceOf(StoreReadOnly);
    await expect(store.putPayload(bytes('p'))).rejects.toThrow(what === 'the folder' ? /has vanished/ : /is missing/);
    expect(store.readOnlyReason).not.toBeNull();
    await expect(store.get('runs', 'new')).rejects.toThrow('vanished');
    if (what === 'the folder') await expect(store.takeOver('Ada')).rejects.toThrow();
    expect(inventory(join(root, '..'))).toEqual(before);
    renameSync(away, path);
    expect(await store.put('runs', 'a', bytes('two'))).toBe(2);
    expect(store.readOnlyReason).toBeNull();
  },
);

test('H16 a process goes on in no other store that comes to lie in the place of its own', async () => {
  const root = await filled();
  const store = await openStore(root, here);
  await store.keysPage('runs', null, 9);
  await store.put('runs', 'b', bytes('one'));
  renameSync(root, `${root}-away`);
  await (await openStore(root, here)).close();
  const before = inventory(root);
  for (const act of [
    store.put('runs', 'a', bytes('two')),
    store.cas('runs', 'a', bytes('two'), null),
    store.putPayload(bytes('p')),
    store.takeOver('Ada'),
  ])
    await expect(act).rejects.toBeInstanceOf(StoreReadOnly);
  expect(store.readOnlyReason).toMatch(/another store lies in its place/);
  await store.close();
  expect(inventory(root)).toEqual(before);
});

test('H16 a process that only reads is told, too, when another store comes to lie in the place of its own', async () => {
  const root = await filled();
  const store = await openStore(root, here);
  expect(store.lookAgain()).toBeNull();
  renameSync(root, `${root}-away`);
  await (await openStore(root, here)).close();
  expect(store.readOnlyReason).toBeNull();
  expect(store.lookAgain()).toMatch(/another store lies in its place/);
  rmSync(root, { recursive: true });
  renameSync(`${root}-away`, root);
  expect(store.lookAgain()).toBeNull();
});

test('H16 closing writes no index into another store, also when nothing was written since', async () => {
  const root = await filled();
  const store = await openStore(root, here);
  await store.put('runs', 'b', bytes('one'));
  await store.keysPage('runs', null, 9);
  renameSync(root, `${root}-away`);
  await (await openStore(root, here)).close();
  const before = inventory(root);
  await store.close();
  expect(inventory(root)).toEqual(before);
});

test('I5 a store of a newer format is refused politely, and nothing in it changes', async () => {
  const root = await filled();
  const file = join(root, 'STORE.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), format: 2, publish: 'telepathy' }));
  const before = inventory(root);
  await expect(openStore(root, here)).rejects.toBeInstanceOf(StoreTooNew);
  await expect(openStore(root, here)).rejects.toThrow(/newer Holdpoint \(format 2.*Nothing in it was changed/);
  expect(inventory(root)).toEqual(before);
});

test.each(['', '{', '[]', '{"holdpoint":"store"}'])('I5 a STORE.json of %j is refused, and stays', async (content) => {
  const root = await filled();
  writeFileSync(join(root, 'STORE.json'), content);
  const before = inventory(root);
  await expect(openStore(root, here)).rejects.toBeInstanceOf(StoreCorrupt);
  expect(inventory(root)).toEqual(before);
});

test('any number of processes may make the store at once', async () => {
  const root = join(tempFolder(), 'store');
  const stores = await Promise.all(Array.from({ length: 5 }, () => openStore(root, here)));
  expect(new Set(stores.map(({ storeId }) => storeId)).size).toBe(1);
  expect(stores.map(({ readOnlyReason }) => readOnlyReason)).toEqual([null, null, null, null, null]);
});

test('two makers that meet at the last step agree on one STORE.json', async () => {
  const root = tempFolder();
  let other: Promise<FileStore> | null = null;
  const disk = {
    ...nodeDisk,
    link: (from: string, to: string) => {
      if (other === null && to.endsWith('STORE.json')) other = openStore(root, here);
      nodeDisk.link(from, to);
    },
  };
  const store = await openStore(root, { ...here, disk });
  expect(((await (other ?? Promise.reject(new Error('nobody met')))) as FileStore).storeId).toBe(store.storeId);
  expect(store.readOnlyReason).toBeNull();
});

test('this machine’s identity is stable and tells nothing', () => {
  const [first, second] = [thisHost(nodeDisk), thisHost(nodeDisk)];
  expect(first.id).toMatch(/^[0-9a-f]{16}$/);
  expect([second.id, second.boot, second.pid]).toEqual([first.id, first.boot, process.pid]);
  expect(first.alive(process.pid, first.start)).toBe(true);
  expect(first.alive(process.pid, '0')).toBe(true);
  expect(first.alive(2 ** 22 + 1, '0')).toBe(false);
  if (process.platform === 'linux') expect(first.alive(process.pid, '1')).toBe(false);
});
