import { once } from 'node:events';
import { CasConflict } from '../../electron/store/contract.js';
import { openStore } from '../../electron/store/file-store.js';

/** What one process of the crash tests does: `race` counts one key up to a goal against others, `acks` writes until it is killed. */
const [task, root = '', goal = '0'] = process.argv.slice(2);

const bytes = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value), 'utf8'));

async function race(): Promise<void> {
  const store = await openStore(root, { ballastBytes: 0 });
  const won: number[] = [];
  let conflicts = 0;
  // All start together, or the first would be done before the last is there.
  process.stdout.write('ready\n');
  await once(process.stdin, 'data');
  process.stdin.destroy();
  for (;;) {
    const entry = await store.get('runs', 'counter');
    const count: number = entry === null ? 0 : JSON.parse(Buffer.from(entry.value).toString('utf8')).count;
    if (count >= Number(goal)) break;
    try {
      won.push(
        await store.cas('runs', 'counter', bytes({ count: count + 1, by: process.pid }), entry?.revision ?? null),
      );
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
      conflicts += 1;
    }
  }
  process.stdout.write(`${JSON.stringify({ pid: process.pid, won, conflicts })}\n`);
  await store.close();
}

async function acks(): Promise<void> {
  const store = await openStore(root, { ballastBytes: 0 });
  const filling = 'x'.repeat(40_000);
  for (let n = 0; ; n += 1) {
    const key = `key ${n % 7}`;
    const newest = await store.head('runs', key);
    const value = { n, pid: process.pid, filling: n % 3 === 0 ? filling : '' };
    const deleting = n % 11 === 10 && newest !== null && !newest.deleted;
    const expected = newest === null || newest.deleted ? null : newest.revision;
    const revision = deleting
      ? await store.delete('runs', key, newest.revision)
      : await store.cas('runs', key, bytes(value), expected, { meta: `${n}` });
    if (n % 5 === 0) await store.putPayload(bytes({ payload: n, pid: process.pid }));
    if (n % 9 === 0) await store.keysPage('runs', null, 3);
    process.stdout.write(`${JSON.stringify({ key, revision, n: deleting ? null : n, pid: process.pid })}\n`);
    // Lets the pipe take the line: what the parent has read was acknowledged.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

await (task === 'race' ? race() : acks());
