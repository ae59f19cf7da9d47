import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { against, type Floor, inTurn, median } from './floor.js';
import { report } from './report.js';
import { countingDisk, inUse, KB, open } from './world.js';

const SMALL = new Uint8Array(2 * KB).fill(120);
const LARGE = new Uint8Array(200 * KB).fill(120);

/** Single writes of the store against the physical limit. */
export async function writeRows(root: string, floor: Floor, rounds: number): Promise<void> {
  const { disk, counts } = countingDisk();
  const store = await open(join(root, 'store'), disk);
  await inUse(store, ['runs']);
  await store.put('runs', 'counted', SMALL);
  const counted = async (name: string, expected: number, act: () => Promise<unknown>) => {
    const before = counts.syncs;
    await act();
    const facts = { by: 'the replaceable disk module' };
    report({ name, value: counts.syncs - before, unit: 'syncs', limit: expected, rule: 'exactly', facts });
  };
  await counted('syncs of an inline update', 2, () => store.cas('runs', 'counted', SMALL, 1));
  await counted('syncs of a new inline record', 2, () => store.cas('runs', 'counted too', SMALL, null));
  await counted('syncs of a record with a new payload', 4, async () => {
    await store.putPayload(LARGE);
    await store.put('runs', 'with payload', SMALL);
  });
  straceRows(root);

  // What is measured is the disk and the code, not its compilation.
  for (let n = 0; n < 500; n += 1) await store.put('runs', `warm ${n % 60}`, SMALL);
  await against(floor, { name: 'new inline record 2 KB', bytes: 2 * KB, rounds, limit: 1.7 }, (n) =>
    store.cas('runs', `new ${n}`, SMALL, null),
  );
  await against(floor, { name: 'cas 2 KB', bytes: 2 * KB, rounds, limit: 1.4 }, (n) =>
    store.cas('runs', `new ${n}`, SMALL, 1),
  );
  for (let n = 0; n < 20; n += 1) await store.put('runs', `large ${n}`, LARGE);
  await against(floor, { name: 'cas 200 KB', bytes: 200 * KB, rounds: Math.ceil(rounds / 3), limit: 1.5 }, (n) =>
    store.cas('runs', `large ${n % 20}`, LARGE, Math.floor(n / 20) + 1),
  );
  for (let n = 0; n < 1000; n += 1) await store.put('runs', 'hot', SMALL);
  const { early = [], late = [] } = await inTurn(Math.ceil(rounds / 2), {
    early: (n) => store.cas('runs', `cool ${n}`, SMALL, null),
    late: () => store.put('runs', 'hot', SMALL),
  });
  const facts = { ms: median(late), first_ms: median(early) };
  report({
    name: 'a write at the 1,000th revision against a first',
    value: median(late) / median(early),
    unit: 'x',
    limit: 1.2,
    facts,
  });
  await store.close();
}

/** The same counts from outside: what the system was asked for, less what opening and closing ask for. */
function straceRows(root: string): void {
  for (const [name, kind, expected] of [
    ['syncs of an inline update, by strace', 'update', 2],
    ['syncs of a record with a new payload, by strace', 'payload', 4],
  ] as const) {
    const syncs = (writes: number): number => {
      const side = join(import.meta.dirname, 'side.mjs');
      const args = ['-f', '-qq', '-e', 'trace=fsync,fdatasync,sync_file_range,msync', process.execPath, side, 'write'];
      const run = spawnSync('strace', [...args, join(root, 'store'), kind, String(writes)], { encoding: 'utf8' });
      if (run.status !== 0) return Number.NaN;
      return run.stderr.split('\n').filter((line) => / = 0$/.test(line)).length;
    };
    const writes = 20;
    const value = (syncs(writes) - syncs(0)) / writes;
    report({ name, value, unit: 'syncs', limit: expected, rule: 'exactly', facts: { writes } });
  }
}
