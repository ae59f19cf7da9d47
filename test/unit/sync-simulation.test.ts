import { describe, expect, test } from 'vitest';
import { REMOVED } from '../sim/removed.js';
import { runSchedule } from '../sim/schedule.js';

const SCHEDULES = 200;

test(`Y1 to Y7 hold over ${SCHEDULES} schedules, and every decision has a fate that is true (I1, I2, I4)`, async () => {
  const bad: string[] = [];
  let decisions = 0;
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const { violations, figures } = await runSchedule(seed);
    decisions += figures.decisions;
    bad.push(...violations.map(({ rule, text }) => `seed ${seed}: ${rule} ${text}`));
  }
  expect(bad).toEqual([]);
  expect(decisions).toBeGreaterThan(SCHEDULES);
}, 300_000);

test('the same seed gives the same schedule', async () => {
  expect(await runSchedule(7)).toEqual(await runSchedule(7));
});

describe('a rule taken out is found', () => {
  test.each(Object.entries(REMOVED).map(([name, removed]) => ({ name, ...removed })))(
    '$name: $what',
    async ({ finds, rules, from = 1 }) => {
      const found = new Set<string>();
      for (let seed = from; seed < from + 400 && !finds.some((rule) => found.has(rule)); seed++)
        for (const { rule } of (await runSchedule(seed, rules())).violations) found.add(rule);
      expect([...found]).toEqual(expect.arrayContaining([expect.toSatisfy((rule: string) => finds.includes(rule))]));
    },
    300_000,
  );
});
