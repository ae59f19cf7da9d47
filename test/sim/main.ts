import { parseArgs } from 'node:util';
import { REMOVED } from './removed.js';
import { runSchedule } from './schedule.js';

/** `npm run sim`: schedules over the protocol as it is built, or without one of its rules. One line at the end says how it went. */
const usage = 'npm run sim -- [SCHEDULES] [--seed N] [--without RULE]';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, without: { type: 'string' } },
});
const schedules = Number(positionals[0] ?? 400);
const first = Number(values.seed ?? 1);
const removed = values.without === undefined ? undefined : REMOVED[values.without];
if (!Number.isInteger(schedules) || schedules < 1 || !Number.isInteger(first) || (values.without && !removed))
  throw new Error(`usage: ${usage}; rules: ${Object.keys(REMOVED).join(', ')}`);

const sums = { events: 0, decisions: 0, effects: 0, crashes: 0, cuts: 0, outages: 0 };
const fates = new Map<string, number>();
const rules = new Map<string, number>();
let bad = 0;
let firstBad: number | null = null;
const began = performance.now();
for (let n = 0; n < schedules; n++) {
  const { violations, figures } = await runSchedule(first + n, removed?.rules());
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += figures[name];
  for (const [fate, times] of figures.fates) fates.set(fate, (fates.get(fate) ?? 0) + times);
  if (violations.length > 0) {
    bad++;
    firstBad ??= first + n;
  }
  for (const rule of new Set(violations.map((one) => one.rule))) rules.set(rule, (rules.get(rule) ?? 0) + 1);
  if (!removed)
    for (const { rule, text } of violations.slice(0, 5)) console.log(`  seed ${first + n}: ${rule} ${text}`);
  if ((n + 1) % 1000 === 0) process.stderr.write(`  ${n + 1} schedules, ${bad} with a violation\n`);
}
const seconds = Math.round((performance.now() - began) / 1000);
const list = (map: Map<string, number>): string =>
  [...map]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
console.log(`  fates: ${list(fates)}`);
if (rules.size > 0) console.log(`  schedules by rule broken: ${list(rules)}; the first is seed ${firstBad}`);
console.log(
  `${schedules} schedules from seed ${first}${removed ? ` without ${values.without} (${removed.what})` : ''} in ${seconds} s: ${sums.events} events, ${sums.decisions} acknowledged decisions, ${sums.effects} calls run, ${sums.crashes} crashes, ${sums.cuts} partitions, ${sums.outages} outages; ${bad} with a violation`,
);
if (bad > 0) process.exitCode = 1;
