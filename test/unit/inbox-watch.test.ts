import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type InboxEvent, inboxIntake, watchInbox } from '../../electron/inbox.js';
import { listRefused } from '../../electron/refused.js';
import { refused } from '../../shared/refusal.js';
import { klieo, World } from '../helpers/world.js';

// Real files on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const RECORD = klieo('01-first-attempt-one-pending.json');

let data = '';
let events: InboxEvent[] = [];
let faults: unknown[] = [];
let stop: () => Promise<void> = async () => {};

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'holdpoint-watch-'));
  events = [];
  faults = [];
});
afterEach(async () => {
  await stop();
  rmSync(data, { recursive: true, force: true });
});

/** Watches with short times; a poll of an hour leaves everything to the watchers. */
function start({
  pollMs = 3_600_000,
  takeIn,
}: {
  pollMs?: number;
  takeIn?: Parameters<typeof watchInbox>[1]['takeIn'];
} = {}): World {
  const world = new World();
  stop = watchInbox(data, {
    takeIn: takeIn ?? inboxIntake(world.store, world.ports.clock, () => world.settings),
    onArrival: (some) => events.push(...some),
    onFault: (error) => faults.push(error),
    settleMs: 20,
    patienceMs: 60,
    retryMs: 50,
    pollMs,
  });
  return world;
}

function publish(name: string): void {
  writeFileSync(join(data, 'inbox', `${name}.tmp`), RECORD);
  renameSync(join(data, 'inbox', `${name}.tmp`), join(data, 'inbox', name));
}

const settled = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

describe('the inbox is watched', () => {
  it('takes what was there before, what comes, and what comes into a new folder', async () => {
    mkdirSync(join(data, 'inbox'));
    publish('before.json');
    start();
    await settled(() => expect(events.map((event) => event.kind)).toEqual(['taken_in']));
    publish('after.json');
    await settled(() => expect(events.map((event) => event.kind)).toEqual(['taken_in', 'already_known']));
    mkdirSync(join(data, 'inbox/bot'));
    publish('bot/run.json');
    await settled(() => expect(events.at(-1)).toMatchObject({ kind: 'taken_in', source: 'bot' }));
    publish('bot/again.json');
    await settled(() => expect(events.at(-1)).toMatchObject({ kind: 'already_known', source: 'bot' }));
    expect([readdirSync(join(data, 'inbox')), faults]).toEqual([['bot'], []]);
  });

  it('sees by polling what no watcher told', async () => {
    start({ pollMs: 20 });
    await settled(() => expect(readdirSync(data)).toContain('inbox'));
    // Nobody watches a folder that was put in the place of the watched one.
    renameSync(join(data, 'inbox'), join(data, 'gone'));
    mkdirSync(join(data, 'inbox'));
    publish('run.json');
    await settled(() => expect(events.map((event) => event.kind)).toEqual(['taken_in']));
  });

  it('reports an inbox that is no folder, and goes on when it is one', async () => {
    writeFileSync(join(data, 'inbox'), 'mine');
    start();
    await settled(() => expect(faults.length).toBeGreaterThan(0));
    rmSync(join(data, 'inbox'));
    mkdirSync(join(data, 'inbox'));
    publish('run.json');
    await settled(() => expect(events.map((event) => event.kind)).toEqual(['taken_in']));
  });

  it('ends with the look that is on its way, and takes nothing more', async () => {
    let go: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    let asked = 0;
    const world = new World();
    const intake = inboxIntake(world.store, world.ports.clock, () => world.settings);
    start({
      takeIn: async (record) => {
        asked += 1;
        await gate;
        return intake(record);
      },
    });
    await settled(() => expect(readdirSync(data)).toContain('inbox'));
    publish('a.json');
    await settled(() => expect(asked).toBe(1));
    const ended = stop();
    go();
    await ended;
    expect(events.map((event) => event.kind)).toEqual(['taken_in']);
    publish('b.json');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect([asked, readdirSync(join(data, 'inbox'))]).toEqual([1, ['b.json']]);
  });

  it('refuses into the folder beside it', async () => {
    start();
    await settled(() => expect(readdirSync(data)).toContain('inbox'));
    writeFileSync(join(data, 'inbox/bad.json'), '[1,2');
    await settled(() => expect(events).toMatchObject([{ kind: 'refused', name: 'bad.json' }]));
    expect(await listRefused(data)).toMatchObject([{ originalName: 'bad.json', reason: { code: 'truncated' } }]);
  });

  it('tells of many arrivals together', async () => {
    mkdirSync(join(data, 'inbox'));
    for (let n = 0; n < 20; n++) writeFileSync(join(data, 'inbox', `${n}.json`), `[${n}`);
    const told: number[] = [];
    stop = watchInbox(data, {
      takeIn: async () => refused('bad_request', 'no'),
      onArrival: (some) => told.push(some.length),
      onFault: (error) => faults.push(error),
      settleMs: 20,
      tellMs: 3_600_000,
    });
    await settled(() => expect(told.reduce((sum, some) => sum + some, 0)).toBe(20));
    expect(told).toEqual([1, 19]);
  });
});
