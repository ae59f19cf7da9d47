/** How long a loop may hold the event loop. */
const SLICE_MS = 4;

/** Lets other work in every few milliseconds of a long loop. `pass` says whether it did: then things may have changed. */
export function slices(): { pass(): Promise<boolean> } {
  let start = performance.now();
  return {
    async pass() {
      if (performance.now() - start < SLICE_MS) return false;
      await new Promise<void>((resolve) => setImmediate(resolve));
      start = performance.now();
      return true;
    },
  };
}
