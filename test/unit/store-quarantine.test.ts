import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Quarantined, StoreCorrupt } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { type Header, headerLine, sha256Hex } from '../../electron/store/header.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { caseFolder, caseText } from '../helpers/store-case.js';
import {
  besideRecord,
  bytes,
  growFull,
  host,
  inventory,
  recordFile,
  recordName,
  tempFolder,
  text,
} from '../helpers/store-folder.js';
import { errno } from '../helpers/store-memory-disk.js';

const options = { ballastBytes: 0, host: host() };

/** A record's bytes by hand. */
function record(header: Partial<Header>, body = 'body'): string {
  return `${headerLine({
    hp: 1,
    bucket: 'runs',
    key: 'bad',
    rev: 2,
    op: 'put',
    len: body.length,
    sha256: sha256Hex(body),
    meta: '',
    home: host().id,
    id: '0123456789abcdef',
    prev: '',
    ...header,
  })}\n${body}`;
}

/** What every untrusted newest revision must be: listed with its reason, refused, left as it is, alone in that. */
async function refuses(store: FileStore, root: string, expected: Partial<Quarantined>): Promise<void> {
  const before = inventory(root, ['tmp', 'idx']);
  const found = (await store.quarantined()).filter(({ bucket }) => bucket === 'runs');
  expect(found).toHaveLength(1);
  expect(found[0]).toMatchObject(expected);
  for (const act of [
    store.get('runs', 'bad'),
    store.head('runs', 'bad'),
    store.put('runs', 'bad', bytes('over it')),
    store.cas('runs', 'bad', bytes('over it'), 1),
    store.cas('runs', 'bad', bytes('over it'), null),
    store.delete('runs', 'bad'),
    store.delete('runs', 'bad', 1),
  ]) {
    await expect(act).rejects.toBeInstanceOf(StoreCorrupt);
  }
  expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
  expect(text((await store.get('runs', 'good'))?.value)).toBe('good');
  expect(inventory(root, ['tmp', 'idx'])).toEqual(before);
}

const faults: [name: string, spoil: (file: string, root: string) => void, expected: Partial<Quarantined>][] = [
  ['cut short', (file) => truncateSync(file, 600), { reason: expect.stringContaining('bytes of content'), size: 600 }],
  [
    'cut within its header',
    (file) => truncateSync(file, 40),
    { reason: expect.stringContaining('header'), key: 'bad' },
  ],
  ['empty', (file) => truncateSync(file, 0), { reason: expect.stringContaining('empty (0 bytes)'), size: 0 }],
  ['filled with zeros', (file) => writeFileSync(file, Buffer.alloc(500)), { reason: expect.stringContaining('zeros') }],
  [
    'longer than written',
    (file) => writeFileSync(file, 'x', { flag: 'a' }),
    { reason: expect.stringContaining('content') },
  ],
  ['altered in its content', flip(-1), { reason: expect.stringContaining('sha256') }],
  ['altered in its header', flip(1), { reason: expect.stringContaining('header line is not readable') }],
  [
    'altered in what its header says',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"meta":"m"', '"meta":"n"')),
    { reason: expect.stringContaining('its header was altered') },
  ],
  [
    'of a newer format',
    (file) => writeFileSync(file, '{"hp":2,"something":"else"}\nbody'),
    { reason: expect.stringContaining('newer Holdpoint (record format 2)') },
  ],
  [
    'of another key',
    (file) => writeFileSync(file, record({ key: 'good' })),
    { reason: expect.stringContaining('another key') },
  ],
  [
    'of another bucket',
    (file) => writeFileSync(file, record({ bucket: 'x' })),
    { reason: expect.stringContaining('bucket x') },
  ],
  [
    'of another revision',
    (file) => writeFileSync(file, record({ rev: 7 })),
    { reason: expect.stringContaining('revision 7') },
  ],
  [
    'of another machine',
    (file) => writeFileSync(file, record({ home: 'bbbbbbbbbbbbbbbb' })),
    { reason: expect.stringContaining('another machine') },
  ],
  [
    'a folder',
    (file) => {
      rmSync(file);
      mkdirSync(file);
    },
    { reason: expect.stringContaining('folder') },
  ],
  [
    'a link',
    (file, root) => {
      renameSync(file, join(root, 'elsewhere.json'));
      symlinkSync(join(root, 'elsewhere.json'), file);
    },
    { reason: expect.stringContaining('symbolic link') },
  ],
];

function flip(position: number) {
  return (file: string): void => {
    const content = readFileSync(file);
    const at = position < 0 ? content.length + position : position;
    content[at] = (content[at] ?? 0) ^ 1;
    writeFileSync(file, content);
  };
}

test.each(faults)('I5 a newest revision that is %s', async (_name, spoil, expected) => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', bytes('one'));
  await store.put('runs', 'bad', bytes('two '.repeat(50)), { meta: 'm' });
  await store.keysPage('runs', null, 9);
  const file = recordFile(root, 'runs', 'bad', 2);
  spoil(file, root);
  const name = { file: file.slice(root.length + 1), bucket: 'runs' };
  await refuses(store, root, { ...expected, ...name });
  expect(text((await store.getRevision('runs', 'bad', 1))?.value)).toBe('one');
  await store.close();
  const again = await openStore(root, options);
  await refuses(again, root, { ...expected, ...name });
});

test('I5 large records are checked whole, too', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', new Uint8Array(30_000));
  flip(-1)(recordFile(root, 'runs', 'bad', 1));
  await expect(store.get('runs', 'bad')).rejects.toBeInstanceOf(StoreCorrupt);
  await refuses(await openStore(root, options), root, { key: 'bad', reason: expect.stringContaining('sha256') });
});

test.each([
  (name: string) => name.replace('.json', '.sync-conflict-20260720-100000-ABCDEFG.json'),
  (name: string) => name.replace('.json', ' (Ada’s conflicted copy 2026-07-20).json'),
  (name: string) => name.toUpperCase(),
])('I5 guarantee 10: a copy that a folder-sync program made blocks its key (%#)', async (rename) => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', bytes('one'));
  await store.put('runs', 'bad2', bytes('its name only begins alike'));
  await store.delete('runs', 'bad2');
  const copy = besideRecord(root, 'runs', 'bad', rename(recordName('bad', 1)));
  copyFileSync(recordFile(root, 'runs', 'bad', 1), copy);
  await refuses(store, root, {
    key: 'bad',
    file: copy.slice(root.length + 1),
    reason: expect.stringContaining('copy'),
  });
  const { file } = (await store.quarantined())[0] ?? { file: '' };
  expect(await store.readQuarantined(file)).toEqual(new Uint8Array(readFileSync(copy)));
  // Taking the copy away is all the mending it needs.
  rmSync(copy);
  expect(text((await store.get('runs', 'bad'))?.value)).toBe('one');
  expect(await store.put('runs', 'bad', bytes('two'))).toBe(2);
});

test('I5 two different files for one revision block the key', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', bytes('one'));
  const twin = recordFile(root, 'runs', 'bad', 1, 'folder');
  mkdirSync(join(twin, '..'));
  writeFileSync(twin, record({ rev: 1 }));
  await refuses(store, root, { key: 'bad', reason: expect.stringContaining('two files claim revision 1') });
});

test('I5 a record in the folder of other keys is listed', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  const wrong = besideRecord(root, 'runs', 'good', recordName('bad', 1));
  writeFileSync(wrong, record({ rev: 1 }));
  const [found] = await store.quarantined();
  expect(found).toMatchObject({ key: 'bad', reason: expect.stringContaining('another folder') });
  expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
});

test('I5 a record that may not be read is listed, and is there again once it may', async () => {
  const root = tempFolder();
  let locked = true;
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      if (locked && path.includes('k-bad.')) throw errno('EACCES');
      return nodeDisk.openRead(path);
    },
  };
  const writer = await openStore(root, options);
  await writer.put('runs', 'good', bytes('good'));
  await writer.put('runs', 'bad', bytes('one'));
  const store = await openStore(root, { ...options, disk });
  await refuses(store, root, { key: 'bad', reason: expect.stringContaining('no rights to read it (EACCES)') });
  locked = false;
  expect(text((await store.get('runs', 'bad'))?.value)).toBe('one');
  expect(await store.quarantined()).toEqual([]);
  expect((await store.keysPage('runs', null, 9)).heads).toHaveLength(2);
});

test('I5 a folder that cannot be listed, or is gone, is listed itself; absent is never the answer', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', bytes('one'));
  await growFull(store, 'runs');
  rmSync(besideRecord(root, 'runs', 'bad', '.'), { recursive: true });
  await expect(store.get('runs', 'bad')).rejects.toThrow('has vanished');
  await expect(store.cas('runs', 'bad', bytes('x'), null)).rejects.toBeInstanceOf(StoreCorrupt);
  expect(await store.quarantined()).toMatchObject([{ key: null, reason: expect.stringContaining('has vanished') }]);
  expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
});

test('I5 a folder that this process has seen records in does not go unnoticed', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes('good'));
  await store.put('runs', 'bad', bytes('one'));
  await store.keysPage('runs', null, 9);
  rmSync(besideRecord(root, 'runs', 'bad', '.'), { recursive: true });
  for (let n = 0; n < 2; n += 1) {
    expect(await store.quarantined()).toMatchObject([{ key: null, reason: expect.stringContaining('has vanished') }]);
  }
  expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
});

test('a store that vanished says so, instead of being empty', async () => {
  const root = join(tempFolder(), 'store');
  const store = await openStore(root, options);
  await store.put('runs', 'a', bytes('1'));
  renameSync(root, `${root}-away`);
  await expect(store.get('runs', 'a')).rejects.toThrow('vanished');
  await expect(store.put('runs', 'a', bytes('2'))).rejects.toThrow('vanished');
  await expect(store.keysPage('runs', null, 9)).rejects.toThrow('vanished');
  renameSync(`${root}-away`, root);
  expect(await store.put('runs', 'a', bytes('2'))).toBe(2);
});

test('C78 zero-byte files: the good run is usable, the others are listed with size and reason, and stay', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  await store.put('runs', 'good', bytes(caseText('C78', 'store/good.json')));
  await store.put('runs', 'first', bytes('makes the folders'));
  await store.delete('runs', 'first');
  // As a name of the store's own, and under the name that it came with.
  for (const name of ['empty', 'blank', 'null']) {
    const from = join(caseFolder('C78'), 'store', `${name}.json`);
    mkdirSync(besideRecord(root, 'runs', name, '.'), { recursive: true });
    copyFileSync(from, recordFile(root, 'runs', name, 1));
    copyFileSync(from, besideRecord(root, 'runs', name, `${name}.json`));
  }
  for (const opened of [store, await openStore(root, options)]) {
    expect((await opened.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
    expect(text((await opened.get('runs', 'good'))?.value)).toBe(caseText('C78', 'store/good.json'));
    const found = await opened.quarantined();
    expect(found.map(({ key, size }) => `${key} ${size}`).sort()).toEqual(
      ['blank 4', 'empty 0', 'null 4', 'null 5', 'null 0', 'null 5'].sort(),
    );
    expect(found.every(({ reason }) => reason.length > 10)).toBe(true);
    for (const { file, size } of found) expect((await opened.readQuarantined(file)).byteLength).toBe(size);
    for (const name of ['empty', 'blank', 'null']) {
      await expect(opened.put('runs', name, bytes('over it'))).rejects.toBeInstanceOf(StoreCorrupt);
      expect(readFileSync(recordFile(root, 'runs', name, 1), 'utf8')).toBe(caseText('C78', `store/${name}.json`));
    }
  }
});

test('C78 a folder of bad files becomes a store beside them, and they stay', async () => {
  const root = join(tempFolder(), 'store');
  mkdirSync(root);
  for (const name of ['good', 'empty', 'blank', 'null']) {
    copyFileSync(join(caseFolder('C78'), 'store', `${name}.json`), join(root, `${name}.json`));
  }
  const before = inventory(root);
  const store = await openStore(root, options);
  await store.put('runs', 'a', bytes('1'));
  expect(inventory(root).filter((line) => before.includes(line))).toEqual(before);
});

test('a payload that does not match its name is refused', async () => {
  const root = tempFolder();
  const store = await openStore(root, options);
  const sha256 = await store.putPayload(bytes('payload'));
  writeFileSync(join(root, 'p', sha256.slice(0, 2), sha256), 'paylord');
  await expect(store.getPayload(sha256)).rejects.toBeInstanceOf(StoreCorrupt);
  await expect(store.putPayload(bytes('payload'))).rejects.toBeInstanceOf(StoreCorrupt);
  expect(readFileSync(join(root, 'p', sha256.slice(0, 2), sha256), 'utf8')).toBe('paylord');
});
