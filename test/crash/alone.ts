import { readFileSync } from 'node:fs';

/** Lets writers work side by side, and whoever times something alone: what the trial itself does beside it is no part of it. */
export class Turns {
  #working = 0;
  #timing = false;
  readonly #waiting: (() => void)[] = [];

  async beside<T>(act: () => Promise<T>): Promise<T> {
    while (this.#timing) await this.#next();
    this.#working += 1;
    try {
      return await act();
    } finally {
      this.#working -= 1;
      this.#wake();
    }
  }

  async alone<T>(act: () => Promise<T>): Promise<T> {
    while (this.#timing) await this.#next();
    this.#timing = true;
    try {
      while (this.#working > 0) await this.#next();
      return await act();
    } finally {
      this.#timing = false;
      this.#wake();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export interface Took {
  /** By the clock. */
  wallMs: number;
  /** Without the time in which this thread could have run and other programs had the processors, where the system tells. */
  ownMs: number;
}

/** How long an act takes. */
export async function timed<T>(act: () => Promise<T>): Promise<{ value: T } & Took> {
  const [start, waited] = [performance.now(), queuedMs()];
  const value = await act();
  const wallMs = performance.now() - start;
  return { value, wallMs, ownMs: wallMs - (queuedMs() - waited) };
}

/** Milliseconds that the main thread has waited for a processor since it began; 0 where the system does not tell. */
function queuedMs(): number {
  try {
    const [, waited = '0'] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waited) / 1e6;
  } catch {
    return 0; // Then the clock alone is asked.
  }
}
