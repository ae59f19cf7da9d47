import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkStore } from './check-store.js';
import { noPromises } from './promised.js';
import { type SteadyWriter, startSteady } from './steady-writer.js';

/** Each call of the system that a write goes through, and what it can answer. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  pwrite64: ['EIO', 'ENOSPC', 'EPERM'],
  fsync: ['EIO', 'ENOSPC'],
  link: ['EIO', 'ENOSPC', 'EPERM'],
  rename: ['EIO', 'ENOSPC', 'EPERM'],
  unlink: ['EIO', 'EPERM'],
  mkdir: ['EIO', 'ENOSPC', 'EPERM'],
  openat: ['EIO', 'ENOSPC', 'EPERM', 'EMFILE'],
};
const ACTS = 26;
/** Of this seed, the first acts do everything that there is. */
const SEED = 11;
const SIDE_BY_SIDE = 2;

export interface Injected {
  runs: number;
  /** How often a call was struck. */
  struck: number;
  problems: string[];
}

interface Strike {
  call: string;
  /** `signal=KILL` or `error=…`. */
  how: string;
  nth: number;
}

/**
 * SQLite's loop: the n-th call of one kind fails, or kills the writer, for n = 1, 2, … until a run passes in which
 * nothing was struck. After each run the store is held against what its writer was told.
 */
export async function injectEverywhere(worker: string, progress: (words: string) => void): Promise<Injected> {
  const total: Injected = { runs: 0, struck: 0, problems: [] };
  const loops = Object.entries(CALLS).flatMap(([call, codes]) =>
    ['signal=KILL', ...codes.map((code) => `error=${code}`)].map((how) => ({ call, how })),
  );
  const work = async (): Promise<void> => {
    for (let loop = loops.shift(); loop !== undefined && total.problems.length === 0; loop = loops.shift()) {
      let writer = startSteady(worker);
      let nth = 1;
      for (; total.problems.length === 0; nth += 1) {
        if (writer.end() !== null) writer = startSteady(worker);
        const { struck, problems } = await strikeOnce(writer, { ...loop, nth });
        total.runs += 1;
        total.problems.push(...problems);
        if (!struck) break;
        total.struck += 1;
      }
      await writer.stop();
      progress(`${loop.call} ${loop.how}: ${nth - 1} times; ${total.runs} runs so far`);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  return total;
}

async function strikeOnce(writer: SteadyWriter, strike: Strike): Promise<{ struck: boolean; problems: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-inject-'));
  const [root, ledger, trace] = [join(folder, 'store'), join(folder, 'ledger.txt'), join(folder, 'trace.txt')];
  const promised = noPromises();
  const { call, how, nth } = strike;
  const where = (problem: string) => `${call} ${how} at ${nth}: ${problem}`;
  const plan = { root, ledger, name: 'w', seed: SEED, base: 0, acts: ACTS, restMs: 0 };
  try {
    await writer.begin({ ...plan, withoutHandles: false, skipSync: null }, promised);
    const detach = await attach(writer.pid, ['-e', `trace=${call}`, '-e', `inject=${call}:${how}:when=${nth}`], trace);
    await writer.goUntil('paused');
    await detach();
    await writer.goUntil('over');
    const end = writer.end();
    const killed = how === 'signal=KILL' && end?.signal === 'SIGKILL';
    const struck = killed || readFileSync(trace, 'utf8').includes('(INJECTED)');
    const problems = promised.contradictions.splice(0).map(where);
    if (end !== null && !killed) problems.push(where(`the writer ended with ${end.signal ?? end.code}`));
    const checked = await checkStore(root, ledger, promised, 'after');
    problems.push(...checked.problems.map(where));
    if (checked.temps > (killed ? 3 : 0)) problems.push(where(`${checked.temps} files stayed under tmp/`));
    return { struck, problems };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts a tracer on a running process, so that what it did to start is not counted. Returns how to take it off again. */
async function attach(pid: number, args: readonly string[], output: string): Promise<() => Promise<void>> {
  const child = spawn('strace', ['-f', '-o', output, ...args, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (/attached/.test(said)) resolve();
    });
    void ended.then(() => reject(new Error(`strace ended: ${said}`)));
  });
  return async () => {
    child.kill('SIGINT');
    await ended;
  };
}
