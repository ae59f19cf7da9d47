import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { openStore } from '../../electron/store/file-store.js';
import type { Ack, WriterPlan } from './acks.js';
import type { Took, Turns } from './alone.js';
import { checkStore, leftoversLater } from './check-store.js';
import { noPromises, note, type Promised } from './promised.js';
import { seeded, seedOf } from './seeded.js';

/** Rounds that one store lives through; each kills two writers. */
export const ROUNDS = 10;
export const KILLS_A_LIFE = ROUNDS * 2;
/** The most that one killed writer leaves under tmp/: a record, a probe's two names, a snapshot. */
const LEFT_BY_ONE = 4;

export interface Life {
  kills: number;
  acks: Map<Ack['t'], number>;
  restarts: Took[];
  problems: string[];
}

/**
 * One store that lives through `rounds` rounds of kill -9. In each, two processes work on the same keys and runs; one
 * ends itself at a change of the disk that the seed names, the other is killed from outside at any moment. Then the
 * store is opened and held against everything that they had been told.
 */
export async function liveThrough(
  worker: string,
  seed: number,
  life: number,
  rounds = ROUNDS,
  turns: Turns | null = null,
): Promise<Life> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-crash-'));
  const [root, ledger] = [join(folder, 'store'), join(folder, 'ledger.txt')];
  const promised = noPromises();
  const lived: Life = { kills: 0, acks: promised.counts, restarts: [], problems: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const random = seeded(seedOf(seed, life, round));
      const base = life * 1000 + round * 3;
      const plan = (name: string): WriterPlan => ({
        root,
        ledger,
        name: `${life}.${round}.${name}`,
        seed: seedOf(seed, life, round, name.charCodeAt(0)),
        base,
        killAt: 0,
        killHow: 'before',
        acts: 0,
      });
      const inside: WriterPlan = {
        ...plan('a'),
        killAt: 1 + random.below(500),
        killHow: random.pick(['before', 'half', 'after']),
      };
      const outside = plan('b');
      const delay = random.below(40);
      const acknowledged = 1 + random.below(70);
      const both = () =>
        Promise.all([writes(worker, inside, promised, 0), writes(worker, outside, promised, acknowledged, delay)]);
      await (turns === null ? both() : turns.beside(both));
      lived.kills += 2;
      const checked = await checkStore(root, ledger, promised, `${life}.${round} after`, turns);
      lived.restarts.push(checked.restart);
      const where = (problem: string) => `life ${life}, round ${round}: ${problem}`;
      lived.problems.push(...checked.problems.map(where));
      if (checked.temps > lived.kills * LEFT_BY_ONE) lived.problems.push(where(`${checked.temps} files under tmp/`));
      if (lived.problems.length > 0) return lived;
    }
    const left = await leftoversLater(root, (now) => openStore(root, { ballastBytes: 0, now }));
    if (left.length > 0) lived.problems.push(`life ${life}: after a week there is still ${left.join(', ')} under tmp/`);
    return lived;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lets a writer work until it has ended itself, or until it has acknowledged some acts and a moment has passed. */
function writes(
  worker: string,
  plan: WriterPlan,
  promised: Promised,
  killAfterAcks: number,
  delayMs = 0,
): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [worker, JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let acks = 0;
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('no output'));
    createInterface({ input: child.stdout }).on('line', (line) => {
      // The last line may be cut by the kill.
      if (!line.endsWith('}')) return;
      note(promised, JSON.parse(line));
      acks += 1;
      if (acks === killAfterAcks) setTimeout(() => child.kill('SIGKILL'), delayMs);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (signal !== 'SIGKILL') promised.contradictions.push(`the writer ${plan.name} ended with ${signal ?? code}`);
      resolve();
    });
  });
}
