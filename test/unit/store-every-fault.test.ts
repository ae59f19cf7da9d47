import { describe, expect, test } from 'vitest';
import {
  CasConflict,
  CasIndeterminate,
  StoreCorrupt,
  StoreFault,
  StoreFull,
  StoreReadOnly,
} from '../../electron/store/contract.js';
import type { Disk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { copyOf, crashStates } from '../helpers/store-crash-states.js';
import { CALLS, type Call, type Fault, FaultDisk } from '../helpers/store-fault-disk.js';
import { bytes, host, text } from '../helpers/store-folder.js';
import { errno, MemoryDisk } from '../helpers/store-memory-disk.js';

const ROOT = '/data/store';
const TYPED = [CasConflict, CasIndeterminate, StoreCorrupt, StoreFault, StoreFull, StoreReadOnly];
const ANY_NAME = ['EIO', 'ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EBUSY'];
/** The errors that each call can give. */
const CODES: Record<Call, readonly string[]> = {
  openNew: [...ANY_NAME, 'EMFILE'],
  openRead: ['EIO', 'EACCES', 'EPERM', 'EMFILE'],
  openFolder: ['EIO', 'EACCES', 'EMFILE'],
  write: ['EIO', 'ENOSPC', 'EFBIG'],
  read: ['EIO'],
  fsync: ['EIO', 'ENOSPC'],
  close: ['EIO', 'ENOSPC'],
  fstat: ['EIO'],
  stat: ['EIO', 'EACCES'],
  lstat: ['EIO', 'EACCES'],
  link: ANY_NAME,
  unlink: ANY_NAME,
  rename: ANY_NAME,
  mkdir: ANY_NAME,
  rmdir: ANY_NAME,
  readdir: ['EIO', 'EACCES', 'EMFILE'],
};
/** Calls that no reader makes. */
const WRITE_ONLY = new Set<Call>([
  'openNew',
  'openFolder',
  'write',
  'fsync',
  'link',
  'unlink',
  'rename',
  'mkdir',
  'rmdir',
]);
const open = (disk: Disk) =>
  openStore(ROOT, {
    disk,
    host: host(),
    ballastBytes: 0,
    platform: 'linux',
    retention: { keep: 4, distance: 2, ageMs: -1 },
  });

/** What each key held last that was acknowledged; null is a tombstone. */
type Held = Map<string, string | null>;

interface Act {
  name: string;
  run(store: FileStore): Promise<unknown>;
  /** Only reads: goes on whatever is wrong with writing. */
  reads?: true;
  /** What it makes true, when it says that it did. */
  makes?: [key: string, value: string | null];
}

const put = (key: string, value: string): Act => ({
  name: `put ${key}`,
  run: (store) => store.put('runs', key, bytes(value), { meta: value.slice(0, 9) }),
  makes: [key, value],
});

/** Two at once; what became of the first is what counts here. */
async function many(store: FileStore): Promise<void> {
  const [first] = await store.casMany('runs', [
    { key: 'many', value: bytes('many one'), expected: null },
    { key: 'more', value: bytes('more one'), expected: null },
  ]);
  if (first instanceof Error) throw first;
}

const ACTS: readonly Act[] = [
  { name: 'cas a', run: (store) => store.cas('runs', 'a', bytes('a two'), 1), makes: ['a', 'a two'] },
  put('new', 'new one'),
  put('long', 'long '.repeat(3000)),
  { name: 'delete b', run: (store) => store.delete('runs', 'b', 1), makes: ['b', null] },
  { name: 'putPayload', run: (store) => store.putPayload(bytes('payload')) },
  { name: 'get', run: (store) => store.get('runs', 'a'), reads: true },
  { name: 'getRevision', run: (store) => store.getRevision('runs', 'a', 1), reads: true },
  { name: 'keysPage', run: (store) => store.keysPage('runs', null, 9, { tombstones: true }), reads: true },
  { name: 'getPayload', run: (store) => store.getPayload('0'.repeat(64)), reads: true },
  { name: 'quarantined', run: (store) => store.quarantined(), reads: true },
  put('hot', 'hot six'),
  { name: 'casMany', run: many, makes: ['many', 'many one'] },
  { name: 'thin', run: (store) => store.thin('runs', 'hot') },
];

/** A store that is there and durable, published by link or by the rename of folders. */
async function prepared(publish: 'link' | 'rename'): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  const made = publish === 'link' ? disk : withoutLinks(disk);
  const store = await open(made);
  for (const key of ['a', 'b']) await store.put('runs', key, bytes(`${key} one`));
  for (let n = 1; n <= 5; n += 1) await store.put('runs', 'hot', bytes(`hot ${n}`));
  await store.close();
  disk.settle();
  return disk;
}

function withoutLinks(disk: Disk): Disk {
  return {
    ...disk,
    link: () => {
      throw errno('EPERM');
    },
  };
}

const namesActAndFile = /(could not|cannot|was published|whether|fails?|read-only).*\/data\/store|\bk\/runs\//i;

/** Runs every act on a disk on which one call fails, and looks for what may never be. Returns how often it struck. */
async function tryFault(start: MemoryDisk, publish: 'link' | 'rename', fault: Fault): Promise<number> {
  const memory = copyOf(start);
  const faulty = new FaultDisk(publish === 'link' ? memory : withoutLinks(memory));
  const where = `${fault.call} ${fault.nth} ${fault.code} x ${fault.times}${fault.done ? ', done all the same' : ''} (${publish})`;
  const store = await open(faulty.disk);
  const held: Held = new Map([
    ['a', 'a one'],
    ['b', 'b one'],
    ['hot', 'hot 5'],
  ]);
  const doubtful = new Map<string, string | null>();
  faulty.arm(fault);
  for (const act of ACTS) {
    const struck = faulty.struck;
    const error = await act.run(store).then(
      () => null,
      (reason: unknown) => reason,
    );
    const during = `${where}, at ${act.name}`;
    if (act.reads && WRITE_ONLY.has(fault.call)) expect(error, `${during}: reads go on`).toBeNull();
    if (error !== null) {
      expect(
        TYPED.some((type) => error instanceof type),
        `${during}: untyped ${String(error)}`,
      ).toBe(true);
      expect(faulty.struck, `${during}: failed without a fault: ${String(error)}`).toBeGreaterThan(struck);
      if (!(error instanceof CasConflict)) expect(String(error), during).toMatch(namesActAndFile);
    }
    if (act.makes === undefined) continue;
    const [key, value] = act.makes;
    if (error === null) held.set(key, value);
    else if (error instanceof CasIndeterminate) doubtful.set(key, value);
  }
  const { struck } = faulty;
  faulty.heal();
  await holds(store, held, doubtful, `${where}, in the same process`);
  // What was said to be saved is there even when the power is cut now, and nothing was synced since.
  const [worst] = crashStates(memory);
  if (worst === undefined) throw new Error('no state');
  await holds(
    await open(publish === 'link' ? worst : withoutLinks(worst)),
    held,
    doubtful,
    `${where}, after a power cut`,
  );
  // One failed write poisons no later one, and nothing stays under tmp/ but what could not be removed.
  for (const key of ['a', 'b', 'new', 'hot']) await store.put('runs', key, bytes(`${key} later`));
  expect(await store.quarantined(), where).toEqual([]);
  for (const key of ['a', 'b', 'new', 'hot']) expect(text((await store.get('runs', key))?.value)).toBe(`${key} later`);
  // A file or folder that was made, and said not to be, may stay until a later process sweeps it.
  const lost = fault.done === true && (fault.call === 'openNew' || fault.call === 'mkdir');
  expect(memory.readdir(`${ROOT}/tmp`).length, `${where}: leftovers`).toBeLessThanOrEqual(lost ? 1 : 0);
  await store.close();
  return struck;
}

async function holds(store: FileStore, held: Held, doubtful: Held, where: string): Promise<void> {
  for (const [key, value] of held) {
    const entry = await store.get('runs', key);
    const found = entry === null ? null : text(entry.value);
    const allowed = doubtful.has(key) ? [value, doubtful.get(key)] : [value];
    expect(allowed, `${where}: ${key}`).toContain(found);
  }
}

describe.each(['link', 'rename'] as const)(
  'guarantee 6: every call of the disk fails once, published by %s',
  (publish) => {
    test.each(CALLS)(
      '%s',
      async (call) => {
        const start = await prepared(publish);
        let struck = 0;
        for (const code of CODES[call]) {
          for (let nth = 1; ; nth += 1) {
            const strikes = await tryFault(start, publish, { call, nth, code, times: 1 });
            if (strikes === 0) break;
            struck += strikes;
          }
        }
        const unused = publish === 'link' ? ['rename', 'rmdir', 'stat'] : ['link', 'unlink', 'rmdir', 'stat'];
        expect(struck > 0).toBe(!unused.includes(call));
      },
      120_000,
    );
  },
);

describe.each(['link', 'rename'] as const)(
  'guarantee 6: the deed is done and its answer lost, published by %s',
  (publish) => {
    test.each(['openNew', 'write', 'fsync', 'link', 'unlink', 'rename', 'mkdir'] as const)(
      '%s',
      async (call) => {
        const start = await prepared(publish);
        for (const code of ['EIO', 'EEXIST', 'ENOENT']) {
          let strikes = 1;
          for (let nth = 1; strikes > 0; nth += 1) {
            strikes = await tryFault(start, publish, { call, nth, code, times: 1, done: true });
          }
        }
      },
      60_000,
    );
  },
);

describe.each(['link', 'rename'] as const)(
  'guarantee 7: a fault that stays: reads go on, and all is well when it ends, published by %s',
  (publish) => {
    test.each(CALLS)(
      '%s',
      async (call) => {
        const start = await prepared(publish);
        for (const code of CODES[call]) {
          for (const nth of [1, 2, 7]) {
            await tryFault(start, publish, { call, nth, code, times: Number.POSITIVE_INFINITY });
          }
        }
      },
      60_000,
    );
  },
);
