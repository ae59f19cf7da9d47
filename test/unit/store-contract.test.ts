import { describe, expect, test } from 'vitest';
import { CasConflict, type Head, type KvStore, StoreBadInput, StoreCorrupt } from '../../electron/store/contract.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { encodeKey } from '../../electron/store/names.js';
import { caseText } from '../helpers/store-case.js';
import { bytes, tempFolder, text } from '../helpers/store-folder.js';

const stores: Record<string, () => Promise<KvStore>> = {
  'store of files': () => openStore(tempFolder(), { ballastBytes: 0, pollMs: 50 }),
  'store in memory': async () => new MemoryStore(),
};

async function allKeys(store: KvStore, bucket: string, limit: number, tombstones = false): Promise<Head[]> {
  const heads: Head[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(bucket, cursor, limit, { tombstones });
    heads.push(...page.heads);
    if (page.next === null) return heads;
    cursor = page.next;
  }
}

async function eventually(check: () => boolean): Promise<void> {
  for (let tries = 0; tries < 400 && !check(); tries += 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(check()).toBe(true);
}

describe.each(Object.entries(stores))('%s', (_name, open) => {
  test('a write is read back whole, with its revision and meta', async () => {
    const store = await open();
    expect(await store.get('runs', 'a')).toBeNull();
    expect(await store.head('runs', 'a')).toBeNull();
    expect(await store.put('runs', 'a', bytes('one'), { meta: '{"status":"waiting"}' })).toBe(1);
    expect(await store.get('runs', 'a')).toEqual({ value: bytes('one'), revision: 1, meta: '{"status":"waiting"}' });
    expect(await store.put('runs', 'a', bytes(''))).toBe(2);
    expect(await store.get('runs', 'a')).toEqual({ value: bytes(''), revision: 2, meta: '' });
    expect(await store.getRevision('runs', 'a', 1)).toEqual({
      value: bytes('one'),
      revision: 1,
      meta: '{"status":"waiting"}',
    });
    expect(await store.getRevision('runs', 'a', 3)).toBeNull();
    await store.close();
  });

  test('the caller’s bytes and the store’s are never the same memory', async () => {
    const store = await open();
    const value = bytes('abc');
    await store.put('runs', 'a', value);
    value[0] = 0;
    const read = await store.get('runs', 'a');
    expect(text(read?.value)).toBe('abc');
    read?.value.fill(0);
    expect(text((await store.get('runs', 'a'))?.value)).toBe('abc');
  });

  test('values keep every byte, from none to many', async () => {
    const store = await open();
    for (const size of [0, 1, 7000, 8191, 8192, 8193, 70_000, 300_000]) {
      const value = new Uint8Array(size).map((_, n) => (n * 31) % 256);
      await store.put('runs', `size ${size}`, value);
      const read = await store.get('runs', `size ${size}`);
      expect(Buffer.compare(read?.value ?? bytes('none'), value)).toBe(0);
    }
  });

  test('I2 cas: of two writers on one revision one wins, and the other is told what is there', async () => {
    const store = await open();
    expect(await store.cas('runs', 'a', bytes('1'), null)).toBe(1);
    await expect(store.cas('runs', 'a', bytes('x'), null)).rejects.toMatchObject({ expected: null, actual: 1 });
    const both = await Promise.allSettled([
      store.cas('runs', 'a', bytes('left'), 1),
      store.cas('runs', 'a', bytes('right'), 1),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const lost = both.find((one) => one.status === 'rejected')?.reason;
    expect(lost).toBeInstanceOf(CasConflict);
    expect(lost).toMatchObject({ expected: 1, actual: 2 });
    expect((await store.head('runs', 'a'))?.revision).toBe(2);
    await expect(store.cas('runs', 'never', bytes('x'), 1)).rejects.toMatchObject({ expected: 1, actual: null });
    expect(await store.head('runs', 'never')).toBeNull();
  });

  test('a delete leaves a tombstone that keeps its meta and goes on counting', async () => {
    const store = await open();
    await store.put('runs', 'a', bytes('1'), { meta: 'm1' });
    await expect(store.delete('runs', 'a', 7)).rejects.toMatchObject({ expected: 7, actual: 1 });
    expect(await store.delete('runs', 'a', 1)).toBe(2);
    expect(await store.get('runs', 'a')).toBeNull();
    expect(await store.head('runs', 'a')).toEqual({ key: 'a', revision: 2, meta: 'm1', deleted: true });
    expect(await store.getRevision('runs', 'a', 2)).toBeNull();
    await expect(store.cas('runs', 'a', bytes('late'), 1)).rejects.toMatchObject({ expected: 1, actual: null });
    expect(await store.cas('runs', 'a', bytes('again'), null)).toBe(3);
    expect(await store.get('runs', 'a')).toMatchObject({ revision: 3, meta: '' });
    expect(await store.delete('runs', 'a', undefined, { meta: 'expired' })).toBe(4);
    expect((await store.head('runs', 'a'))?.meta).toBe('expired');
    expect(await store.put('runs', 'a', bytes('put over it'))).toBe(5);
  });

  test('a tombstone can be overwritten at its own revision, and gets a new one only for a new meta', async () => {
    const store = await open();
    await store.put('runs', 'a', bytes('1'));
    await store.delete('runs', 'a');
    expect(await store.delete('runs', 'a')).toBe(2);
    expect(await store.delete('runs', 'a', 2)).toBe(2);
    expect(await store.delete('runs', 'a', 2, { meta: 'why' })).toBe(3);
    expect(await store.cas('runs', 'a', bytes('2'), 3)).toBe(4);
    expect(await store.delete('runs', 'never')).toBe(0);
    expect(await store.head('runs', 'never')).toBeNull();
    await expect(store.delete('runs', 'never', 1)).rejects.toMatchObject({ expected: 1, actual: null });
  });

  test('buckets do not meet', async () => {
    const store = await open();
    await store.put('runs', 'a', bytes('run'));
    await store.put('decisions', 'a', bytes('decision'));
    expect(text((await store.get('runs', 'a'))?.value)).toBe('run');
    expect((await store.keysPage('decisions', null, 10)).heads).toHaveLength(1);
    expect(await store.keysPage('empty', null, 10)).toEqual({ heads: [], next: null });
  });

  test('H12 pages ascend by encoded key from an inclusive cursor', async () => {
    const store = await open();
    const keys = Array.from({ length: 25 }, (_, n) => `run ${n * 7}`);
    for (const key of keys) await store.put('runs', key, bytes(key), { meta: `meta of ${key}` });
    await store.delete('runs', keys[3] ?? '');
    const live = keys.filter((_, n) => n !== 3).sort((a, b) => (encodeKey(a) < encodeKey(b) ? -1 : 1));
    const first = await store.keysPage('runs', null, 10);
    expect(first.heads.map(({ key }) => key)).toEqual(live.slice(0, 10));
    expect(first.next).toBe(live[10]);
    expect(first.heads[0]).toEqual({ key: live[0], revision: 1, meta: `meta of ${live[0]}`, deleted: false });
    for (const limit of [1, 7, 24, 25, 1000]) {
      expect((await allKeys(store, 'runs', limit)).map(({ key }) => key)).toEqual(live);
    }
    const buried = (await allKeys(store, 'runs', 5, true)).filter(({ deleted }) => deleted);
    expect(buried).toEqual([{ key: keys[3], revision: 2, meta: `meta of ${keys[3]}`, deleted: true }]);
  });

  test('H12 a key that is there throughout is listed once, whatever comes and goes between pages', async () => {
    const store = await open();
    const steady = Array.from({ length: 30 }, (_, n) => `steady-${String(n).padStart(3, '0')}`);
    for (const key of steady) await store.put('runs', key, bytes(key));
    const seen: string[] = [];
    let round = 0;
    for (let cursor: string | null = null; ; ) {
      const page = await store.keysPage('runs', cursor, 4);
      seen.push(...page.heads.map(({ key }) => key));
      round += 1;
      await store.put('runs', `steady-${String(round * 4).padStart(3, '0')}-extra`, bytes('+'));
      await store.put('runs', `a${round}`, bytes('+'));
      if (page.next === null) break;
      if (round % 2 === 0 && page.next.endsWith('extra')) await store.delete('runs', page.next);
      cursor = page.next;
    }
    expect(seen.filter((key) => steady.includes(key))).toEqual(steady);
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('C87 any id is a working key, and different ids never meet', async () => {
    const store = await open();
    const ids: string[] = JSON.parse(caseText('C87', 'ids.json'));
    const keys = [
      ...new Set([
        ...ids,
        'x'.repeat(300),
        'X'.repeat(300),
        'CON',
        'con',
        'Con',
        'nul.json',
        'é',
        'e\u0301',
        '😀',
        'A',
        'a',
      ]),
      '\ud83d',
      '\ude00',
      '\ufffd',
      '\ud800'.repeat(120),
      '\udbff'.repeat(120),
    ];
    for (const [n, key] of keys.entries()) expect(await store.put('runs', key, bytes(`${n}`))).toBe(1);
    for (const [n, key] of keys.entries()) expect(text((await store.get('runs', key))?.value)).toBe(`${n}`);
    const listed = await allKeys(store, 'runs', 9);
    expect(listed.map(({ key }) => key).sort()).toEqual([...keys].sort());
    for (const key of keys) await store.delete('runs', key, 1);
    expect(await allKeys(store, 'runs', 9)).toEqual([]);
  });

  test('names and metas that no store takes are refused, and nothing is written', async () => {
    const store = await open();
    for (const bucket of ['', 'Runs', '../x', 'a/b', '1a', 'con', 'a'.repeat(33), 'a.b']) {
      await expect(store.put(bucket, 'k', bytes('1'))).rejects.toBeInstanceOf(StoreBadInput);
      await expect(store.get(bucket, 'k')).rejects.toBeInstanceOf(StoreBadInput);
    }
    await expect(store.put('runs', 'k'.repeat(4097), bytes('1'))).rejects.toBeInstanceOf(StoreBadInput);
    await expect(store.put('runs', 'k', bytes('1'), { meta: 'm'.repeat(4097) })).rejects.toBeInstanceOf(StoreBadInput);
    await expect(store.put('runs', 'k', bytes('1'), { meta: '\ud800' })).rejects.toBeInstanceOf(StoreBadInput);
    expect((await store.keysPage('runs', null, 10)).heads).toEqual([]);
  });

  test('the longest key and meta fit, however they are escaped', async () => {
    const store = await open();
    const key = '\u0001'.repeat(4096);
    const meta = '\u0001"'.repeat(2048);
    await store.put('runs', key, bytes('body'), { meta });
    expect((await store.keysPage('runs', null, 10)).heads).toEqual([{ key, revision: 1, meta, deleted: false }]);
    expect(text((await store.get('runs', key))?.value)).toBe('body');
  });

  test('payloads are kept once under their sha256', async () => {
    const store = await open();
    const value = new Uint8Array(100_000).fill(7);
    const sha256 = await store.putPayload(value);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await store.putPayload(value)).toBe(sha256);
    expect(Buffer.compare((await store.getPayload(sha256)) ?? bytes('none'), value)).toBe(0);
    expect(await store.getPayload('0'.repeat(64))).toBeNull();
    await expect(store.getPayload('../../STORE.json')).rejects.toBeInstanceOf(StoreBadInput);
  });

  test('watch tells of every write until it is disposed', async () => {
    const store = await open();
    const seen: (readonly string[] | null)[] = [];
    const dispose = store.watch('runs', (keys) => seen.push(keys));
    await store.put('runs', 'a', bytes('1'));
    await store.put('other', 'elsewhere', bytes('1'));
    await eventually(() => seen.some((keys) => keys === null || keys.includes('a')));
    await store.delete('runs', 'a');
    const before = seen.length;
    await eventually(() => seen.length > before || seen.flat().filter((key) => key === 'a').length >= 2);
    expect(seen.flat()).not.toContain('elsewhere');
    dispose();
    dispose();
    const after = seen.length;
    await store.put('runs', 'b', bytes('1'));
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect(seen).toHaveLength(after);
    await store.close();
  });

  test('a closed store refuses', async () => {
    const store = await open();
    await store.close();
    await store.close();
    await expect(store.get('runs', 'a')).rejects.toThrow('closed');
    await expect(store.put('runs', 'a', bytes('1'))).rejects.toThrow('closed');
    await expect(store.keysPage('runs', null, 1)).rejects.toThrow('closed');
    expect(() => store.watch('runs', () => undefined)).toThrow('closed');
  });

  test('nothing is quarantined in a sound store, and no path outside is read', async () => {
    const store = await open();
    await store.put('runs', 'a', bytes('1'));
    expect(await store.quarantined()).toEqual([]);
    for (const file of ['../x', '/etc/passwd', 'k/../STORE.json', 'STORE.json', 'k/runs/..\\x', '']) {
      await expect(store.readQuarantined(file)).rejects.toThrow();
    }
  });
});

test('I5 the store in memory can be damaged: the key refuses, the others go on', async () => {
  const store = new MemoryStore();
  await store.put('runs', 'bad', bytes('1'));
  await store.put('runs', 'good', bytes('1'));
  store.damage('runs', 'bad', 'it is empty (0 bytes)', new Uint8Array());
  await expect(store.get('runs', 'bad')).rejects.toBeInstanceOf(StoreCorrupt);
  await expect(store.put('runs', 'bad', bytes('2'))).rejects.toBeInstanceOf(StoreCorrupt);
  await expect(store.delete('runs', 'bad')).rejects.toBeInstanceOf(StoreCorrupt);
  expect((await store.keysPage('runs', null, 9)).heads.map(({ key }) => key)).toEqual(['good']);
  const [entry] = await store.quarantined();
  expect(entry).toMatchObject({ bucket: 'runs', key: 'bad', size: 0, reason: 'it is empty (0 bytes)' });
  expect(await store.readQuarantined(entry?.file ?? '')).toEqual(new Uint8Array());
});

test('the hooks of the store in memory can pause a writer and lose an answer', async () => {
  const store = new MemoryStore();
  await store.put('runs', 'a', bytes('1'));
  let release = (): void => undefined;
  store.beforeWrite = (_op, _bucket, key) => (key === 'a' ? new Promise((resolve) => (release = resolve)) : undefined);
  const paused = store.cas('runs', 'a', bytes('slow'), 1);
  store.beforeWrite = undefined;
  expect(await store.cas('runs', 'a', bytes('fast'), 1)).toBe(2);
  release();
  await expect(paused).rejects.toMatchObject({ expected: 1, actual: 2 });
  store.afterWrite = () => {
    throw new Error('lost');
  };
  await expect(store.cas('runs', 'a', bytes('3'), 2)).rejects.toThrow('lost');
  expect(text((await store.get('runs', 'a'))?.value)).toBe('3');
});
