import { once } from 'node:events';
import { CasConflict } from '../../electron/store/contract.js';
import { openStore } from '../../electron/store/file-store.js';
import type { Operation } from './history.js';
import { seeded } from './seeded.js';
import { bytesOf, idOf } from './value-acts.js';

/** One of several processes that compare-and-set the same keys, each up to a goal. Says at its end all that it saw. */
const [root = '', name = '', keys = '1', goal = '0', seed = '0'] = process.argv.slice(2);
const store = await openStore(root, { ballastBytes: 0, keepAll: ['runs'] });
const random = seeded(Number(seed));
const open = Array.from({ length: Number(keys) }, (_, n) => `key ${n}`);
const seen: Operation[] = [];
const won: [key: string, revision: number][] = [];
const now = () => Number(process.hrtime.bigint() / 1000n);
let conflicts = 0;

// All start together, or the first would be done before the last is there.
process.stdout.write('ready\n');
await once(process.stdin, 'data');
process.stdin.destroy();

while (open.length > 0) {
  const at = random.below(open.length);
  const key = open[at] ?? '';
  const start = now();
  const entry = await store.get('runs', key);
  const revision = entry?.revision ?? 0;
  seen.push({ kind: 'read', key, revision, start, end: now() });
  if (entry !== null && !idOf(entry.value).endsWith(` ${revision}`)) throw new Error(`${key} ${revision} is mixed up`);
  if (revision >= Number(goal)) {
    open.splice(at, 1);
    continue;
  }
  const begun = now();
  try {
    const written = await store.cas('runs', key, bytesOf({ id: `${name} ${revision + 1}` }), entry?.revision ?? null);
    seen.push({ kind: 'write', key, revision: written, start: begun, end: now() });
    won.push([key, written]);
  } catch (error) {
    if (!(error instanceof CasConflict)) throw error;
    conflicts += 1;
    seen.push({ kind: 'read', key, revision: error.actual ?? 0, start: begun, end: now() });
  }
}
process.stdout.write(`${JSON.stringify({ name, won, conflicts, seen })}\n`);
await store.close();
