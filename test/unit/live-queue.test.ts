import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changeDesk } from '../../electron/checkpoints/desk.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { listRows, unreadableRow } from '../../electron/checkpoints/rows.js';
import { type LiveQueue, openLiveQueue } from '../../electron/queue/live-queue.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { QueueQuery, VIEWS, type View } from '../../shared/queue.js';
import type { QueueItem } from '../../shared/queue-rows.js';
import type { RunRow } from '../../shared/run-row.js';
import { at, klieoRecord, World } from '../helpers/world.js';

let world: World;
let live: LiveQueue;
let told: number;
let refused: RunRow[];
let noted: (string | null)[];

beforeEach(() => {
  world = new World({ gc: { ttlHours: 24 } });
  told = 0;
  refused = [];
  noted = [];
  live = open();
});
afterEach(() => live.close());

function open(): LiveQueue {
  return openLiveQueue({
    store: world.store,
    ports: world.ports,
    timers: { set: (after, act) => setTimeout(act, after), clear: (timer) => clearTimeout(timer as NodeJS.Timeout) },
    waiting: () => null,
    asSeenHere: (row) => row,
    quarantined: async () => [],
    refused: async () => refused,
    search: {
      indexing: null,
      find: async () => () => true,
      note: (entry, digest) => noted.push(digest === null ? null : entry.name),
      close: async () => undefined,
    },
    changed: () => {
      told += 1;
    },
    log: (text) => {
      throw new Error(text);
    },
  });
}

const runId = (n: number): string => `01K0QZ6V5M3H8D7N2B4C9F1X${String(n).padStart(2, '0')}`;
const put = (n: number, tool = 'delete_file', args = `{"n":${n}}`): Promise<SuspensionKey> =>
  world.put(klieoRecord({ runId: runId(n), calls: [{ id: 'c', name: tool, args }] }));
const show = (view: View, more: object = {}) => live.queue.show(QueueQuery.parse({ view, ...more }));
const rowsOf = (items: readonly QueueItem[]): RunRow[] =>
  items.flatMap((item) => (item.kind === 'run' ? [item.row] : []));
const inView = async (view: View, more: object = {}) => rowsOf((await show(view, { fold: false, ...more })).page.items);
/** All rows that the list shows, in whatever place. */
async function everything(): Promise<RunRow[]> {
  const all = new Map<string, RunRow>();
  for (const view of VIEWS) for (const row of await inView(view)) all.set(row.id, row);
  return [...all.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
const byListing = async (): Promise<RunRow[]> =>
  (await listRows(world.store, world.ports, () => null)).sort((a, b) => (a.id < b.id ? -1 : 1));

describe('the list says what a full listing says', () => {
  it('after every step of a life: taken in, decided, run, superseded, snoozed, withdrawn', async () => {
    const keys = [await put(1), await put(2, 'read_file'), await put(3), await put(4)];
    expect(await everything()).toEqual(await byListing());
    const [first, second, third] = keys as [SuspensionKey, SuspensionKey, SuspensionKey];
    await world.decide(first, ['approve']);
    expect(await everything()).toEqual(await byListing());
    await world.resume(first);
    expect(await everything()).toEqual(await byListing());
    await world.decide(second, [{ reject: 'no' }]);
    await put(3, 'delete_file', '{"n":"next"}');
    expect(await everything()).toEqual(await byListing());
    await changeDesk(world.store, third, (desk) => ({ ...desk, snoozedUntil: '2026-07-20T11:00:00Z' }));
    expect(await everything()).toEqual(await byListing());
  });

  it('what a script makes unknown comes first, and a settled one leaves the claimed', async () => {
    const key = await put(1);
    await put(2);
    world.script = () => ({ kind: 'unknown', cause: 'timeout', text: 'no answer' });
    await world.decide(key, ['approve']);
    await world.resume(key);
    expect((await inView('needs_me')).map((row) => row.status)).toEqual(['unknown_outcome', 'waiting']);
    expect(await everything()).toEqual(await byListing());
  });

  it('what the GC removed stays with the word it ended with, and is searched no more', async () => {
    const key = await put(1);
    await inView('needs_me');
    world.now += 25n * 3600n * 1_000_000_000n;
    expect((await inView('finished')).map((row) => row.status)).toEqual(['expired']);
    await sweep(world.store, world.ports.clock, { ttl: () => 24n * 3600n * 1_000_000_000n });
    const [row] = await inView('finished');
    expect(row?.note).toContain('Removed by the GC');
    expect(await byListing()).toEqual([]);
    expect(noted.at(-1)).toBeNull();
    expect(row?.id).toBe(`s:${suspensionText(key)}`);
  });

  it('a new tool table is at once the class of every row', async () => {
    await put(1);
    expect((await inView('needs_me', { filter: { effect: 'destructive' } })).length).toBe(1);
    world.settings = { ...world.settings, tools: [] };
    expect(await inView('needs_me', { filter: { effect: 'destructive' } })).toEqual([]);
    expect(await everything()).toEqual(await byListing());
  });

  it('records that cannot be read are in it with their reason, and leave it when they are gone', async () => {
    refused = [{ ...unreadableRow('bad.json', 'duplicate key "amount"'), id: 'f:bad' }];
    live.touch();
    expect((await inView('unreadable')).map((row) => row.note)).toEqual(['duplicate key "amount"']);
    refused = [];
    live.touch();
    expect(await inView('unreadable')).toEqual([]);
  });

  it('a successor is the latest hold of the run', async () => {
    const key = await put(1);
    await put(1, 'delete_file', '{"n":2}');
    await put(1, 'delete_file', '{"n":3}');
    const id = `s:${suspensionText(key)}`;
    expect(await live.queue.successor(id)).toBe(`s:${suspensionText({ ...key, seq: 3 })}`);
    expect(await live.queue.successor(`s:${suspensionText({ ...key, seq: 3 })}`)).toBeNull();
  });
});

describe('a list that was shown', () => {
  it('keeps its places while things change, and tells how many are new', async () => {
    const keys = [await put(1), await put(2)] as [SuspensionKey, SuspensionKey];
    const { state, page } = await show('needs_me');
    await put(3);
    await world.decide(keys[0], ['approve']);
    const now = await live.queue.state(state.list);
    expect(now).toMatchObject({ ok: true, value: { items: 2, open: 1, fresh: 1, tidy: false } });
    const again = await live.queue.rows(state.list, 0, 200);
    if (!again.ok) throw new Error(again.refusal.text);
    expect(rowsOf(again.value.items).map((row) => row.id)).toEqual(rowsOf(page.items).map((row) => row.id));
    expect(
      rowsOf(again.value.items)
        .map((row) => row.status)
        .sort(),
    ).toEqual(['decided', 'waiting']);
    expect(await live.queue.state(state.list + 1)).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  });

  it('equal calls stand in one row that can be opened; each has its own place then', async () => {
    for (const n of [1, 2, 3]) await put(n, 'delete_file', '{"path":"/srv"}');
    await put(4, 'delete_file', '{"path":"/home"}');
    const { state, page } = await show('needs_me');
    expect(page.items.map((item) => item.kind === 'run' && item.same)).toEqual([
      { count: 3, open: 3, shown: false },
      undefined,
    ]);
    expect(state).toMatchObject({ items: 2, runs: 4, counts: { needs_me: 4 } });
    const opened = await live.queue.fold(state.list, 0);
    expect(opened).toMatchObject({ ok: true, value: { items: 4 } });
  });

  it('what expires soon is counted before it does', async () => {
    await put(1);
    expect((await show('needs_me')).state.soon).toEqual({ hour: 0, day: 0 });
    world.now += 23n * 3600n * 1_000_000_000n + 1_800n * 1_000_000_000n;
    expect((await show('needs_me')).state.soon).toEqual({ hour: 1, day: 1 });
  });

  it('a snoozed run wakes by the clock alone', async () => {
    const key = await put(1);
    await changeDesk(world.store, key, (desk) => ({ ...desk, snoozedUntil: '2026-07-20T11:00:00Z' }));
    expect(await inView('needs_me')).toEqual([]);
    world.now = at('2026-07-20T11:00:01Z');
    expect(await inView('needs_me')).toHaveLength(1);
  });
});

describe('the window is told', () => {
  it('once for many changes that come together', async () => {
    await inView('needs_me');
    await new Promise((resolve) => setTimeout(resolve, 250));
    told = 0;
    for (let n = 1; n <= 20; n += 1) await put(n);
    await vi.waitFor(() => expect(told).toBeGreaterThan(0));
    expect(told).toBeLessThan(5);
  });

  it('and for an act whose parts nobody is to see, once it is whole', async () => {
    await inView('needs_me');
    await new Promise((resolve) => setTimeout(resolve, 250));
    told = 0;
    await live.together(async () => {
      for (let n = 1; n <= 3; n += 1) {
        await put(n);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(told).toBe(0);
    });
    await vi.waitFor(() => expect(told).toBe(1));
  });
});

describe('news', () => {
  it('at the first look nothing is new; later exactly what came since, once, and the count is the list’s', async () => {
    await put(1);
    expect(await live.queue.news()).toEqual({ count: 1, fresh: [], more: 0 });
    const second = await put(2, 'send_email');
    await expect.poll(() => live.queue.news()).toMatchObject({ count: 2, fresh: [{ tools: ['send_email'] }], more: 0 });
    expect(await live.queue.news()).toEqual({ count: 2, fresh: [], more: 0 });
    await changeDesk(world.store, second, (desk) => ({ ...desk, snoozedUntil: '2999-01-01T00:00:00Z' }));
    await expect.poll(async () => (await live.queue.news()).count).toBe(1);
    expect((await inView('needs_me')).length).toBe(1);
  });

  it('so many at once are counted, and the first of them named', async () => {
    await live.queue.news();
    for (let n = 1; n <= 25; n += 1) await put(n);
    await expect.poll(async () => (await inView('needs_me')).length).toBe(25);
    const { count, fresh, more } = await live.queue.news();
    expect([count, fresh.length, more]).toEqual([25, 20, 5]);
  });
});
