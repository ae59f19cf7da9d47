import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contend } from './contention.js';
import { killLoop } from './kill-loop.js';

/** `npm run crash`: what the store guarantees, tried at length. One line at the end says how it went; exit 1 when it did not hold. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, life: { type: 'string' } },
});
const count = Number(positionals[0] ?? 1000);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const only = values.life === undefined ? null : Number(values.life);
if (!Number.isInteger(count) || !Number.isInteger(seed))
  throw new Error('usage: npm run crash -- [KILLS] [--seed N] [--life N]');

const worker = (name: string) => join(import.meta.dirname, `${name}.mjs`);
const progress = (words: string) => process.stderr.write(`  ${words}\n`);
const problems: string[] = [];
const parts: string[] = [];

progress(`seed ${seed}`);
const killed = await killLoop(worker('mixed-worker'), count, seed, only, progress);
problems.push(...killed.problems);
parts.push(
  `${killed.kills} kill -9`,
  `${killed.acknowledged} acknowledged writes`,
  `slowest restart ${Math.round(killed.slowestRestartMs)} ms`,
);

if (only === null) {
  const keys = 10;
  const raced = await contend(worker('contend-worker'), { processes: 8, keys, goal: Math.max(1, count), seed });
  problems.push(...raced.problems);
  if (raced.wins !== keys * count) problems.push(`${raced.wins} wins, not ${keys * count}`);
  parts.push(
    `8 processes: ${raced.wins} wins on ${keys} keys, ${raced.conflicts} conflicts, ${raced.fewest} to ${raced.most} wins each`,
  );
}

for (const problem of problems) process.stdout.write(`MISSED: ${problem}\n`);
const verdict = problems.length === 0 ? 'every guarantee held' : `guarantees MISSED ${problems.length} times`;
process.stdout.write(`crash: ${verdict}: ${parts.join(', ')} (seed ${seed})\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
