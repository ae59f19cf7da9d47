import { parentPort } from 'node:worker_threads';
import { sweep } from '../../electron/checkpoints/gc.js';
import { CasConflict } from '../../electron/store/contract.js';
import { systemClock } from '../../electron/system-clock.js';
import { countingDisk, KB, open } from './world.js';

/** What the bench runs beside itself, as a process or as a thread. */
const [task = '', root = '', ...rest] = process.argv.slice(2);

/** Writes so many times, to be counted from outside. */
async function write(kind: string, writes: number): Promise<void> {
  const store = await open(root);
  const value = new Uint8Array(2 * KB).fill(120);
  for (let n = 0; n < writes; n += 1) {
    if (kind === 'payload') await store.putPayload(Buffer.alloc(50 * KB, `${process.pid} ${n} `));
    await store.put('runs', `by strace ${kind}`, value);
  }
  await store.close();
}

/** Adds one to a counter by compare-and-set as often as it can, and says how often it won. */
async function contend(bucket: string, seconds: number): Promise<void> {
  const store = await open(root);
  const end = Date.now() + seconds * 1000;
  let [wins, conflicts] = [0, 0];
  while (Date.now() < end) {
    const entry = await store.get(bucket, 'counter');
    const next = Number(Buffer.from(entry?.value ?? []).toString() || '0') + 1;
    try {
      await store.cas(bucket, 'counter', Buffer.from(String(next)), entry?.revision ?? null);
      wins += 1;
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
      conflicts += 1;
      // Whoever lost gives way for a moment, as every caller in the application does.
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4));
    }
  }
  process.stdout.write(JSON.stringify({ wins, conflicts }));
}

/** Sweeps a store once and tells what it saw, or over and over. */
async function sweeping(forever: boolean): Promise<void> {
  const { disk, counts } = countingDisk();
  const store = await open(root, disk);
  const WEEK = 7n * 86_400n * 1_000_000_000n;
  const between = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return true;
  };
  const start = performance.now();
  parentPort?.postMessage('started');
  do {
    const { reaped, failed } = await sweep(store, systemClock(), { ttl: () => WEEK, between });
    const seconds = (performance.now() - start) / 1000;
    if (!forever) parentPort?.postMessage({ seconds, reaped, failed, payloadOpens: counts.payloadOpens });
  } while (forever);
  await store.close();
}

if (task === 'write') await write(rest[0] ?? '', Number(rest[1]));
if (task === 'contend') await contend(rest[0] ?? '', Number(rest[1]));
if (task === 'sweep') await sweeping(rest[0] === 'forever');
