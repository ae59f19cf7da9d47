import { beforeEach, describe, expect, it } from 'vitest';
import { GcTimer } from '../../electron/checkpoints/gc-timer.js';
import { readHead } from '../../electron/checkpoints/records.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { klieoRecord, World } from '../helpers/world.js';

const MINUTE = 60_000;

describe('H15 a wrong clock reaps nothing', () => {
  let world: World;
  let timer: GcTimer;
  let key: SuspensionKey;

  /** Both clocks move together, as they do while nothing is wrong. */
  const pass = (minutes: number): void => {
    world.now += BigInt(minutes * MINUTE) * 1_000_000n;
    world.monotonicMs += minutes * MINUTE;
  };
  const jump = (minutes: number): void => {
    world.now += BigInt(minutes * MINUTE) * 1_000_000n;
  };
  const isThere = async (): Promise<boolean> => (await readHead(world.store, key)) !== null;

  beforeEach(async () => {
    world = new World({ gc: { ttlHours: 1, intervalMinutes: 15 } });
    key = await world.put(klieoRecord({ calls: [{ id: 'x', name: 'send_email', args: '{}' }] }));
    const timers = { set: () => null, clear: () => undefined };
    timer = new GcTimer(world.store, world.ports, timers, () => undefined);
    timer.start();
  });

  it('a wall clock that jumps ahead alone skips that sweep, and only that one', async () => {
    pass(15);
    jump(24 * 60);
    await timer.sweepNow();
    expect(timer.report.text).toMatch(/jumped ahead/);
    expect(await isThere()).toBe(true);
    pass(15);
    await timer.sweepNow();
    expect(timer.report.reaped).toBe(1);
  });

  it('a wall clock that goes back skips the sweep', async () => {
    pass(15);
    await timer.sweepNow();
    jump(-60);
    await timer.sweepNow();
    expect(timer.report.text).toMatch(/went back/);
    expect(await isThere()).toBe(true);
  });

  it('a clock that went back while nothing ran is seen by the time of the last sweep', async () => {
    pass(15);
    await timer.sweepNow();
    jump(-60);
    const restarted = new GcTimer(
      world.store,
      world.ports,
      { set: () => null, clear: () => undefined },
      () => undefined,
    );
    restarted.start();
    await restarted.sweepNow();
    expect(restarted.report.text).toMatch(/went back/);
  });

  it('after sleep the jump is explained: one sweep runs, also when it is asked for twice', async () => {
    jump(24 * 60);
    await Promise.all([timer.afterSleep(), timer.sweepNow()]);
    expect(timer.report.reaped).toBe(1);
    expect(await isThere()).toBe(false);
  });
});
