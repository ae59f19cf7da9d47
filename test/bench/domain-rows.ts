import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { decide, type Submitted } from '../../electron/checkpoints/decide.js';
import { DECISIONS, HEADS, JOURNALS } from '../../electron/checkpoints/keys.js';
import { claim } from '../../electron/checkpoints/latch.js';
import type { Ports } from '../../electron/ports.js';
import type { FileStore } from '../../electron/store/opened-store.js';
import { WORKER_LIMITS } from '../../electron/worker/limits.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { against, type Floor, inTurn, median } from './floor.js';
import { report } from './report.js';
import { approvalOf, benchPorts, recordBytes, takeInRun, unwrap } from './runs.js';
import { inUse, KB, MB, open } from './world.js';

let taken = 0;

/** New suspended runs, read as a reviewer reads them. */
async function opened(store: FileStore, ports: Ports, count: number, size: number): Promise<Submitted[]> {
  const submitted: Submitted[] = [];
  for (let n = 0; n < count; n += 1) {
    taken += 1;
    submitted.push(await approvalOf(store, await takeInRun(store, ports, recordBytes(taken, size))));
  }
  return submitted;
}

/** Deciding and claiming in a store of 100,000 runs, alone and while another process sweeps it. */
export async function domainRows(root: string, floor: Floor, rounds: number): Promise<void> {
  const store = await open(root);
  const ports = benchPorts();
  await inUse(store, [DECISIONS, JOURNALS]);
  await store.prepare(HEADS);
  const act = async (submitted: Submitted | undefined) => {
    if (submitted === undefined) throw new Error('more rounds than runs');
    unwrap(await decide(store, ports, submitted));
    await claimed(store, ports, submitted.key);
  };
  for (const one of await opened(store, ports, 60, 2 * KB)) await act(one);

  const undecided = await opened(store, ports, rounds, 2 * KB);
  for (const one of undecided) unwrap(await decide(store, ports, one));
  await against(floor, { name: 'claim alone', bytes: 2 * KB, rounds, limit: 1.6 }, (n) =>
    claimed(store, ports, undecided[n]?.key),
  );

  const alone = await opened(store, ports, rounds, 2 * KB);
  const how = { bytes: 2 * KB, rounds, p99Limit: 2.5 };
  await against(floor, { ...how, name: 'decide + claim', limit: 3.2 }, (n) => act(alone[n]));

  const swept = await opened(store, ports, rounds, 2 * KB);
  const sweeper = await startSweeping(root);
  await against(floor, { ...how, name: 'decide + claim during a sweep', limit: 5 }, (n) => act(swept[n]));
  await sweeper.stop();

  const few = 12;
  const [small, large] = [await opened(store, ports, few, 2 * KB), [] as Submitted[]];
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  for (let n = 0; n < few; n += 1) {
    // One at a time is on screen.
    large.push(...(await opened(store, ports, 1, 20 * MB)));
    const one = await inTurn(1, { small: () => act(small[n]), large: () => act(large[n]) });
    times.small.push(...(one['small'] ?? []));
    times.large.push(...(one['large'] ?? []));
  }
  const facts = { ms: median(times.large), small_ms: median(times.small), rounds: few };
  const value = median(times.large) / median(times.small);
  report({ name: 'decide + claim, 20 MB against 2 KB', value, unit: 'x', limit: 1.5, facts });
  await store.close();
}

async function claimed(store: FileStore, ports: Ports, key: SuspensionKey | undefined): Promise<void> {
  if (key === undefined) throw new Error('more rounds than runs');
  unwrap(await claim(store, ports, key, `token ${key.runId}`, 'here'));
}

/** Another thread sweeps the same store over and over, as the application's does; it runs when this returns. */
async function startSweeping(root: string): Promise<{ stop(): Promise<void> }> {
  const worker = new Worker(join(import.meta.dirname, 'side.mjs'), {
    argv: ['sweep', root, 'forever'],
    resourceLimits: WORKER_LIMITS,
  });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  return {
    stop: async () => {
      await worker.terminate();
    },
  };
}
