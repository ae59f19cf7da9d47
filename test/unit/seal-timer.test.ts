import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { DECISIONS, HEADS, HISTORY, SEALS } from '../../electron/checkpoints/keys.js';
import { SealTimer, SOON } from '../../electron/checkpoints/seal-timer.js';
import { Sealer } from '../../electron/checkpoints/seals.js';
import { verifyHistory } from '../../electron/keep/verify-history.js';
import { lookAt } from '../../electron/store/audit.js';
import { KeyTable } from '../../electron/store/key-table.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { run } from '../helpers/cli-run.js';
import { forge, keptWorld, OTHER, refund, seal } from '../helpers/kept-world.js';
import { recordFile } from '../helpers/store-folder.js';
import { unwrap, World } from '../helpers/world.js';

vi.setConfig({ testTimeout: 60_000 });

/** Timers that a test fires by hand. */
function byHand() {
  const set = new Map<number, { after: number; act: () => void }>();
  let last = 0;
  return {
    timers: {
      set: (after: number, act: () => void) => {
        set.set(++last, { after, act });
        return last;
      },
      clear: (timer: unknown) => void set.delete(Number(timer)),
    },
    waiting: () => [...set.values()].map(({ after }) => after).sort((a, b) => a - b),
    fire: (after: number) => {
      for (const [id, one] of set)
        if (one.after === after) {
          set.delete(id);
          one.act();
        }
    },
  };
}

async function sealing(store: MemoryStore = new MemoryStore()) {
  const world = new World({}, store);
  const hand = byHand();
  const failed: unknown[] = [];
  const sealer = new Sealer(store, world.ports);
  const timer = new SealTimer(sealer, hand.timers, (error) => failed.push(error));
  for (const bucket of HISTORY) store.watch(bucket, (keys) => timer.changed(bucket, keys));
  timer.start();
  await timer.sealNow();
  const seals = async () => (await store.keysPage(SEALS, null, 999)).heads.length;
  return { store, world, timer, hand, failed, seals, sealer };
}

describe('what changes is sealed soon', () => {
  it('a decision and a claim are sealed a few seconds later, without a look through everything', async () => {
    const { store, world, timer, hand, seals } = await sealing();
    const pages = vi.spyOn(store, 'keysPage');
    const key = await world.put(refund(OTHER));
    unwrap(await world.decide(key, ['approve']));
    expect(await seals()).toBe(0);
    await vi.waitFor(() => expect(hand.waiting()).toContain(SOON));
    pages.mockClear();
    hand.fire(SOON);
    await vi.waitFor(async () => expect(await store.get(SEALS, '000000001')).not.toBeNull());
    expect(pages).not.toHaveBeenCalled();
    const seal = JSON.parse(new TextDecoder().decode((await store.get(SEALS, '000000001'))?.value)) as {
      entries: string[][];
    };
    expect(seal.entries.map(([bucket]) => bucket).sort()).toEqual([DECISIONS, HEADS]);
    expect(hand.waiting()).not.toContain(SOON);
    timer.dispose();
  });

  it('what was decided right before quitting is sealed on the way out', async () => {
    const { world, timer, seals } = await sealing();
    unwrap(await world.decide(await world.put(refund(OTHER)), ['approve']));
    await timer.finish();
    expect(await seals()).toBe(1);
  });

  it('quitting does not wait for a disk that hangs', async () => {
    const { store, world, timer, hand } = await sealing();
    await world.put(refund(OTHER));
    store.beforeWrite = (_op, bucket) => (bucket === SEALS ? new Promise(() => undefined) : undefined);
    const finished = timer.finish();
    await vi.waitFor(() => expect(hand.waiting()).toContain(1500));
    hand.fire(1500);
    await finished;
  });

  it('a seal that fails is tried again with the next look through everything, which goes on for ever', async () => {
    const { store, world, timer, hand, failed, seals } = await sealing();
    store.beforeWrite = (_op, bucket) => {
      if (bucket === SEALS) throw new Error('the disk is full');
    };
    await world.put(refund(OTHER));
    await vi.waitFor(() => expect(hand.waiting()).toContain(SOON));
    hand.fire(SOON);
    await vi.waitFor(() => expect(failed).toHaveLength(1));
    store.beforeWrite = () => undefined;
    hand.fire(5 * 60_000);
    await timer.sealNow();
    expect(await seals()).toBe(1);
    expect(hand.waiting()).toContain(5 * 60_000);
    timer.dispose();
  });

  it('one that another process wrote first is gone on from at once', async () => {
    const { store, world, sealer, seals } = await sealing();
    const others = new Sealer(store, world.ports);
    await world.put(refund(OTHER));
    expect(await others.seal()).toBe(1);
    const key = await world.put(refund('01K0QZ6V5M3H8D7N2B4C9F1XGC'));
    const cas = store.cas.bind(store);
    store.cas = async (...args) => {
      store.cas = cas;
      unwrap(await world.decide(key, ['approve']));
      await others.sealOf(new Map([[DECISIONS, ['klieo:local:1:01K0QZ6V5M3H8D7N2B4C9F1XGC']]]));
      return cas(...args);
    };
    expect(await sealer.sealOf(new Map([[HEADS, ['klieo:local:1:01K0QZ6V5M3H8D7N2B4C9F1XGC']]]))).toBe(1);
    expect(await seals()).toBe(3);
  });
});

describe('history --verify and what is not sealed', () => {
  it('names the tail: there, an altered newest revision is not found out, and everywhere else it is', async () => {
    const kept = await keptWorld();
    await seal(kept);
    const key = { ...kept.key, runId: OTHER };
    unwrap(await kept.world.decide(key, ['approve']));
    const name = `klieo:local:1:${OTHER}`;
    const report = await verifyHistory(lookAt(kept.root));
    expect([report.ok, report.unsealed, report.tail]).toEqual([
      true,
      1,
      [{ bucket: DECISIONS, key: name, revision: 1 }],
    ]);
    const said = await run(['history', '--verify', '--data', kept.data]);
    expect(said.out).toContain(`not sealed yet: decisions ${name}, revision 1`);
    const file = recordFile(kept.root, DECISIONS, name, 1);
    forge(file, (body) => body.replace('"Ada"', '"Eve"'));
    expect((await verifyHistory(lookAt(kept.root))).ok).toBe(true);
    await seal(kept);
    unwrap(await undo(kept.store, kept.world.ports, key, 'Ada'));
    await seal(kept);
    forge(recordFile(kept.root, DECISIONS, name, 2), (body) => body.replace('"Ada"', '"Eve"'));
    const altered = await verifyHistory(lookAt(kept.root));
    expect(altered.broken).toMatchObject([{ bucket: DECISIONS, key: name, revision: 2 }]);
  });

  it('a folder of records that vanished is said to have, also where no seal speaks of what was in it', async () => {
    const kept = await keptWorld();
    const folder = join(kept.root, 'k', DECISIONS);
    const [shard = ''] = readdirSync(folder).filter((one) => /^[0-9a-f]{2}$/.test(one));
    for (let n = 0; n < 256; n += 1) mkdirSync(join(folder, n.toString(16).padStart(2, '0')), { recursive: true });
    mkdirSync(join(folder, '.complete'));
    rmSync(join(folder, shard), { recursive: true });
    const { broken } = await verifyHistory(lookAt(kept.root));
    expect(broken).toContainEqual(expect.objectContaining({ file: `k/${DECISIONS}/${shard}` }));
  });
});

it('a table of names keeps what it was given for each of a hundred thousand, and knows no other', () => {
  const table = new KeyTable(4);
  for (let n = 0; n < 100_000; n += 1) table.add(`name ${n}`).writeUInt32LE(n + 1);
  expect(table.count).toBe(100_000);
  for (let n = 0; n < 100_000; n += 997) expect(table.get(`name ${n}`)?.readUInt32LE(0)).toBe(n + 1);
  expect(table.get('name 100000')).toBeNull();
  expect([...table.values()]).toHaveLength(100_000);
  table.add('name 5').writeUInt32LE(77);
  expect([table.count, table.get('name 5')?.readUInt32LE(0)]).toEqual([100_000, 77]);
});
