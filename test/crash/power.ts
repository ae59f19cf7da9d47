import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SteadyPlan } from './acks.js';
import { checkStore } from './check-store.js';
import { noPromises, type Promised } from './promised.js';
import { type Seeded, seeded, seedOf } from './seeded.js';
import { startSteady } from './steady-writer.js';
import { run, tryRun } from './tools.js';

const FILE_SYSTEMS = [
  { name: 'ext4', size: '128M', make: ['mkfs.ext4', '-F', '-q'] },
  { name: 'xfs', size: '320M', make: ['mkfs.xfs', '-f', '-q'] },
] as const;

export interface PowerCuts {
  cuts: number;
  acknowledged: number;
  problems: string[];
}

/**
 * Cuts the power of a file system of its own while a writer works, and looks for everything acknowledged after the
 * journal was replayed. Every second writer rests between its acts, since only a cut in a quiet moment finds a name that
 * was never synced: the next sync would have taken it along. With `skipSync` the writer leaves one sync out, and this
 * must find that.
 */
export async function cutPower(
  worker: string,
  cuts: number,
  seed: number,
  skipSync: SteadyPlan['skipSync'],
  progress: (words: string) => void,
): Promise<PowerCuts> {
  const total: PowerCuts = { cuts: 0, acknowledged: 0, problems: [] };
  for (const fileSystem of FILE_SYSTEMS) {
    const outer = mkdtempSync(join(tmpdir(), 'holdpoint-power-'));
    const [image, mount] = [join(outer, 'image'), join(outer, 'mount')];
    mkdirSync(mount);
    run('truncate', '-s', fileSystem.size, image);
    const [make, ...options] = fileSystem.make;
    run(make, ...options, image);
    try {
      for (let cut = 0; cut < cuts; cut += 1) {
        const random = seeded(seedOf(seed, cut, fileSystem.name.length));
        const one = await cutOnce(
          worker,
          { image, mount, ledger: join(outer, `ledger ${cut}`), skipSync },
          cut,
          random,
        );
        total.cuts += 1;
        total.acknowledged += one.acknowledged;
        total.problems.push(...one.problems.map((problem) => `${fileSystem.name}, cut ${cut}: ${problem}`));
      }
    } finally {
      tryRun('umount', mount);
      rmSync(outer, { recursive: true, force: true });
    }
    progress(
      `${fileSystem.name}: ${total.cuts} cuts so far, ${total.acknowledged} acknowledged, ${total.problems.length} problems`,
    );
  }
  return total;
}

interface Where {
  image: string;
  mount: string;
  ledger: string;
  skipSync: SteadyPlan['skipSync'];
}

async function cutOnce(
  worker: string,
  { image, mount, ledger, skipSync }: Where,
  cut: number,
  random: Seeded,
): Promise<{ acknowledged: number; problems: string[] }> {
  run('mount', '-o', 'loop', image, mount);
  const root = join(mount, `store ${cut}`);
  const promised = noPromises();
  const quiet = cut % 2 === 1;
  const plan: SteadyPlan = {
    ...{ root, ledger, name: `c${cut}`, seed: random.below(2 ** 30), base: 0, acts: 0 },
    restMs: quiet ? 60 : 0,
    withoutHandles: false,
    skipSync,
  };
  const writer = startSteady(worker);
  await writer.begin(plan, promised);
  void writer.goUntil('over');
  // Some acts, and then any moment.
  const enough = 4 + random.below(quiet ? 12 : 60);
  for (let tries = 0; tries < 1000 && acknowledgedOf(promised) < enough; tries += 1) await sleep(10);
  await sleep(random.below(60));
  // Stopped first: a sync that comes after the cut may return as if all were well.
  writer.kill('SIGSTOP');
  while (!isStopped(writer.pid)) await sleep(1);
  // What it said before it stopped is in the pipe still.
  await sleep(20);
  run('xfs_io', '-x', '-c', 'shutdown', mount);
  writer.kill('SIGKILL');
  await writer.ended;
  run('umount', mount);
  run('mount', '-o', 'loop', image, mount);
  const acknowledged = acknowledgedOf(promised);
  let problems: string[];
  try {
    problems = (await checkStore(root, ledger, promised, 'after')).problems;
  } catch (error) {
    problems = [`it cannot be opened: ${String(error)}`];
  }
  run('umount', mount);
  return { acknowledged, problems };
}

function acknowledgedOf({ counts }: Promised): number {
  let sum = 0;
  for (const [act, count] of counts) if (act !== 'ready' && act !== 'listed') sum += count;
  return sum;
}

/** True when every thread of a process stands still. */
function isStopped(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((task) => {
    const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
  });
}
