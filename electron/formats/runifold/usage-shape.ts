import { z } from 'zod';
import { u64 } from './numbers.js';

/** What a tree of runs has used up; every counter fills 64 bits (FORMATS 5.2). */
export const usage = z.object(
  {
    tokens: u64,
    cost_microusd: u64,
    duration_micros: u64,
    turns: u64,
    tool_calls: u64,
    delegations: u64,
  },
  { error: 'must be an object' },
);
export type Usage = z.infer<typeof usage>;

const NAMES = ['tokens', 'cost_microusd', 'duration_micros', 'turns', 'tool_calls', 'delegations'] as const;

/** R6, R7: every counter equal. */
export function sameUsage(a: Usage, b: Usage): boolean {
  return NAMES.every((name) => a[name] === b[name]);
}

/** R7: every counter at least that of `floor`. */
export function covers(floor: Usage, actual: Usage): boolean {
  return NAMES.every((name) => actual[name] >= floor[name]);
}

/** One line for a person; counters that are zero are left out. */
export function usageText(value: Usage): string {
  const words = NAMES.filter((name) => value[name] > 0n).map((name) => `${value[name]} ${name.replace('_', ' ')}`);
  return words.length === 0 ? 'nothing yet' : words.join(', ');
}
