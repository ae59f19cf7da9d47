import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from './checkpoints/ports.js';

const MS = 1_000_000n;

/**
 * The machine's clock. The wall clock counts in milliseconds; what lies below comes from the monotonic one, so that two
 * events of one millisecond keep their order, and every change of the wall clock is followed at once.
 */
export function systemClock(): Clock {
  let offset: bigint | null = null;
  return {
    now() {
      const wall = BigInt(Date.now()) * MS;
      const steady = process.hrtime.bigint();
      const guess = offset === null ? wall : steady + offset;
      if (guess >= wall && guess < wall + MS) return guess;
      offset = wall - steady;
      return wall;
    },
    monotonic: () => Number(process.hrtime.bigint() / MS),
  };
}

/** ULIDs, ascending within this process even inside one millisecond. */
export function systemIds(): Ids {
  const next = monotonicFactory();
  return { ulid: () => next() };
}
