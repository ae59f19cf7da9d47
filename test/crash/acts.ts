import { DECISIONS } from '../../electron/checkpoints/keys.js';
import type { Disk } from '../../electron/store/disk.js';
import { openStore } from '../../electron/store/file-store.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { type Ack, isHandedOver } from './acks.js';
import { trialPorts } from './domain-ports.js';
import { type RunActs, runActs } from './run-acts.js';
import { type Seeded, seeded } from './seeded.js';
import { type ValueActs, valueActs } from './value-acts.js';

/** Thinning in the trials: what takes days elsewhere is done at once. */
export const RETENTION = { keep: 6, distance: 4, ageMs: -1 };
/** Runs that one round works on. */
const RUNS = 3;

type Actors = { values: ValueActs; runs: RunActs };
type Act = (actors: Actors, run: number, runs: readonly number[]) => Promise<Ack | null>;

/** Everything that the store is asked to do in a trial, and how often; a new act of the store is one more line. */
const ACTS: readonly (readonly [weight: number, act: Act])[] = [
  [2, ({ values }) => values.put()],
  [3, ({ values }) => values.cas()],
  [2, ({ values }) => values.many()],
  [1, ({ values }) => values.remove()],
  [1, ({ values }) => values.payload()],
  [1, ({ values }) => values.list()],
  [1, ({ values }) => values.thin()],
  [1, ({ values }) => values.tidy()],
  [1, ({ runs }, run) => runs.take(run)],
  [4, ({ runs }, run) => runs.decide(run)],
  [2, ({ runs }, _run, all) => runs.decideTogether(all)],
  [5, ({ runs }, run) => (isHandedOver(run) ? runs.claim(run) : runs.resume(run))],
  [3, ({ runs }, run) => runs.start(run)],
  [3, ({ runs }, run) => runs.report(run)],
  [2, ({ runs }, run) => runs.complete(run)],
  [1, ({ runs }) => runs.sweep()],
];
const TOTAL = ACTS.reduce((sum, [weight]) => sum + weight, 0);

function choose(random: Seeded): Act {
  let left = random.below(TOTAL);
  for (const [weight, act] of ACTS) {
    left -= weight;
    if (left < 0) return act;
  }
  throw new Error('weights');
}

/** Opens the store as the trials do: thinning at once, the index's snapshot written all the time. */
export function openForTrial(root: string, disk?: Disk): Promise<FileStore> {
  const options = { ballastBytes: 0, keepAll: [DECISIONS], retention: RETENTION, snapshotMs: 25 };
  return openStore(root, disk === undefined ? options : { ...options, disk });
}

/** An endless row of acts, the same for the same seed, but for what other writers do in between. */
export async function* actsOf(
  store: FileStore,
  plan: { name: string; seed: number; base: number; ledger: string },
): AsyncGenerator<Ack | null> {
  const random: Seeded = seeded(plan.seed);
  const actors = {
    values: valueActs(store, plan.name, random),
    runs: runActs(store, trialPorts(plan.name, plan.ledger), plan.ledger),
  };
  for (let run = 0; run < RUNS; run += 1) yield await actors.runs.take(plan.base + run).catch(said);
  const all = Array.from({ length: RUNS }, (_, n) => plan.base + n);
  for (;;) {
    const run = plan.base + random.below(RUNS);
    yield await choose(random)(actors, run, all).catch(said);
  }
}

/** What an act may throw: who came second is told so, and a disk that cannot say says that. */
function said(error: unknown): Ack | null {
  const name = error instanceof Error ? error.name : '';
  if (name === 'CasConflict') return null;
  if (name === 'CasIndeterminate') return { t: 'in doubt', text: String(error) };
  return name.startsWith('Store') ? { t: 'refused', name, text: String(error) } : { t: 'fault', text: String(error) };
}
