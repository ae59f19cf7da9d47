/** Milliseconds: the first pause is at most this long, and no pause is longer than that. */
const FIRST = 500;
const LONGEST = 60_000;

/** Pauses between tries, full jitter: many who lost the same engine do not come back at once. `chance` gives 0 to below 1. */
export function backoff(chance: () => number): { next(): number; reset(): void } {
  let most = FIRST;
  return {
    next: () => {
      const pause = FIRST / 2 + chance() * (most - FIRST / 2);
      most = Math.min(most * 2, LONGEST);
      return Math.round(pause);
    },
    reset: () => {
      most = FIRST;
    },
  };
}
