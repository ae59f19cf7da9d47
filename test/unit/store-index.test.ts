import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Head, KvStore } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { shardOf } from '../../electron/store/names.js';
import { bytes, host, recordFile, tempFolder } from '../helpers/store-folder.js';

const options = { ballastBytes: 0, host: host(), pollMs: 40 };
/** Long after every change, so that a listing counts as conclusive. */
const later = { now: () => Date.now() + 60_000 };

async function eventually(check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !check(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(check()).toBe(true);
}

const keysOf = (page: { heads: Head[] }) =>
  page.heads.map(({ key, revision, meta }) => `${key}@${revision} ${meta}`).sort();

test('what another process writes is listed at the next page and read at once', async () => {
  const root = tempFolder();
  const [one, other] = [await openStore(root, { ...options, ...later }), await openStore(root, options)];
  await one.put('runs', 'a', bytes('1'));
  expect(keysOf(await one.keysPage('runs', null, 9))).toEqual(['a@1 ']);
  for (let n = 2; n < 30; n += 1) {
    await other.put('runs', 'a', bytes(`${n}`));
    await other.put('runs', `b${n}`, bytes('1'));
    expect(await one.get('runs', 'a')).toMatchObject({ revision: n });
    expect(await one.get('runs', `b${n}`)).not.toBeNull();
    expect((await one.keysPage('runs', null, 99)).heads).toHaveLength(n);
  }
  await other.delete('runs', 'a');
  expect(await one.get('runs', 'a')).toBeNull();
  expect((await one.keysPage('runs', null, 99)).heads.map(({ key }) => key)).not.toContain('a');
  await one.put('runs', 'a', bytes('again'));
  expect(await other.get('runs', 'a')).toMatchObject({ revision: 31 });
});

test.each(['with notices of the system', 'by polling alone'])('watch sees other processes %s', async (how) => {
  const root = tempFolder();
  const disk: Disk = {
    ...nodeDisk,
    watch: (...args) => {
      if (how === 'by polling alone') throw new Error('no notices here');
      return nodeDisk.watch(...args);
    },
  };
  const watcher = await openStore(root, { ...options, disk, pollMs: how === 'by polling alone' ? 30 : 60_000 });
  const other = await openStore(root, options);
  await other.put('runs', 'before', bytes('1'));
  await watcher.keysPage('runs', null, 9);
  const seen: string[] = [];
  let everything = 0;
  const dispose = watcher.watch('runs', (keys) => {
    if (keys === null) everything += 1;
    else seen.push(...keys);
  });
  for (const key of ['a', 'Long '.repeat(60), '\ud800']) {
    await other.put('runs', key, bytes('1'));
    await eventually(() => seen.includes(key));
  }
  await watcher.put('runs', 'own', bytes('1'));
  await eventually(() => seen.includes('own'));
  await other.delete('runs', 'a');
  await eventually(() => seen.filter((key) => key === 'a').length === 2);
  expect(seen).not.toContain('before');
  expect(seen.filter((key) => key === 'own')).toHaveLength(1);
  expect(everything).toBe(0);
  dispose();
  await watcher.close();
});

test('watch on a bucket that nobody has written yet sees the first write', async () => {
  const root = tempFolder();
  const [watcher, other] = [await openStore(root, options), await openStore(root, options)];
  let calls = 0;
  const dispose = watcher.watch('fresh', () => (calls += 1));
  await other.put('fresh', 'a', bytes('1'));
  await eventually(() => calls > 0);
  dispose();
});

async function filled(root: string): Promise<string[]> {
  const store = await openStore(root, { ...options, ...later });
  for (let n = 0; n < 40; n += 1) await store.put('runs', `run ${n}`, bytes(`${n}`), { meta: `m${n}` });
  await store.put('runs', 'Long '.repeat(60), bytes('long'));
  await store.delete('runs', 'run 7');
  await store.put('runs', 'run 8', bytes('again'));
  const keys = keysOf(await store.keysPage('runs', null, 99));
  await store.close();
  return keys;
}

test('a snapshot of the index spares the headers', async () => {
  const root = tempFolder();
  const keys = await filled(root);
  const opened: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      opened.push(path);
      return nodeDisk.openRead(path);
    },
  };
  const store = await openStore(root, { ...options, ...later, disk });
  expect(keysOf(await store.keysPage('runs', null, 99))).toEqual(keys);
  expect(opened.filter((path) => path.includes('/k/'))).toEqual([]);
});

const snapshotFile = (root: string) => join(root, 'idx', 'runs.jsonl');
const spoilt: [string, (root: string) => Promise<void> | void][] = [
  ['deleted', (root) => rmSync(snapshotFile(root))],
  ['empty', (root) => writeFileSync(snapshotFile(root), '')],
  ['cut', (root) => writeFileSync(snapshotFile(root), readFileSync(snapshotFile(root)).subarray(0, 900))],
  [
    'altered',
    (root) => writeFileSync(snapshotFile(root), readFileSync(snapshotFile(root), 'utf8').replace('m3', 'm4')),
  ],
  ['garbage', (root) => writeFileSync(snapshotFile(root), Buffer.alloc(2000, 0xff))],
  [
    'of another store',
    async (root) => {
      const other = tempFolder();
      await filled(other);
      writeFileSync(snapshotFile(root), readFileSync(snapshotFile(other)));
    },
  ],
];

test.each(spoilt)('guarantee 9: the answers are the same with the snapshot %s', async (_how, spoil) => {
  const root = tempFolder();
  const keys = await filled(root);
  expect(existsSync(snapshotFile(root))).toBe(true);
  await spoil(root);
  const store = await openStore(root, { ...options, ...later });
  const page = await store.keysPage('runs', null, 99);
  expect(keysOf(page)).toEqual(keys);
  expect(page.heads.find(({ key }) => key === 'run 3')?.meta).toBe('m3');
  expect(await store.quarantined()).toEqual([]);
});

test('guarantee 9: the answers are the same with a stale snapshot', async () => {
  const root = tempFolder();
  await filled(root);
  const stale = readFileSync(snapshotFile(root));
  const writer = await openStore(root, options);
  await writer.put('runs', 'run 3', bytes('newer'), { meta: 'newer' });
  await writer.put('runs', 'new', bytes('new'));
  await writer.delete('runs', 'run 9');
  const now = keysOf(await writer.keysPage('runs', null, 99));
  await writer.close();
  writeFileSync(snapshotFile(root), stale);
  const store = await openStore(root, { ...options, ...later });
  const page = await store.keysPage('runs', null, 99);
  expect(keysOf(page)).toEqual(now);
  expect(page.heads.find(({ key }) => key === 'run 3')).toMatchObject({ revision: 2, meta: 'newer' });
});

test('a folder that changed within two seconds is listed again, whatever its times say', async () => {
  const root = tempFolder();
  const still = { stamp: 0n };
  const disk: Disk = {
    ...nodeDisk,
    // A clock so coarse that all changes carry the same time.
    lstat: (path) => {
      const stat = nodeDisk.lstat(path);
      if (stat.kind !== 'folder') return stat;
      if (still.stamp === 0n) still.stamp = stat.mtimeNs;
      return { ...stat, mtimeNs: still.stamp, ctimeNs: still.stamp };
    },
  };
  const [reader, writer] = [await openStore(root, { ...options, disk }), await openStore(root, options)];
  const neighbours = Array.from({ length: 2000 }, (_, n) => `k${n}`).filter((key) => shardOf(key) === shardOf('k0'));
  expect(neighbours.length).toBeGreaterThan(3);
  for (const [n, key] of neighbours.entries()) {
    await writer.put('runs', key, bytes('1'));
    expect((await reader.keysPage('runs', null, 99)).heads).toHaveLength(n + 1);
    expect(await reader.get('runs', key)).not.toBeNull();
  }
});

test('a record that thinning took while it was being listed is found at its newer revision', async () => {
  const root = tempFolder();
  const writer = await openStore(root, { ...options, retention: { keep: 8, distance: 8, ageMs: -1 } });
  for (let n = 0; n < 3; n += 1) await writer.put('runs', 'a', bytes(`${n}`));
  let acted = false;
  const disk: Disk = {
    ...nodeDisk,
    openRead: (path) => {
      if (!acted && path === recordFile(root, 'runs', 'a', 3)) {
        acted = true;
        for (let n = 0; n < 20; n += 1) void writer.put('runs', 'a', bytes(`later ${n}`));
      }
      return nodeDisk.openRead(path);
    },
  };
  const reader = await openStore(root, { ...options, disk });
  expect(keysOf(await reader.keysPage('runs', null, 9))).toEqual(['a@23 ']);
  expect(acted).toBe(true);
  acted = false;
  expect(await reader.get('runs', 'a')).toMatchObject({ revision: 23 });
});

test('the store answers as its model does, whoever of two processes is asked', async () => {
  const key = fc.constantFrom('a', 'A', 'b/c', '', 'Long '.repeat(50));
  const step = fc.record({
    op: fc.constantFrom('put', 'cas', 'absent', 'delete', 'reopen', 'page'),
    key,
    who: fc.integer({ min: 0, max: 1 }),
    stale: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const root = tempFolder();
      const model = new MemoryStore();
      const two = [await openStore(root, options), await openStore(root, options)];
      for (const [n, { op, key: id, who, stale }] of steps.entries()) {
        const store = two[who];
        if (store === undefined) throw new Error('two processes');
        const value = bytes(`${n}`);
        const meta = { meta: `m${n}` };
        const expected = ((await model.head('runs', id))?.revision ?? 1) - (stale ? 1 : 0);
        const both = (act: (one: KvStore) => Promise<unknown>) =>
          Promise.all([model, store].map((one) => act(one).catch((error: unknown) => String(error))));
        if (op === 'reopen') {
          await store.close();
          two[who] = await openStore(root, options);
          continue;
        }
        const [right, got] = await both((one) => {
          if (op === 'put') return one.put('runs', id, value, meta);
          if (op === 'cas') return one.cas('runs', id, value, expected, meta);
          if (op === 'absent') return one.cas('runs', id, value, null, meta);
          if (op === 'delete') return one.delete('runs', id, stale ? expected : undefined);
          return one.keysPage('runs', id, 2, { tombstones: stale }).then((page) => JSON.stringify(page));
        });
        expect(got).toEqual(right);
        for (const one of two) {
          expect(await one?.get('runs', id)).toEqual(await model.get('runs', id));
          expect(await one?.head('runs', id)).toEqual(await model.head('runs', id));
        }
      }
      rmSync(root, { recursive: true });
    }),
    { numRuns: 12 },
  );
}, 20_000);

test('a read-only look leaves no snapshot behind', async () => {
  const root = tempFolder();
  await (await openStore(root, options)).close();
  const store = await openStore(root, { ...options, host: host('bbbbbbbbbbbbbbbb') });
  await store.keysPage('runs', null, 9);
  await store.close();
  expect(readdirSync(join(root, 'idx'))).toEqual([]);
});
