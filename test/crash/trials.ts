import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contend } from './contention.js';
import { inWords, killLoop } from './kill-loop.js';
import { everyPlace } from './places.js';
import { cutPower } from './power.js';
import { injectEverywhere } from './syscalls.js';
import { inOwnMounts, missing } from './tools.js';

/** `npm run crash`: what the store guarantees, tried at length. One line at the end says how it went; exit 1 when it did not hold. */
const usage = 'npm run crash -- [KILLS] [--seed N] [--life N] | --syscalls | --power [CUTS]';
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    life: { type: 'string' },
    syscalls: { type: 'boolean', default: false },
    power: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
const worker = (name: string) => join(import.meta.dirname, `${name}.mjs`);
const progress = (words: string) => process.stderr.write(`  ${words}\n`);
const problems: string[] = [];
const parts: string[] = [];

function number(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise);
  if (Number.isInteger(value) && value > 0) return value;
  throw new Error(`usage: ${usage}`);
}

async function kills(): Promise<void> {
  const count = number(positionals[0], 1000);
  const only = values.life === undefined ? null : Number(values.life);
  progress(`seed ${seed}`);
  const killed = await killLoop(worker('mixed-worker'), count, seed, only, progress);
  problems.push(...killed.problems);
  parts.push(`${killed.kills} kill -9`, `${killed.acknowledged} acknowledged acts`, inWords(killed.slowest));
  if (only !== null) return;
  const keys = 10;
  const raced = await contend(worker('contend-worker'), { processes: 8, keys, goal: count, seed });
  problems.push(...raced.problems);
  if (raced.wins !== keys * count) problems.push(`${raced.wins} wins, not ${keys * count}`);
  const each = `${raced.fewest} to ${raced.most} wins each`;
  parts.push(`8 processes: ${raced.wins} wins on ${keys} keys, ${raced.conflicts} conflicts, ${each}`);
}

async function syscalls(): Promise<void> {
  const placed = await everyPlace(worker('steady-worker'), progress);
  problems.push(...placed.problems);
  parts.push(`${placed.places} places where writing fails, ${placed.refused} acts refused by name`);
  const injected = await injectEverywhere(worker('steady-worker'), progress);
  problems.push(...injected.problems);
  parts.push(`${injected.struck} calls of the system failed or killed, one a run`);
}

async function power(): Promise<void> {
  const cuts = number(positionals[0], 12);
  const cut = await cutPower(worker('steady-worker'), cuts, seed, null, progress);
  problems.push(...cut.problems);
  parts.push(`${cut.cuts} power cuts on ext4 and XFS, ${cut.acknowledged} acknowledged acts`);
  for (const skipped of ['file', 'folder'] as const) {
    const cheated = await cutPower(worker('steady-worker'), Math.max(6, Math.ceil(cuts / 2)), seed, skipped, progress);
    if (cheated.problems.length === 0)
      problems.push(`without the sync of the ${skipped} nothing was lost: this trial sees nothing`);
    parts.push(`without the sync of the ${skipped} ${cheated.problems.length} losses found`);
  }
}

/** Runs what was asked for, on a machine that can. */
async function main(): Promise<void> {
  const rooted = values.syscalls || values.power;
  const common = { unshare: 'util-linux', mount: 'mount' };
  const lacks = rooted
    ? missing(
        values.syscalls
          ? { ...common, strace: 'strace', setpriv: 'util-linux' }
          : { ...common, 'mkfs.ext4': 'e2fsprogs', 'mkfs.xfs': 'xfsprogs', xfs_io: 'xfsprogs' },
      )
    : [];
  if (lacks.length > 0) {
    process.stdout.write(`crash: nothing was tried: this needs ${lacks.join(', ')}\n`);
    process.exitCode = 1;
    return;
  }
  const elsewhere = rooted ? inOwnMounts() : null;
  if (elsewhere !== null) {
    process.exitCode = elsewhere;
    return;
  }
  await (values.syscalls ? syscalls() : values.power ? power() : kills());
  for (const problem of problems) process.stdout.write(`MISSED: ${problem}\n`);
  const verdict = problems.length === 0 ? 'every guarantee held' : `guarantees MISSED ${problems.length} times`;
  process.stdout.write(`crash: ${verdict}: ${parts.join(', ')} (seed ${seed})\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

await main();
