import { spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '../../electron/store/file-store.js';
import { bundle } from '../helpers/bundle.js';
import { tempFolder, text } from '../helpers/store-folder.js';

let worker = '';
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, 'cas-worker.ts'));
});
afterAll(() => rmSync(dirname(worker), { recursive: true, force: true }));

interface Raced {
  pid: number;
  won: number[];
  conflicts: number;
}

/** Eight processes that wait for one another, and then count one key up to a goal. */
async function race(root: string, goal: number): Promise<Raced[]> {
  const children = Array.from({ length: 8 }, () =>
    spawn(process.execPath, [worker, 'race', root, String(goal)], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const lines = children.map((child) => createInterface({ input: child.stdout })[Symbol.asyncIterator]());
  await Promise.all(lines.map((line) => line.next()));
  for (const child of children) child.stdin.end('go\n');
  return Promise.all(lines.map(async (line) => JSON.parse((await line.next()).value ?? 'null')));
}

test('guarantee 3: eight processes on one key: one winner a revision, and every win counts', async () => {
  const root = join(tempFolder(), 'store');
  const goal = 250;
  const raced = await race(root, goal);
  const won = raced.flatMap((one) => one.won).sort((a, b) => a - b);
  expect(won).toEqual(Array.from({ length: goal }, (_, n) => n + 1));
  const store = await openStore(root, { ballastBytes: 0 });
  const entry = await store.get('runs', 'counter');
  expect(entry?.revision).toBe(goal);
  expect(JSON.parse(text(entry?.value)).count).toBe(goal);
  for (const { pid, won: revisions } of raced) {
    for (const revision of revisions) {
      const kept = await store.getRevision('runs', 'counter', revision);
      expect(JSON.parse(text(kept?.value))).toEqual({ count: revision, by: pid });
    }
  }
  const wins = raced.map((one) => one.won.length);
  const conflicts = raced.reduce((sum, one) => sum + one.conflicts, 0);
  process.stdout.write(
    `8 processes: ${goal} wins, ${Math.min(...wins)} to ${Math.max(...wins)} each, ${conflicts} conflicts\n`,
  );
  expect(conflicts).toBeGreaterThan(0);
  expect(readdirSync(join(root, 'tmp'))).toEqual([]);
  await store.close();
});

interface Ack {
  key: string;
  revision: number;
  n: number | null;
  pid: number;
}

/** Lets a writer run until it has acknowledged some writes, kills it at a random moment, and returns what it said. */
function killed(root: string, afterAcks: number, delayMs: number): Promise<Ack[]> {
  const child = spawn(process.execPath, [worker, 'acks', root], { stdio: ['ignore', 'pipe', 'inherit'] });
  const acks: Ack[] = [];
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      // The last line may be cut by the kill.
      if (line.endsWith('}')) acks.push(JSON.parse(line));
      if (acks.length === afterAcks) setTimeout(() => child.kill('SIGKILL'), delayMs);
    });
    lines.on('close', () => resolve(acks));
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code !== null) reject(new Error(`exit ${code}`));
    });
  });
}

test('guarantees 1, 2 and 8: after twenty kill -9 every acknowledged write is readable, and no key is stuck', async () => {
  const root = join(tempFolder(), 'store');
  const newest = new Map<string, Ack>();
  let total = 0;
  for (let round = 0; round < 20; round += 1) {
    const acks = await killed(root, 5 + round, Math.random() * 12);
    total += acks.length;
    for (const ack of acks) newest.set(ack.key, ack);
    const store = await openStore(root, { ballastBytes: 0 });
    for (const { key, revision, n, pid } of newest.values()) {
      const head = await store.head('runs', key);
      expect(head?.revision).toBeGreaterThanOrEqual(revision);
      const kept = await store.getRevision('runs', key, revision);
      if (n === null) expect(kept).toBeNull();
      else expect(JSON.parse(text(kept?.value))).toMatchObject({ n, pid });
      // A write that was not acknowledged may be there, but only as the next one, and whole.
      expect(head?.revision).toBeLessThanOrEqual(revision + 1);
      if (head?.deleted === true) expect(await store.get('runs', key)).toBeNull();
      else expect(await store.get('runs', key)).not.toBeNull();
    }
    expect(await store.quarantined()).toEqual([]);
    expect(await store.put('runs', 'after the kill', new Uint8Array([round]))).toBe(round + 1);
    await store.close();
  }
  process.stdout.write(`20 kills: ${total} acknowledged writes, 0 lost\n`);
  expect(total).toBeGreaterThan(200);
});
