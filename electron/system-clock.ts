import { randomFillSync } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import type { Clock, Ids } from './ports.js';

const NS_PER_MS = 1_000_000n;

/** The machine's clocks. The wall clock counts in milliseconds; what lies below is not known, and not made up. */
export function systemClock(): Clock {
  return {
    now: () => BigInt(Date.now()) * NS_PER_MS,
    monotonic: () => Number(process.hrtime.bigint() / NS_PER_MS),
  };
}

/** ULIDs, ascending within this process even inside one millisecond. */
export function systemIds(): Ids {
  const next = monotonicFactory(pooledChance());
  return { ulid: () => next() };
}

/** The system's random bytes as numbers below one, asked for many at a time: one request a letter costs more than a decision's checks. */
function pooledChance(): () => number {
  const pool = new Uint8Array(512);
  let at = pool.length;
  return () => {
    if (at === pool.length) {
      randomFillSync(pool);
      at = 0;
    }
    const byte = pool[at] ?? 0;
    at += 1;
    return byte / 256;
  };
}
