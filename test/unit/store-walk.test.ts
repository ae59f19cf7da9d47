import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { KeyState } from '../../electron/store/bucket-shard.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { decodeKey, encodeKey, parseName } from '../../electron/store/names.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { filesOf } from '../../electron/store/slots.js';
import { SortedKeys } from '../../electron/store/sorted-keys.js';
import { bytes, host, recordFile, tempFolder } from '../helpers/store-folder.js';

const options = { ballastBytes: 0, host: host() };

async function walk(store: FileStore, all: boolean): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage('runs', cursor, 7, { all });
    found.push(...page.heads.map(({ key, meta }) => `${key}=${meta}`));
    if (page.next === null) return found;
    cursor = page.next;
  }
}

test('guarantee 9: whoever walks to the end is told the same, with and without a snapshot, under names that tell the key and names that do not', async () => {
  const root = tempFolder();
  const writer = await openStore(root, options);
  const names = [
    'Ä',
    'b:1',
    '',
    'con',
    'x'.repeat(200),
    'Y'.repeat(90),
    ...Array.from({ length: 30 }, (_, n) => `k${n}`),
  ];
  for (const name of names) await writer.put('runs', name, bytes('1'), { meta: `m ${name.length}` });
  const right = names.sort((a, b) => (encodeKey(a) < encodeKey(b) ? -1 : 1)).map((name) => `${name}=m ${name.length}`);
  expect(await walk(writer, true)).toEqual(right);
  await writer.close();
  for (const all of [true, false]) {
    const reader = await openStore(root, { ...options, readOnly: true });
    expect(await walk(reader, all)).toEqual(right);
    await reader.close();
  }
});

test('a name is the one that its key gets, or tells no key', () => {
  const like = fc
    .array(fc.constantFrom('a', 'k', '9', '_', '-', '%', '%3a', '%41', '%61', '%7f', '%c3', '%a4', '%C3', '.', ':'), {
      maxLength: 40,
    })
    .map((parts) => `k-${parts.join('')}`);
  fc.assert(
    fc.property(like, (enc) => {
      const key = decodeKey(enc);
      expect(key === null || encodeKey(key) === enc).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test('I5: a record with bytes behind its end is told by its header alone, also where the disk reads in pieces', async () => {
  const root = tempFolder();
  const writer = await openStore(root, options);
  for (const key of ['good', 'longer']) await writer.put('runs', key, bytes('1'), { meta: key });
  await writer.close();
  appendFileSync(recordFile(root, 'runs', 'longer', 1), 'x');
  const disk: Disk = {
    ...nodeDisk,
    read: (fd, into, at) => nodeDisk.read(fd, into.subarray(0, 100), at),
  };
  for (const one of [disk, nodeDisk]) {
    const store = await openStore(root, { ...options, readOnly: true, disk: one });
    expect(await walk(store, true)).toEqual(['good=good']);
    expect((await store.quarantined()).map(({ key }) => key)).toEqual(['longer']);
    await store.close();
  }
});

test('a walk goes on from the key it came to, whatever comes and goes in between', () => {
  const names = fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { minLength: 2, maxLength: 60 });
  const state = (n: number): KeyState => ({
    enc: `k-${String(n).padStart(3, '0')}`,
    shard: '00',
    head: 1,
    form: 'file',
    twin: false,
    info: null,
  });
  fc.assert(
    fc.property(names, fc.array(fc.tuple(fc.nat(200), fc.boolean()), { maxLength: 60 }), (first, changes) => {
      const keys = new SortedKeys();
      const there = new Map(first.map((n) => [n, state(n)]));
      for (const key of there.values()) keys.add(key);
      const left = [...changes];
      let at = keys.from('');
      while (at !== undefined) {
        const [n = 0, add = false] = left.pop() ?? [];
        const known = there.get(n);
        if (add && known === undefined) {
          there.set(n, state(n));
          keys.add(there.get(n) ?? state(n));
        } else if (!add && known !== undefined && left.length > 0) {
          there.delete(n);
          keys.remove(known);
        }
        const from = at.enc;
        const right = [...there.values()].map(({ enc }) => enc).filter((enc) => enc > from);
        at = keys.after(at);
        expect(at?.enc).toBe(right.sort()[0]);
      }
    }),
  );
});

test('guarantee 10: every name that speaks of a key is found among others, in whatever case it is written', () => {
  const end = fc.constantFrom(
    '.0000000001.json',
    '.0000000012.json',
    '.0000000001',
    ' (1).json',
    '.sync-conflict.json',
    '',
  );
  const stem = fc.constantFrom('k-a', 'K-A', 'k-%3a', 'k-%3A', 'k-k', 'k-\u212a', 'k-ab', 'k-', 'h-0', '\u0130k-a');
  const names = fc.uniqueArray(
    fc.tuple(stem, end).map((parts) => parts.join('')),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(names, fc.constantFrom('k-a', 'k-%3a', 'k-k', 'k-ab', 'k-'), (listed, enc) => {
      const spoken = listed.filter((name) => parseName(name)?.enc === enc);
      const isRecord = (name: string): boolean => 'revision' in (parseName(name) ?? {});
      const found = filesOf(listed, enc);
      expect(found?.strays ?? []).toEqual(spoken.filter((name) => !isRecord(name)));
      expect(found?.revisions.length ?? 0).toBe(spoken.filter(isRecord).length);
    }),
    { numRuns: 2000 },
  );
});
