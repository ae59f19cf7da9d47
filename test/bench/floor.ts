import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { report } from './report.js';

/**
 * P1, the least that a durable write can cost: open, write, fsync, close, and fsync of the folder. It runs in turn with
 * what is measured, on the same disk and in the same loop, so that a busy machine weighs on both alike.
 */
export class Floor {
  readonly #folder: string;
  #written = 0;

  constructor(root: string) {
    this.#folder = join(root, 'floor');
    mkdirSync(this.#folder, { recursive: true });
  }

  write(bytes: Uint8Array): void {
    this.#written += 1;
    const fd = openSync(join(this.#folder, String(this.#written)), 'wx', 0o600);
    writeSync(fd, bytes, 0, bytes.byteLength, 0);
    fsyncSync(fd);
    closeSync(fd);
    const folder = openSync(this.#folder, 'r');
    fsyncSync(folder);
    closeSync(folder);
  }
}

export async function timed(act: () => unknown): Promise<number> {
  const start = performance.now();
  await act();
  return performance.now() - start;
}

export function quantile(times: readonly number[], part: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? Number.NaN;
}

export const median = (times: readonly number[]): number => quantile(times, 0.5);

/** Times several acts in turn, in another order each round. */
export async function inTurn(
  rounds: number,
  acts: Record<string, (n: number) => unknown>,
): Promise<Record<string, number[]>> {
  const names = Object.keys(acts);
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let n = 0; n < rounds; n += 1) {
    for (let m = 0; m < names.length; m += 1) {
      const name = names[(m + n) % names.length] ?? '';
      times[name]?.push(await timed(() => acts[name]?.(n)));
    }
  }
  return times;
}

export interface Against {
  name: string;
  bytes: number;
  rounds: number;
  limit: number;
  p99Limit?: number;
  facts?: Record<string, string>;
}

/** Runs an act and P1 on as many bytes in turn, and reports the ratio of their medians, and of their slowest hundredth. */
export async function against(floor: Floor, how: Against, act: (n: number) => unknown): Promise<number> {
  const bytes = new Uint8Array(how.bytes).fill(120);
  const { act: ours = [], least = [] } = await inTurn(how.rounds, { act, least: () => floor.write(bytes) });
  const facts = { ms: median(ours), p1_ms: median(least), rounds: how.rounds, ...how.facts };
  report({ name: how.name, value: median(ours) / median(least), unit: 'x', limit: how.limit, facts });
  if (how.p99Limit !== undefined) {
    const [slow, slowest] = [quantile(ours, 0.99), quantile(least, 0.99)];
    const p99 = { ms: slow, p1_ms: slowest };
    report({ name: `${how.name}, p99`, value: slow / slowest, unit: 'x', limit: how.p99Limit, facts: p99 });
  }
  return median(ours);
}
