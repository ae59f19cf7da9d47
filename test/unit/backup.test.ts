import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { DECISIONS, HEADS, JOURNALS } from '../../electron/checkpoints/keys.js';
import { load, readDecision, readHead } from '../../electron/checkpoints/records.js';
import { wholeResult } from '../../electron/checkpoints/results.js';
import { importBackup } from '../../electron/keep/import-backup.js';
import { verifyHistory } from '../../electron/keep/verify-history.js';
import { lookAt } from '../../electron/store/audit.js';
import { CasConflict, StoreReadOnly } from '../../electron/store/contract.js';
import { openStore } from '../../electron/store/file-store.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import type { ImportRow } from '../../shared/import-row.js';
import { run, runJson } from '../helpers/cli-run.js';
import { type KeptWorld, keptWorld, NAME, OTHER, RUN, refund, seal } from '../helpers/kept-world.js';
import { inventory, tempFolder } from '../helpers/store-folder.js';
import { at, klieoRecord, unwrap, World } from '../helpers/world.js';

vi.setConfig({ testTimeout: 60_000 });

const DECIDED = '01K0QZ6V5M3H8D7N2B4C9F1XGC';
const CLAIMED = '01K0QZ6V5M3H8D7N2B4C9F1XGD';
const BIG = '01K0QZ6V5M3H8D7N2B4C9F1XGE';
const name = (runId: string) => `klieo:local:1:${runId}`;

let kept: KeptWorld;
let file = '';
/** One run of each kind: finished, waiting, decided, claimed in mid-call, and one whose bytes are a payload. */
beforeEach(async () => {
  kept = await keptWorld();
  const { world } = kept;
  unwrap(await world.decide(await world.put(refund(DECIDED)), ['approve']));
  const claimed = await world.put(refund(CLAIMED));
  unwrap(await world.decide(claimed, ['approve']));
  world.script = () => ({ kind: 'unknown', cause: 'timeout', text: 'nobody knows' });
  await world.resume(claimed);
  const big = `{"role":"user","content":"${'x'.repeat(20_000)}","tool_calls":[],"tool_call_id":null}`;
  await world.put(klieoRecord({ runId: BIG, messages: big, calls: [] }));
  await seal(kept);
  file = join(kept.data, '..', 'all.backup');
});

const backup = async (...options: string[]) => runJson(['backup', file, ...options, '--data', kept.data]);
const bringIn = async (store: World['store'], options: { dryRun?: boolean; update?: string[] } = {}) => {
  const world = new World({}, store);
  const { dryRun = false, update = [] } = options;
  return unwrap(await importBackup(store, world.ports, file, { dryRun, update: new Set(update), by: 'Bob' })).rows;
};
const acts = (rows: readonly ImportRow[]) => rows.map(({ suspension, relation, act }) => [suspension, relation, act]);

describe('backup', () => {
  it('is one file that holds every record and payload, and changes nothing', async () => {
    const files = () => inventory(kept.root, ['tmp', 'idx', 'ballast']);
    const before = files();
    const { code, value } = await backup();
    expect([code, value]).toMatchObject([0, { ok: true, payloads: 1, left: [] }]);
    expect(files()).toEqual(before);
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(Number(value['records']) + 3);
    expect((await backup()).code).toBe(2);
  });

  it('takes a selection by run, state and time, with what belongs to it', async () => {
    // By the clock of this machine, what the world of the test waits for is long expired.
    await backup('--status', 'expired');
    const store = new MemoryStore();
    expect(acts(await bringIn(store))).toEqual([
      [name(OTHER), 'absent', 'take_in'],
      [name(DECIDED), 'absent', 'stays_out'],
      [name(BIG), 'absent', 'take_in'],
    ]);
    for (const [options, runs] of [
      [['--run', RUN], [name(RUN)]],
      [['--since', '2999-01-01'], null],
      [['--until', '2999-01-01', '--status', 'finished'], [name(RUN)]],
    ] as const) {
      file = join(kept.data, '..', `${options.join('')}.backup`);
      const { code } = await backup(...options);
      if (runs === null) expect(code).toBe(1);
      else
        expect((await bringIn(new MemoryStore(), { dryRun: true })).map(({ suspension }) => suspension)).toEqual(runs);
    }
    expect((await backup('--status', 'perhaps')).code).toBe(2);
  });

  it.each<[string, (text: string) => string, string]>([
    ['cut', (text) => text.slice(0, -200), 'cut'],
    ['without a line', (text) => text.split('\n').toSpliced(3, 1).join('\n'), 'checksum|altered|missing'],
    ['with an altered record', (text) => text.replace('"issue_refund', '"issue_refunt'), 'altered|checksum'],
    ['with a record in another place', (text) => text.replace('"file":"k/', '"file":"k/../'), 'not the place'],
    ['of a newer Holdpoint', (text) => text.replace('"format":2', '"format":99'), 'newer Holdpoint'],
    ['that is none', () => '{"hello":1}\n', 'none of a backup'],
    ['that goes on', (text) => `${text}{}\n`, 'follows its end'],
  ])('one %s is refused, and nothing is changed', async (_what, change, words) => {
    await backup();
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    const into = join(kept.data, '..', 'into');
    for (const args of [['--into', into], ['--dry-run'], []]) {
      const other = join(kept.data, '..', 'other');
      const { code, err } = await run(['import', file, ...args, '--data', other]);
      expect([code, err]).toEqual([4, expect.stringMatching(words)]);
    }
    expect(existsSync(into)).toBe(false);
  });
});

describe('import', () => {
  it('shows first, then copies what is over, takes in what waits, and leaves out what could fire twice', async () => {
    await backup();
    const store = await openStore(join(tempFolder(), 'store'), { ballastBytes: 0 });
    const before = inventory(store.root, ['tmp']);
    const shown = await bringIn(store, { dryRun: true });
    expect(inventory(store.root, ['tmp'])).toEqual(before);
    expect(acts(shown)).toEqual([
      [name(RUN), 'absent', 'add'],
      [name(OTHER), 'absent', 'take_in'],
      [name(DECIDED), 'absent', 'stays_out'],
      [name(CLAIMED), 'absent', 'stays_out'],
      [name(BIG), 'absent', 'take_in'],
    ]);
    expect(acts(await bringIn(store))).toEqual(acts(shown));
    const there = unwrap(await load(kept.store, kept.key));
    const here = unwrap(await load(store, kept.key));
    expect([here.bytes, here.head.latch, here.journal?.journal]).toEqual([
      there.bytes,
      there.head.latch,
      there.journal?.journal,
    ]);
    expect(unwrap(await load(store, { ...kept.key, runId: BIG })).bytes.length).toBeGreaterThan(20_000);
    expect(await readHead(store, { ...kept.key, runId: CLAIMED })).toBeNull();
    expect(await readHead(store, { ...kept.key, runId: DECIDED })).toBeNull();
    expect((await verifyHistory(lookAt(store.root))).broken).toEqual([]);
    // Again: nothing changes.
    const again = await bringIn(store);
    expect(again.filter(({ act }) => act !== 'none' && act !== 'stays_out')).toEqual([]);
  });

  it('H16 nothing that came in fires by itself: a second resume of the finished run is refused', async () => {
    await backup();
    const store = new MemoryStore();
    await bringIn(store);
    const world = new World({}, store);
    for (const runId of [RUN, OTHER, BIG]) await world.resume({ ...kept.key, runId }, 'again');
    expect(world.ledger).toEqual([]);
  });

  it('a removed run comes in as removed', async () => {
    kept.world.now = at('2026-09-20T10:00:00Z');
    await sweep(kept.store, kept.world.ports.clock, { ttl: () => 1n });
    await backup();
    const store = new MemoryStore();
    await bringIn(store);
    expect((await store.head(HEADS, NAME))?.deleted).toBe(true);
    expect((await store.head(HEADS, NAME))?.meta).toBe((await kept.store.head(HEADS, NAME))?.meta);
  });

  it('tells equal, newer here, newer there and diverged, and writes over nothing that was not named', async () => {
    const store = new MemoryStore();
    await backup('--run', OTHER);
    await bringIn(store);
    const key = { ...kept.key, runId: OTHER };
    // The same bytes on both sides, gone on with there.
    unwrap(await kept.world.decide(key, [{ reject: 'no' }]));
    unwrap(await kept.world.resume(key));
    file = join(kept.data, '..', 'later.backup');
    await backup('--run', OTHER);
    const rows = await bringIn(store);
    expect(rows).toMatchObject([{ act: 'stays_out' }]);
    expect((await readDecision(store, key)).kind).toBe('none');
    // A copy of the store itself: byte for byte equal, then older, then apart.
    const copy = new MemoryStore();
    await mirror(kept, copy);
    expect(acts(await bringIn(copy, { dryRun: true }))).toEqual([[name(OTHER), 'equal', 'none']]);
    const older = new MemoryStore();
    await mirror(kept, older, 1);
    expect(acts(await bringIn(older, { dryRun: true }))).toEqual([[name(OTHER), 'newer_there', 'stays_out']]);
    expect(acts(await bringIn(older, { update: [name(OTHER)] }))).toEqual([[name(OTHER), 'newer_there', 'update']]);
    expect(unwrap(await load(older, key)).journal?.journal.continuation.state).toBe('completed');
    await copy.put(DECISIONS, name(OTHER), new TextEncoder().encode('{"later":1}'));
    expect(acts(await bringIn(copy, { dryRun: true }))).toEqual([[name(OTHER), 'newer_here', 'none']]);
    const apart = new MemoryStore();
    await mirror(kept, apart, 1);
    await apart.put(HEADS, name(OTHER), new TextEncoder().encode('{"other":1}'));
    expect(acts(await bringIn(apart, { update: [name(OTHER)] }))).toEqual([[name(OTHER), 'diverged', 'stays_out']]);
  });

  it('what moved while it was brought in is not written over: the import stops, and the newer head stands', async () => {
    class Racing extends MemoryStore {
      armed = false;
      override async cas(...args: Parameters<MemoryStore['cas']>): Promise<number> {
        if (this.armed && args[0] === JOURNALS) {
          this.armed = false;
          await this.put(HEADS, args[1], new TextEncoder().encode('{"latched":"meanwhile"}'));
        }
        return super.cas(...args);
      }
    }
    const key = { ...kept.key, runId: OTHER };
    unwrap(await kept.world.decide(key, [{ reject: 'no' }]));
    unwrap(await kept.world.resume(key));
    await backup('--run', OTHER);
    const store = new Racing();
    await mirror(kept, store, 1);
    store.armed = true;
    await expect(bringIn(store, { update: [name(OTHER)] })).rejects.toThrow(CasConflict);
    expect(new TextDecoder().decode((await store.get(HEADS, name(OTHER)))?.value)).toBe('{"latched":"meanwhile"}');
  });

  it('a run whose tool gave a large answer comes in at once, its answer with it', async () => {
    const key = { ...kept.key, runId: OTHER };
    kept.world.script = () => ({ kind: 'result', text: 'x'.repeat(100_000) });
    unwrap(await kept.world.decide(key, ['approve']));
    unwrap(await kept.world.resume(key));
    await backup('--run', OTHER);
    const store = await openStore(join(tempFolder(), 'store'), { ballastBytes: 0 });
    expect(acts(await bringIn(store))).toEqual([[name(OTHER), 'absent', 'add']]);
    const entry = unwrap(await load(store, key)).journal?.journal.calls[0];
    expect(entry && (await wholeResult(store, entry))).toHaveLength(100_000);
  });

  it('is done from the command line, with a listing first', async () => {
    await backup();
    const data = join(tempFolder(), 'data');
    const shown = await run(['import', file, '--dry-run', '--data', data]);
    expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('3 of 5 would come in.')]);
    expect(shown.out).toContain('take that over by name');
    expect((await run(['import', file, '--data', data])).out).toContain('3 of 5 came in.');
    expect((await run(['history', '--data', data])).out).toContain('Added from a backup.');
  });
});

describe('import --into', () => {
  it('H16 lays all of it out byte for byte, read-only until a person takes it over by name', async () => {
    await backup();
    const data = join(tempFolder(), 'restored');
    const { code } = await run(['import', file, '--into', data]);
    expect(code).toBe(0);
    const root = join(data, 'store');
    const records = (of: string) =>
      inventory(join(of, 'k'))
        .filter((line) => line.includes('.json'))
        .map((line) => line.split(' ')[0]);
    expect(records(root)).toEqual(records(kept.root));
    for (const path of records(root))
      expect(readFileSync(join(root, 'k', path ?? ''))).toEqual(readFileSync(join(kept.root, 'k', path ?? '')));
    expect((await verifyHistory(lookAt(root))).broken).toEqual([]);
    const store = await openStore(root, { ballastBytes: 0 });
    await expect(store.put(HEADS, 'x', new Uint8Array())).rejects.toBeInstanceOf(StoreReadOnly);
    const world = new World({}, store);
    await expect(world.resume({ ...kept.key, runId: DECIDED }, 'there')).rejects.toBeInstanceOf(StoreReadOnly);
    expect(world.ledger).toEqual([]);
    await store.takeOver('Ada');
    unwrap(await world.resume({ ...kept.key, runId: DECIDED }, 'there'));
    expect(world.ledger).toHaveLength(1);
    expect((await run(['import', file, '--into', data])).code).toBe(2);
    await store.close();
  });
});

/** The same contents and metas under the same revisions, as far as `most` of each key. */
async function mirror({ store }: KeptWorld, into: MemoryStore, most = Number.POSITIVE_INFINITY): Promise<void> {
  const key = name(OTHER);
  for (const bucket of [HEADS, DECISIONS, 'journals']) {
    const head = await store.head(bucket, key);
    if (bucket !== HEADS && most === 1) continue;
    for (let revision = 1; revision <= Math.min(most, head?.revision ?? 0); revision++) {
      const entry = await store.getRevision(bucket, key, revision);
      if (entry !== null) await into.put(bucket, key, entry.value, { meta: entry.meta });
    }
  }
}
