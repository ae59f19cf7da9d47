import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { readHead } from '../../electron/checkpoints/records.js';
import { COMMANDS } from '../../electron/cli/commands.js';
import * as engineModule from '../../electron/engine.js';
import { keepRefused } from '../../electron/refused.js';
import { CasIndeterminate, StoreCorrupt, StoreFault, StoreFull, StoreReadOnly } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { refused } from '../../shared/refusal.js';
import { EngineWorld } from '../helpers/engine-world.js';
import { klieo, klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const RECORD = klieo('02-parallel-three-pending.json');
const HOUR = 3_600_000_000_000n;

const worlds: EngineWorld[] = [];
const make = (...args: ConstructorParameters<typeof EngineWorld>): EngineWorld => {
  const world = new EngineWorld(...args);
  worlds.push(world);
  return world;
};
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

describe('H11 what an agent can do', () => {
  it('is this list: it decides nothing and writes no settings', () => {
    expect(Object.keys(engineModule).sort()).toEqual(['EngineRefused', 'openEngine']);
    expect(Object.keys(make().engine).sort()).toEqual([
      'await',
      'close',
      'complete',
      'dataFolder',
      'doctor',
      'eachHistory',
      'gc',
      'history',
      'importBackup',
      'inspect',
      'list',
      'report',
      'settingsWarning',
      'show',
      'start',
      'suspend',
      'withdraw',
    ]);
    expect(
      COMMANDS.map((command) => command.name).filter((name) => /decide|approve|reject|undo|settings/.test(name)),
    ).toEqual([]);
  });

  it('opens a data folder of its own, and says which', async () => {
    const home = mkdtempSync(join(tmpdir(), 'holdpoint-open-'));
    const engine = await engineModule.openEngine({ dataFolder: join(home, 'data') });
    expect(engine.dataFolder).toEqual({ path: join(home, 'data'), said: '--data' });
    const { run } = unwrap(await engine.suspend(RECORD));
    await engine.close();
    const again = await engineModule.openEngine({ dataFolder: join(home, 'data') });
    expect(unwrap(await again.show(run)).row.status).toBe('waiting');
    await again.close();
    writeFileSync(join(home, 'file'), '');
    await expect(engineModule.openEngine({ dataFolder: join(home, 'file') })).rejects.toMatchObject({
      name: 'EngineRefused',
      refusal: { code: 'bad_request' },
    });
    mkdirSync(join(home, 'newer/store'), { recursive: true });
    writeFileSync(join(home, 'newer/store/STORE.json'), '{"holdpoint":"store","format":99}');
    await expect(engineModule.openEngine({ dataFolder: join(home, 'newer') })).rejects.toMatchObject({
      refusal: { code: 'store_corrupt', facts: { tooNew: true } },
    });
    rmSync(home, { recursive: true, force: true });
  });
});

describe('suspend', () => {
  it('puts a run in, handed over, with its reason; the same bytes change nothing (H2, H13)', async () => {
    const { engine } = make();
    const first = unwrap(await engine.suspend(RECORD, { reason: 'money', name: 'run.json' }));
    expect(first).toMatchObject({ outcome: 'taken_in', suspension: { source: 'local', seq: 1 } });
    expect(unwrap(await engine.suspend(RECORD))).toEqual({ ...first, outcome: 'already_known' });
    const shown = unwrap(await engine.show(first.run));
    expect([shown.row.route, shown.reason, shown.row.note]).toEqual(['handed_over', 'money', 'money']);
  });

  it('continues here when it is told so, or when the settings of the source say so', async () => {
    const { engine } = make({
      sources: [
        { name: 'desk', route: 'here' },
        { name: 'bot', route: 'handed_over' },
      ],
    });
    const route = async (options: Parameters<typeof engine.suspend>[1]) =>
      unwrap(await engine.show(unwrap(await engine.suspend(RECORD, options)).run)).row.route;
    expect(await route({ source: 'a', continueHere: true })).toBe('here');
    expect(await route({ source: 'desk' })).toBe('here');
    expect(await route({ source: 'bot' })).toBe('handed_over');
    expect(await route({ source: 'b', continueHere: false })).toBe('handed_over');
  });

  it.each(['', 'a b', 'a/b', 'ü', 'x'.repeat(65)])('refuses %j as a source', async (source) => {
    expect(refusalOf(await make().engine.suspend(RECORD, { source }))).toBe('bad_request');
  });

  it('I5 refuses what cannot be read, with its place, and changes nothing', async () => {
    const { engine } = make();
    const outcome = await engine.suspend(klieo('07-corrupt-not-json.json'));
    expect(outcome.ok || outcome.refusal).toMatchObject({ code: 'unreadable', facts: { read: { line: 1 } } });
    expect(unwrap(await engine.list())).toEqual([]);
  });
});

describe('list and show', () => {
  it('I5 list what cannot be read beside the runs: refused and quarantined files, with the reason', async () => {
    const store = new MemoryStore();
    const { engine, data } = make({}, store);
    const { suspension } = unwrap(await engine.suspend(RECORD));
    await keepRefused(data, {
      name: 'bad.json',
      bytes: new Uint8Array([1, 2]),
      refusal: refused('unreadable', 'no JSON').refusal,
    });
    expect(unwrap(await engine.list()).map((row) => [row.status, row.runId, row.note])).toEqual([
      ['waiting', suspension.runId, ''],
      ['unreadable', 'bad.json', 'no JSON (2 bytes)'],
    ]);
    store.damage('suspensions', suspensionText(suspension), 'its length is wrong');
    const rows = unwrap(await engine.list());
    expect(rows.map((row) => row.status)).toEqual(['unreadable', 'unreadable']);
    expect(rows[0]?.note).toContain('its length is wrong');
  });

  it('list what the GC removed only when asked, and say that it is gone', async () => {
    const world = make();
    const { run, suspension } = unwrap(await world.engine.suspend(RECORD));
    world.now += 1000n * HOUR;
    await sweep(world.store, world.ports.clock, { ttl: () => HOUR });
    expect(unwrap(await world.engine.list())).toEqual([]);
    expect(unwrap(await world.engine.list({ ended: true }))).toMatchObject([
      { runId: suspension.runId, status: 'expired' },
    ]);
    expect(refusalOf(await world.engine.show(run))).toBe('tombstone');
    expect(refusalOf(await world.engine.await(run, { token: 't', timeoutMs: 0 }))).toBe('tombstone');
  });

  it('show the final answer of a run that continued here', async () => {
    const world = make();
    const key = await world.put(RECORD, { route: 'here' });
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    unwrap(await world.resume(key));
    const shown = unwrap(await world.engine.show(key.runId));
    expect([shown.row.status, shown.finalAnswer]).toEqual(['finished', 'All done.']);
  });
});

describe('the agent goes on (H13)', () => {
  it('start, report and complete under its token only, each once', async () => {
    const world = make();
    const { engine } = world;
    const { run, suspension } = unwrap(await engine.suspend(RECORD));
    expect(refusalOf(await engine.start(run, 0, { token: 'mine' }))).toBe('wrong_token');
    unwrap(await world.decide(suspension, ['approve', { reject: 'not this one' }, 'approve']));
    unwrap(await engine.await(run, { token: 'mine' }));
    expect(refusalOf(await engine.start(run, 0, { token: 'other' }))).toBe('wrong_token');
    unwrap(await engine.start(run, 0, { token: 'mine' }));
    expect(refusalOf(await engine.start(run, 0, { token: 'mine' }))).toBe('illegal_call_state');
    expect(refusalOf(await engine.start(run, 1, { token: 'mine' }))).toBe('illegal_call_state');
    expect(refusalOf(await engine.start(run, 9, { token: 'mine' }))).toBe('bad_request');
    unwrap(await engine.report(run, 0, { token: 'mine', result: 'paid' }));
    unwrap(await engine.report(run, 0, { token: 'mine', result: 'paid' }));
    expect(refusalOf(await engine.report(run, 0, { token: 'mine', result: 'paid twice' }))).toBe('illegal_call_state');
    expect(refusalOf(await engine.complete(run, { token: 'mine' }))).toBe('illegal_call_state');
    unwrap(await engine.start(run, 2, { token: 'mine' }));
    unwrap(await engine.report(run, 2, { token: 'mine', error: 'no such customer' }));
    unwrap(await engine.complete(run, { token: 'mine', answer: 'done' }));
    const shown = unwrap(await engine.show(run));
    expect([shown.row.status, shown.finalAnswer]).toEqual(['finished', 'done']);
    expect(shown.journal?.calls.map((call) => call.state)).toEqual(['done', 'rejected', 'failed']);
    const told = unwrap(await engine.history(run)).map((event) => event.kind);
    expect(told).toEqual(
      expect.arrayContaining([
        'taken_in',
        'decided',
        'claimed',
        'started',
        'done',
        'rejected',
        'failed',
        'completed',
        'late_report',
      ]),
    );
  });

  it('withdraw while undecided, and not after', async () => {
    const world = make();
    const { run, suspension } = unwrap(await world.engine.suspend(RECORD));
    unwrap(await world.decide(suspension, ['approve', 'approve', 'approve']));
    expect(refusalOf(await world.engine.withdraw(run))).toBe('already_decided');
    const other = unwrap(await world.engine.suspend(RECORD, { source: 'other' }));
    unwrap(await world.engine.withdraw(other.run));
    expect(unwrap(await world.engine.show(other.run)).row.status).toBe('withdrawn');
    expect((await readHead(world.store, other.suspension))?.head.withdrawn?.by).toBe('test agent');
    expect(refusalOf(await world.engine.await(other.run, { token: 't', timeoutMs: 0 }))).toBe('withdrawn');
  });

  it.each(['', 'x'.repeat(1025)])('refuses a token of %s', async (token) => {
    const { engine } = make();
    const { run } = unwrap(await engine.suspend(RECORD));
    expect(refusalOf(await engine.await(run, { token }))).toBe('bad_request');
    expect(refusalOf(await engine.complete(run, { token }))).toBe('bad_request');
  });

  it('dispatches nothing here itself', async () => {
    const world = make();
    const key = await world.put(RECORD, { route: 'here' });
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    expect(refusalOf(await world.engine.await(key.runId, { token: 't' }))).toBe('continues_here');
    expect(world.ledger).toEqual([]);
  });
});

describe('gc (H15, I9)', () => {
  const old = async (settings: Record<string, unknown> = {}) => {
    const world = make(settings);
    const { suspension } = unwrap(await world.engine.suspend(RECORD));
    world.now += 200n * HOUR;
    return { world, name: suspensionText(suspension) };
  };

  it('names what would go, and then removes it', async () => {
    const { world, name } = await old();
    expect(unwrap(await world.engine.gc({ dryRun: true }))).toMatchObject({ named: [name], reaped: 1, ttlHours: 168 });
    expect(unwrap(await world.engine.list())).toHaveLength(1);
    expect(unwrap(await world.engine.gc({ ttlHours: 201 }))).toMatchObject({ reaped: 0 });
    expect(unwrap(await world.engine.gc())).toMatchObject({ reaped: 1 });
    expect(unwrap(await world.engine.list())).toEqual([]);
  });

  it('keeps what is decided and not claimed, and says why', async () => {
    const world = make();
    const { suspension } = unwrap(await world.engine.suspend(RECORD));
    unwrap(await world.decide(suspension, ['approve', 'approve', 'approve']));
    world.now += 200n * HOUR;
    expect(unwrap(await world.engine.gc())).toMatchObject({
      reaped: 0,
      kept: [{ why: 'decided and not claimed yet' }],
    });
  });

  it.each([
    ['it is switched off', { gc: { enabled: false } }, null],
    ['the settings cannot be read', {}, 'The settings cannot be read'],
  ])('removes nothing without a ttl when %s', async (_why, settings, warning) => {
    const { world } = await old(settings);
    world.warning = warning;
    expect(refusalOf(await world.engine.gc())).toBe('not_allowed');
    expect(unwrap(await world.engine.list())).toHaveLength(1);
    expect(unwrap(await world.engine.gc({ ttlHours: 100 }))).toMatchObject({ reaped: 1 });
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e12])(
    'K20 removes nothing for a ttl of %s hours',
    async (ttlHours) => {
      const { world } = await old();
      expect(refusalOf(await world.engine.gc({ ttlHours }))).toBe('bad_request');
      expect(unwrap(await world.engine.list())).toHaveLength(1);
    },
  );
});

describe('I4 a store that fails is told, and nothing is said to be saved', () => {
  it.each([
    [() => new StoreFull('no space'), 'store_full'],
    [() => new StoreReadOnly('read-only'), 'store_read_only'],
    [() => new StoreCorrupt('broken'), 'store_corrupt'],
    [() => new StoreFault('EIO'), 'fault'],
    [() => new CasIndeterminate('EIO'), 'in_doubt'],
  ])('%o is %s', async (error, code) => {
    const store = new MemoryStore({
      beforeWrite: () => {
        throw error();
      },
    });
    expect(refusalOf(await make({}, store).engine.suspend(RECORD))).toBe(code);
  });

  it('a fault of ours is thrown', async () => {
    const store = new MemoryStore({
      beforeWrite: () => {
        throw new TypeError('ours');
      },
    });
    await expect(make({}, store).engine.suspend(RECORD)).rejects.toThrow('ours');
  });
});

describe('inspect', () => {
  it('needs no store and gives the normal form', () => {
    const { engine } = make();
    expect(engine.inspect(RECORD)).toMatchObject({ system: 'klieo', state: 'waiting', resumable: true, refusal: null });
    expect(engine.inspect(RECORD).pending).toHaveLength(3);
    expect(engine.inspect(new Uint8Array())).toMatchObject({
      system: 'unknown',
      state: 'unreadable',
      refusal: { code: 'empty' },
    });
    expect(engine.inspect(klieoRecord({ latched: true, calls: [] })).state).toBe('latched');
  });
});
