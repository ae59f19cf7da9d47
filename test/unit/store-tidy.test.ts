import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CasIndeterminate, StoreCorrupt } from '../../electron/store/contract.js';
import { type Disk, nodeDisk } from '../../electron/store/disk.js';
import { openStore, type StoreOptions } from '../../electron/store/file-store.js';
import { sha256Hex } from '../../electron/store/header.js';
import { bytes, host, inventory, recordFile, tempFolder, text } from '../helpers/store-folder.js';

const HOUR = 3600_000;

/** A store whose clock is the test's: what takes days is done at once. */
async function world(options: StoreOptions = {}) {
  const root = tempFolder();
  let ahead = 0;
  const open = (more: StoreOptions = {}) =>
    openStore(root, { ballastBytes: 0, host: host(), now: () => Date.now() + ahead, ...options, ...more });
  return {
    root,
    open,
    store: await open(),
    later: (hours: number) => {
      ahead += hours * HOUR;
    },
    payloads: () =>
      readdirSync(join(root, 'p'), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.length > 60)
        .map((name) => name.slice(3)),
  };
}

const revisionsOf = (root: string, key: string, to: number): number[] =>
  Array.from({ length: to }, (_, n) => n + 1).filter((n) => existsSync(recordFile(root, 'runs', key, n)));

describe('old revisions', () => {
  test('of a live key go eight below the newest, a day old, oldest first, once there are more than sixteen', async () => {
    const { root, store, later } = await world();
    for (let n = 1; n <= 20; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    for (let n = 1; n <= 16; n += 1) await store.put('runs', 'few', bytes(`${n}`));
    expect(await store.tidy()).toMatchObject({ revisions: 0 });
    later(25);
    expect(await store.tidy()).toMatchObject({ revisions: 12 });
    expect(revisionsOf(root, 'a', 20)).toEqual([13, 14, 15, 16, 17, 18, 19, 20]);
    expect(revisionsOf(root, 'few', 16)).toHaveLength(16);
    expect(await store.cas('runs', 'a', bytes('21'), 20)).toBe(21);
  });

  test('of buckets that are kept whole stay for good', async () => {
    const { root, store, later } = await world({ keepAll: ['runs'] });
    for (let n = 1; n <= 20; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    later(1000);
    expect(await store.tidy()).toMatchObject({ revisions: 0 });
    expect(revisionsOf(root, 'a', 20)).toHaveLength(20);
  });

  test('H2: of a removed key only the tombstone stays, which goes on counting: a stale revision never wins', async () => {
    const { root, store, later } = await world();
    for (let n = 1; n <= 3; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    await store.delete('runs', 'a');
    later(1);
    expect(await store.tidy()).toMatchObject({ revisions: 0 });
    later(24 * 365);
    expect(await store.tidy()).toMatchObject({ revisions: 3 });
    expect(revisionsOf(root, 'a', 4)).toEqual([4]);
    expect(await store.cas('runs', 'a', bytes('again'), null)).toBe(5);
    await expect(store.cas('runs', 'a', bytes('stale'), 1)).rejects.toMatchObject({ actual: 5 });
  });

  test('I5: of a key whose newest revision cannot be read nothing goes', async () => {
    const { root, store, later, open } = await world();
    for (let n = 1; n <= 20; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    writeFileSync(recordFile(root, 'runs', 'a', 20), '');
    later(25);
    expect(await (await open()).tidy()).toMatchObject({ revisions: 0, doubt: null });
    expect(revisionsOf(root, 'a', 20)).toHaveLength(20);
  });

  test('guarantee 4, H1: a writer that slept while its slot was freed in the background does not win', async () => {
    const { root, store, open } = await world({ retention: { keep: 8, distance: 8, ageMs: -1 } });
    let asleep: (() => void) | null = null;
    const disk: Disk = {
      ...nodeDisk,
      link: (from, to) => {
        const act = asleep;
        asleep = null;
        act?.();
        nodeDisk.link(from, to);
      },
    };
    const slow = await open({ disk });
    for (let n = 1; n <= 3; n += 1) await store.put('runs', 'a', bytes(`${n}`));
    const writer = await open({ retention: { keep: 99, distance: 8, ageMs: -1 } });
    asleep = () => {
      for (let n = 4; n <= 20; n += 1) void writer.put('runs', 'a', bytes(`${n}`));
      void store.thin('runs', 'a');
    };
    await expect(slow.cas('runs', 'a', bytes('stale'), 3)).rejects.toMatchObject({ expected: 3, actual: 20 });
    expect(revisionsOf(root, 'a', 20)).not.toContain(4);
  });
});

describe('payloads', () => {
  test('that nothing names leave, and go with a later pass; named and young ones stay', async () => {
    const { root, store, later, payloads } = await world();
    const named = await store.putPayload(bytes('named'));
    const idle = await store.putPayload(bytes('idle'));
    await store.put('runs', 'a', bytes('x'), { payloads: [named] });
    expect(await store.tidy()).toMatchObject({ leaving: 0, payloads: 0, doubt: null });
    later(25);
    const young = await store.putPayload(bytes('young'));
    // The clock is the test's, and files go by the system's.
    const now = (Date.now() + 25 * HOUR) / 1000;
    utimesSync(join(root, 'p', young.slice(0, 2), young), now, now);
    expect(await store.tidy()).toMatchObject({ leaving: 1, payloads: 0 });
    expect(text((await store.getPayload(idle)) ?? undefined)).toBe('idle');
    expect(await store.tidy()).toMatchObject({ leaving: 0, payloads: 0 });
    later(25);
    await store.put('runs', 'b', bytes('y'), { payloads: [young] });
    expect(await store.tidy()).toMatchObject({ payloads: 1 });
    expect(await store.getPayload(idle)).toBeNull();
    expect(payloads().sort()).toEqual([named, young].sort());
  });

  test('one that is named again while it leaves gets its own name back', async () => {
    const { store, later, payloads } = await world();
    const sha256 = await store.putPayload(bytes('comes back'));
    later(25);
    await store.tidy();
    expect(payloads()).not.toContain(sha256);
    await store.put('runs', 'a', bytes('x'), { payloads: [sha256] });
    expect(payloads()).toContain(sha256);
    later(25);
    await store.tidy();
    expect(payloads()).toEqual([sha256]);
  });

  test('a value that says nothing of them is read, and whatever looks like a name counts', async () => {
    const { store, later, payloads } = await world();
    const one = await store.putPayload(bytes('one'));
    const other = await store.putPayload(bytes('other'));
    await store.put('runs', 'a', bytes(`{"at":"0${one}","filling":"${'x'.repeat(20_000)}","also":"${other}f"}`));
    later(25);
    expect(await store.tidy()).toMatchObject({ leaving: 0, doubt: null });
    expect(payloads()).toHaveLength(2);
  });

  test('I5: while a record cannot be trusted none goes, and the pass says why', async () => {
    const { root, store, later, open } = await world();
    await store.putPayload(bytes('idle'));
    await store.put('runs', 'a', bytes('x'), { payloads: [] });
    writeFileSync(recordFile(root, 'runs', 'a', 1), 'cut');
    later(25);
    expect(await (await open()).tidy()).toMatchObject({
      leaving: 0,
      payloads: 0,
      doubt: expect.stringContaining('runs'),
    });
  });

  test('a writer that slept until its payload was gone is told that nothing is sure, never "saved"', async () => {
    const { store, later } = await world();
    const sha256 = await store.putPayload(bytes('slow'));
    later(25);
    await store.tidy();
    later(25);
    await store.tidy();
    const write = store.cas('runs', 'a', bytes('x'), null, { payloads: [sha256] });
    await expect(write).rejects.toThrow(CasIndeterminate);
    await expect(write).rejects.toThrow(/has to be put again/);
  });

  test('a name that was acknowledged at any moment of a sweep keeps its payload, whatever the sweeps after it', async () => {
    let meetings = 0;
    let won = 0;
    // Met by the sweep that takes its own name away, and by the one that would remove it.
    for (let at = 0, met = 0; met < 2; at += 2) {
      if (at > 500) throw new Error('a sweep has no end');
      const { store, later, open } = await world();
      const sha256 = await store.putPayload(bytes('met'));
      await store.put('runs', 'other', bytes('x'), { payloads: [] });
      later(25);
      if (met === 1) {
        await store.tidy();
        later(25);
      }
      let calls = Number.NEGATIVE_INFINITY;
      let writes: Promise<boolean> | null = null;
      const shard = join('p', sha256.slice(0, 2));
      const wake = (path: unknown): void => {
        if (typeof path !== 'string' || !(path.includes(shard) || path.includes(join('k', 'runs')))) return;
        calls += 1;
        if (calls !== at / 2 + 1) return;
        // It put the payload long ago, and names it only now.
        writes = store.cas('runs', 'a', bytes('x'), null, { payloads: [sha256] }).then(
          () => true,
          () => false,
        );
      };
      const watched = Object.fromEntries(
        Object.entries(nodeDisk).map(([name, call]) => [
          name,
          (...args: unknown[]) => {
            wake(args[0]);
            return (call as (...all: unknown[]) => unknown)(...args);
          },
        ]),
      ) as unknown as Disk;
      const sweeper = await open({ disk: watched });
      calls = 0;
      await sweeper.tidy();
      if (writes === null) {
        met += 1;
        at = -2;
        continue;
      }
      const acknowledged = await writes;
      meetings += 1;
      for (let again = 0; again < 3; again += 1) {
        later(25);
        await store.tidy();
      }
      if (acknowledged) expect(text((await store.getPayload(sha256)) ?? undefined)).toBe('met');
      won += acknowledged ? 1 : 0;
    }
    expect(meetings).toBeGreaterThan(16);
    expect(won).toBeGreaterThan(meetings - 4);
  }, 60_000);
});

describe('a pass', () => {
  test('only counts with dryRun, and changes nothing', async () => {
    const { root, store, later, open } = await world();
    for (let n = 1; n <= 20; n += 1) await store.put('runs', 'a', bytes(`${n}`), { payloads: [] });
    await store.putPayload(bytes('idle'));
    later(25);
    const other = await open();
    const before = inventory(root, ['idx']);
    expect(await other.tidy({ dryRun: true })).toMatchObject({ revisions: 12, leaving: 1 });
    expect(inventory(root, ['idx'])).toEqual(before);
    expect(await store.tidy()).toMatchObject({ revisions: 12, leaving: 1 });
  });

  test('guarantee 9: opens no payload, stops when told to, and may run in several processes at once', async () => {
    const { store, later, open } = await world();
    for (let key = 0; key < 5; key += 1)
      for (let n = 1; n <= 17; n += 1) await store.put('runs', `key ${key}`, bytes(`${n}`), { payloads: [] });
    for (let n = 0; n < 20; n += 1) await store.putPayload(bytes(`idle ${n}`));
    later(25);
    let opened = 0;
    const disk: Disk = {
      ...nodeDisk,
      openRead: (path) => {
        if (path.includes(join('/', 'p', '/'))) opened += 1;
        return nodeDisk.openRead(path);
      },
    };
    const first = await open({ disk });
    let asked = 0;
    await first.tidy({ goOn: async () => ++asked < 3 });
    expect(asked).toBe(3);
    const both = await Promise.all([first.tidy(), (await open()).tidy()]);
    expect(both[0].leaving + both[1].leaving).toBe(20);
    for (let key = 0; key < 5; key += 1) expect((await store.get('runs', `key ${key}`))?.revision).toBe(17);
    expect(await store.tidy()).toMatchObject({ revisions: 0, leaving: 0, doubt: null });
    expect(opened).toBe(0);
  }, 30_000);

  test('a payload whose bytes do not match its name is not put back as if they did', async () => {
    const { root, store, later, payloads } = await world();
    const sha256 = await store.putPayload(bytes('altered'));
    later(25);
    await store.tidy();
    const [leaving = ''] = payloads();
    writeFileSync(join(root, 'p', sha256.slice(0, 2), leaving), 'other bytes');
    await expect(store.getPayload(sha256)).rejects.toThrow(StoreCorrupt);
    expect(sha256Hex('altered')).toBe(sha256);
  });
});
