import { seeded } from '../crash/seeded.js';

export interface Chance {
  is(probability: number): boolean;
  /** A number of milliseconds. */
  between(least: number, most: number): number;
  below(limit: number): number;
}

export function chanceOf(seed: number): Chance {
  const { below } = seeded(seed);
  return {
    below,
    is: (probability) => below(1_000_000) < probability * 1_000_000,
    between: (least, most) => least + (below(1_000_000) / 1_000_000) * (most - least),
  };
}
