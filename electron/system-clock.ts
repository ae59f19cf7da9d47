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
  const next = monotonicFactory();
  return { ulid: () => next() };
}
