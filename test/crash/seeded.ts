/** Numbers that look random and are the same for the same seed, so that a trial can be run again. */
export interface Seeded {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly [T, ...T[]]): T;
}

export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)] ?? list[0] };
}

/** A seed of its own for each part of a trial. */
export function seedOf(seed: number, ...parts: number[]): number {
  return parts.reduce((sum, part) => Math.imul(sum ^ (part + 0x9e3779b9), 0x85ebca6b) >>> 0, seed >>> 0);
}
