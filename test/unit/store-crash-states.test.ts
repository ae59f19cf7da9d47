import { expect, test } from 'vitest';
import type { Disk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import { copyOf, crashStates } from '../helpers/store-crash-states.js';
import { bytes, host, recordFile, text } from '../helpers/store-folder.js';
import { MemoryDisk } from '../helpers/store-memory-disk.js';

const ROOT = '/data';
const open = (disk: Disk) => openStore(ROOT, { disk, host: host(), ballastBytes: 0, platform: 'linux' });

/** What was written to each key so far, in order, and how much of it a caller was told to be there. */
type Written = Record<string, { values: string[]; acked: number }>;

interface Findings {
  states: number;
  lost: number;
  torn: number;
}

/** Reads both keys of a disk that a power cut left, and compares with what its writers were told. */
async function check(disk: MemoryDisk, written: Written, findings: Findings): Promise<void> {
  findings.states += 1;
  const store = await open(disk);
  for (const [key, { values, acked }] of Object.entries(written)) {
    try {
      const entry = await store.get('runs', key);
      const revision = entry?.revision ?? 0;
      if (revision < acked) findings.lost += 1;
      if (entry !== null && text(entry.value) !== values[revision - 1]) findings.torn += 1;
    } catch {
      findings.torn += 1;
    }
  }
  if ((await store.quarantined()).length > 0) findings.torn += 1;
  if (store.readOnlyReason !== null) findings.torn += 1;
}

/** Replays what a workload did to the disk, cutting the power after every call, and checks every state. */
async function explore(
  start: MemoryDisk,
  ran: MemoryDisk,
  written: Written,
  stopAt: keyof Findings | null,
): Promise<Findings> {
  const findings: Findings = { states: 0, lost: 0, torn: 0 };
  const replay = copyOf(start);
  for (const entry of ran.log) {
    attemptOn(entry, replay);
    const key = typeof entry === 'function' ? undefined : written[entry.ack];
    if (key !== undefined) key.acked += 1;
    for (const state of crashStates(replay)) {
      await check(state, written, findings);
      if (stopAt !== null && findings[stopAt] > 0) return findings;
    }
  }
  return findings;
}

/** Four compare-and-sets on two keys of a store that is there and durable, seen through a disk that may cheat. */
async function fourWrites(
  cheat: (disk: MemoryDisk) => Disk,
): Promise<{ start: MemoryDisk; ran: MemoryDisk; written: Written }> {
  const start = new MemoryDisk();
  const first = await open(start);
  await first.put('runs', 'other', bytes('other'));
  start.settle();
  const ran = copyOf(start);
  const store = await open(cheat(ran));
  const written: Written = { a: { values: [], acked: 0 }, b: { values: [], acked: 0 } };
  for (const [n, key] of ['a', 'b', 'a', 'b'].entries()) {
    const value = `value ${n} `.repeat(20);
    const one = written[key];
    one?.values.push(value);
    await store.cas('runs', key, bytes(value), (one?.values.length ?? 0) - 1 || null);
    ran.ack(key);
  }
  return { start, ran, written };
}

test('guarantees 1 and 2: whatever a power cut leaves, every acknowledged write is there, and none is torn', async () => {
  const { start, ran, written } = await fourWrites((disk) => disk);
  const findings = await explore(start, ran, written, null);
  expect(findings).toMatchObject({ lost: 0, torn: 0 });
  expect(findings.states).toBeGreaterThan(60);
  expect(written).toMatchObject({ a: { acked: 2 }, b: { acked: 2 } });
});

test('guarantee 2: without the sync of the file the explorer finds torn records', async () => {
  const { start, ran, written } = await fourWrites((disk) => withoutSync(disk, 'file'));
  const findings = await explore(start, ran, written, 'torn');
  expect(findings.torn).toBeGreaterThan(0);
});

test('guarantee 1: without the sync of the folder the explorer finds lost writes', async () => {
  const { start, ran, written } = await fourWrites((disk) => withoutSync(disk, 'folder'));
  const findings = await explore(start, ran, written, 'lost');
  expect(findings.lost).toBeGreaterThan(0);
});

test('guarantees 1 and 8: no power cut while a store is made leaves one that needs mending, or loses its first write', async () => {
  const start = new MemoryDisk();
  const ran = copyOf(start);
  const store = await open(ran);
  await store.put('runs', 'a', bytes('first'));
  const written: Written = { a: { values: ['first'], acked: 0 } };
  const findings: Findings = { states: 0, lost: 0, torn: 0 };
  const replay = copyOf(start);
  for (const [n, entry] of ran.log.entries()) {
    attemptOn(entry, replay);
    const done = n === ran.log.length - 1;
    if (written['a'] !== undefined) written['a'].acked = done ? 1 : 0;
    for (const state of crashStates(replay)) {
      await check(state, written, findings);
      const again = await open(state);
      await again.put('runs', 'b', bytes('goes on'));
    }
  }
  expect(findings).toMatchObject({ lost: 0, torn: 0 });
  expect(findings.states).toBeGreaterThan(60);
});

function attemptOn(entry: MemoryDisk['log'][number], disk: MemoryDisk): void {
  try {
    if (typeof entry === 'function') entry(disk);
  } catch {
    // It failed the first time, too.
  }
}

/** A disk on which one of the two syncs of a write is never done. */
function withoutSync(disk: MemoryDisk, kind: 'file' | 'folder'): Disk {
  return {
    ...disk,
    fsync: (fd) => {
      if (disk.fstat(fd).kind !== kind) disk.fsync(fd);
    },
  };
}

test('guarantees 1 and 8: no power cut while old things are removed loses what is named, or leaves a gap', async () => {
  const DAY = 25 * 3600_000;
  let ahead = 0;
  const openAt = (disk: Disk) =>
    openStore(ROOT, { disk, host: host(), ballastBytes: 0, platform: 'linux', now: () => Date.now() + ahead });
  const start = new MemoryDisk();
  const first = await openAt(start);
  for (let n = 1; n <= 18; n += 1) await first.put('runs', 'busy', bytes(`${n}`), { payloads: [] });
  const named = await first.putPayload(bytes('named'));
  const idle = await first.putPayload(bytes('idle'));
  const back = await first.putPayload(bytes('back'));
  await first.put('runs', 'a', bytes('a'), { payloads: [named] });
  start.settle();
  const ran = copyOf(start);
  const store = await openAt(ran);
  ahead = DAY;
  await store.tidy();
  // It left, and is named again: from the acknowledgement on it has to be there.
  await store.put('runs', 'b', bytes('b'), { payloads: [back] });
  ran.ack('b');
  ahead += DAY;
  await store.tidy();
  await store.tidy();
  expect(await store.getPayload(idle)).toBeNull();

  const replay = copyOf(start);
  let acked = false;
  let states = 0;
  for (const entry of ran.log) {
    attemptOn(entry, replay);
    if (typeof entry !== 'function') acked = true;
    for (const state of crashStates(replay)) {
      states += 1;
      const after = await openAt(state);
      expect((await after.get('runs', 'busy'))?.revision).toBe(18);
      expect(text((await after.getPayload(named)) ?? undefined)).toBe('named');
      if (acked) expect(text((await after.getPayload(back)) ?? undefined)).toBe('back');
      expect(revisionsAt(state, 'busy', 18)).toMatch(/^-*\+{8,}$/);
      expect(await after.quarantined()).toEqual([]);
    }
  }
  expect(states).toBeGreaterThan(60);
}, 60_000);

/** A sign for each revision: there, or gone. */
function revisionsAt(disk: MemoryDisk, key: string, to: number): string {
  const there = (revision: number): boolean => {
    try {
      disk.lstat(recordFile(ROOT, 'runs', key, revision));
      return true;
    } catch {
      return false;
    }
  };
  return Array.from({ length: to }, (_, n) => (there(n + 1) ? '+' : '-')).join('');
}
