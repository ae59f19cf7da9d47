/** How long a loop may hold the event loop. */
const SLICE_MS = 4;

/** Lets other work in every few milliseconds of a long loop. `pass` says whether it did: then things may have changed. */
export interface Slices {
  pass(): Promise<boolean>;
  /** True when `pass` would let other work in: a loop of a hundred thousand short steps asks before it waits. */
  isDue(): boolean;
}

export function slices(): Slices {
  let start = performance.now();
  return {
    isDue: () => performance.now() - start >= SLICE_MS,
    async pass() {
      if (performance.now() - start < SLICE_MS) return false;
      await new Promise<void>((resolve) => setImmediate(resolve));
      start = performance.now();
      return true;
    },
  };
}
