import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { OutboxEntry } from '../../electron/sync/io.js';
import { headKey, suspensionId } from '../../electron/sync/protocol/keys.js';
import type { Known } from '../../electron/sync/protocol/plan-pull.js';
import { encode, readStored } from '../../electron/sync/protocol/read.js';
import { bundle } from '../helpers/bundle.js';
import { type MemoryEngine, memoryEngine } from '../helpers/memory-engine.js';
import { decisionOn, headOf, suspensionOf } from '../sim/records.js';

const suspension = suspensionOf('agent', 1);
const id = suspensionId(suspension);
const head = headOf(suspension, 'inc');
const decision = decisionOn(head, { id: '01DECISION', by: 'ada', verdict: 'approve' });
const record = { v: 1, id, epoch: 0, kind: 'decision', decision };

interface End {
  fate: OutboxEntry['fate'];
  phase: string;
  known: Known;
  intent: { phase: string };
  steps: number;
}

let worker = '';
const folders: string[] = [];
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, '../crash/sync-worker.ts'));
}, 180_000);
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-sync-'));
  folders.push(folder);
  const engine = memoryEngine();
  engine.write(headKey(id), encode(head));
  const effects: string[] = [];
  /** Runs the process to its end, or to where it is killed; the point at which it was. */
  const run = (killAt: number): Promise<{ end: End | null; point: string | null }> =>
    new Promise((resolve, reject) => {
      const child = fork(worker, [join(folder, 'store'), id, JSON.stringify(record)], {
        serialization: 'advanced',
        env: { ...process.env, HOLDPOINT_KILL_AT: String(killAt) },
        execArgv: [],
      });
      let end: End | null = null;
      let point: string | null = null;
      child.on('message', ({ n, method, args }: { n: number; method: string; args: unknown[] }) => {
        if (method === 'step') point = String(args[0]);
        if (method === 'end') end = args[0] as End;
        if (method === 'effect') effects.push(String(args[0]));
        answer(engine, method, args).then(
          (said) => child.connected && child.send({ n, answer: said }),
          (error: unknown) => {
            child.kill('SIGTERM');
            reject(error as Error);
          },
        );
      });
      child.on('exit', (code, signal) =>
        signal === 'SIGKILL' || code === 0 ? resolve({ end, point }) : reject(new Error(`it ended with ${code}`)),
      );
    });
  return { engine, effects, run };
}

async function answer(engine: MemoryEngine, method: string, args: unknown[]): Promise<unknown> {
  const key = String(args[0]);
  switch (method) {
    case 'casPut':
      return engine.casPut(key, args[1] as Uint8Array | null, Number(args[2]));
    case 'get':
      return engine.get(key);
    case 'after':
      return engine.log.filter((one) => one.revision > Number(args[0]));
    case 'keys': {
      const keys: unknown[] = [];
      for await (const one of engine.keys()) keys.push(one);
      return keys;
    }
    case 'life':
      return engine.life();
    default:
      return null;
  }
}

/** Kills a new world's process at one step, starts it again, and looks at how it all ends. The point's name. */
async function killedAt(n: number): Promise<string> {
  const { engine, effects, run } = newWorld();
  const killed = await run(n);
  expect(killed.end).toBeNull();
  const point = killed.point ?? '';
  const { end } = await run(0);
  const read = readStored(await engine.get(headKey(id)));
  const state = read.kind === 'head' ? read.head.state : read.kind;
  // Between the note that the call starts and the note that it ended nobody can know: it is a person's.
  if (point.startsWith('dispatch.') && point !== 'dispatch.answered') {
    expect([point, state, end?.fate.kind]).toEqual([point, 'blocked', 'blocked']);
    expect(effects.length).toBeLessThanOrEqual(1);
    return point;
  }
  expect([point, state, end?.intent.phase, end?.phase]).toEqual([point, 'done', 'closed', 'sent']);
  expect(end?.fate).toMatchObject({ kind: 'applied', claim: { by: 'here', done: true } });
  expect(effects).toEqual([id]);
  expect(engine.log.filter(({ key }) => key.startsWith('dec.'))).toHaveLength(1);
  return point;
}

test('kill -9 at each step of pull, outbox, push, claim, dispatch and acknowledge: the same end state (I1, I4, I8)', async () => {
  const { steps } = (await newWorld().run(0)).end ?? { steps: 0 };
  const points: string[] = [];
  const left = Array.from({ length: steps }, (_, n) => n + 1);
  const some = async (): Promise<void> => {
    for (let n = left.pop(); n !== undefined; n = left.pop()) points.push(await killedAt(n));
  };
  await Promise.all([some(), some(), some()]);
  for (const part of ['pull.', 'outbox.', 'push.', 'claim.', 'dispatch.', 'settle.'])
    expect(points.filter((point) => point.startsWith(part)).length, part).toBeGreaterThan(0);
}, 300_000);
