import { expect, it } from 'vitest';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { CasConflict } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { klieo, World } from '../helpers/world.js';

/** A store whose creates are lost to somebody else `losses` times. */
class Contended extends MemoryStore {
  losses = 0;
  tries = 0;
  override async cas(...[bucket, key, value, expected, options]: Parameters<MemoryStore['cas']>): Promise<number> {
    this.tries += 1;
    if (this.tries <= this.losses) throw new CasConflict(bucket, key, expected, null);
    return super.cas(bucket, key, value, expected, options);
  }
}

it.each([
  [30, 'taken_in'],
  [60, 'fault'],
])('H2 a record whose run is changed by others %d times in a row: %s', async (losses, what) => {
  const store = new Contended();
  store.losses = losses;
  const world = new World({}, store);
  const bytes = klieo('01-first-attempt-one-pending.json');
  const taken = await takeIn(store, world.ports.clock, { bytes, source: 'local', via: 'cli', route: 'here' });
  expect(taken.ok ? taken.value.outcome : taken.refusal.code).toBe(what);
  expect(store.tries).toBe(Math.min(losses + 1, 60));
});
