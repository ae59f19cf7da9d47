import { describe, expect, it } from 'vitest';
import { GcTimer } from '../../electron/checkpoints/gc-timer.js';
import { tidiedInWords } from '../../electron/checkpoints/tidied.js';
import type { Tidied, TidyOptions } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { klieo, World } from '../helpers/world.js';

const HOUR_NS = 3600_000_000_000n;
const NOTHING: Tidied = { revisions: 0, payloads: 0, leaving: 0, temps: 0, doubt: null };

class Tidying extends MemoryStore {
  asked: TidyOptions[] = [];
  found: () => Tidied = () => NOTHING;
  override async tidy(options: TidyOptions = {}): Promise<Tidied> {
    this.asked.push(options);
    return this.found();
  }
}

function timerOf(world: World): GcTimer {
  const timers = { set: () => null, clear: () => undefined };
  return new GcTimer(world.store, world.ports, timers, () => undefined);
}

describe('what the clean-up does beside the sweep', () => {
  it('looks at payloads once a day, whichever process did it last, and at the rest each time', async () => {
    const store = new Tidying();
    const world = new World({ gc: { ttlHours: 24, intervalMinutes: 15 } }, store);
    const later = async (hours: number): Promise<void> => {
      world.now += BigInt(hours) * HOUR_NS;
      world.monotonicMs += hours * 3600_000;
      await timerOf(world).sweepNow();
    };
    await later(0);
    await later(1);
    await later(22);
    await later(1);
    await later(1);
    expect(store.asked.map(({ payloads }) => payloads)).toEqual([true, false, false, true, false]);
  });

  it('says what went, after the words of the sweep', async () => {
    const store = new Tidying();
    const world = new World({}, store);
    const timer = timerOf(world);
    await timer.sweepNow();
    expect(timer.report.text).toBe('0 removed.');
    store.found = () => ({ revisions: 12, payloads: 1, leaving: 3, temps: 2, doubt: null });
    await timer.sweepNow();
    expect(timer.report.text).toBe(
      '0 removed. 12 old revisions, 1 payload that nothing names, 2 leftovers of writers that died removed. 3 more go a day later.',
    );
    expect(tidiedInWords({ ...NOTHING, doubt: 'k/runs/00: it is empty' })).toContain('k/runs/00: it is empty');
  });

  it('that it failed leaves the sweep as it was', async () => {
    const store = new Tidying();
    const world = new World({ gc: { ttlHours: 1, intervalMinutes: 15 } }, store);
    await world.put(klieo('01-first-attempt-one-pending.json'));
    world.now += 24n * 365n * 10n * HOUR_NS;
    store.found = () => {
      throw new Error('the disk is gone');
    };
    const timer = timerOf(world);
    await timer.sweepNow();
    expect(timer.report).toMatchObject({ reaped: 1, text: expect.stringContaining('1 removed. ') });
    expect(timer.report.text).toContain('the disk is gone');
  });

  it('stops when the timer is disposed in its middle', async () => {
    const store = new Tidying();
    const world = new World({}, store);
    const timer = timerOf(world);
    await timer.sweepNow();
    expect(await store.asked[0]?.goOn?.()).toBe(true);
    timer.dispose();
    expect(await store.asked[0]?.goOn?.()).toBe(false);
  });
});
