import { textDigest } from '../../electron/formats/text-digest.js';
import { openStore } from '../../electron/store/file-store.js';
import { claimShared, settleShared } from '../../electron/sync/claim.js';
import { connect } from '../../electron/sync/connect.js';
import type { SharedEngine, Stored } from '../../electron/sync/engine.js';
import type { SyncIo } from '../../electron/sync/io.js';
import { PLANS } from '../../electron/sync/plans.js';
import type { SharedRecord } from '../../electron/sync/protocol/record.js';
import { pullFrom, reconcileKeys } from '../../electron/sync/pull.js';
import { pushRound } from '../../electron/sync/push.js';
import { storeFiles } from '../../electron/sync/store-files.js';
import { accepted } from '../../shared/refusal.js';

/**
 * A process with a real store that reads, decides, sends, claims, runs one call and tells its end, over an engine that its
 * parent holds. `HOLDPOINT_KILL_AT` is the number of the step at which it ends itself without warning; each is told before.
 */
const [root = '', id = '', said = ''] = process.argv.slice(2);
const record = JSON.parse(said) as SharedRecord & { kind: 'decision' };
const killAt = Number(process.env['HOLDPOINT_KILL_AT'] ?? 0);
const store = await openStore(root, { ballastBytes: 0 });
const files = storeFiles(store);

const open = new Map<number, (answer: unknown) => void>();
let asked = 0;
function ask<T>(method: string, ...args: unknown[]): Promise<T> {
  const n = ++asked;
  return new Promise((resolve) => {
    open.set(n, (answer) => resolve(answer as T));
    process.send?.({ n, method, args });
  });
}
process.on('message', ({ n, answer }: { n: number; answer: unknown }) => open.get(n)?.(answer));

let steps = 0;
async function at(point: string): Promise<void> {
  steps++;
  if (steps !== killAt) return;
  await ask('step', point);
  process.kill(process.pid, 'SIGKILL');
  await new Promise(() => undefined);
}

const engine: SharedEngine = {
  casPut: (...args) => ask('casPut', ...args),
  get: (key) => ask('get', key),
  // As far as it goes now: this process reads once.
  async *watch(after) {
    for (const stored of await ask<Stored[]>('after', after)) yield stored;
  },
  async *keys() {
    yield* await ask<{ key: string; revision: number }[]>('keys');
  },
  blobs: { put: async () => undefined, get: async () => null },
  life: () => ask('life'),
};
const io: SyncIo = {
  engine,
  files,
  plans: PLANS,
  verify: accepted,
  me: 'here',
  now: () => '2026-05-01T10:00:00Z',
  newToken: () => `token-${process.pid}-${Math.random()}`,
  epoch: () => 0,
  apply: async () => undefined,
  bodyDigest: async ({ body }) => (body.at === 'inline' ? textDigest(body.text) : null),
  at,
};

await connect(io);
await at('pull.begin');
await pullFrom(io, new AbortController().signal);
await reconcileKeys(io);
const known = await files.known(id);
await at('outbox.before');
await files.addToOutbox({
  v: 1,
  record,
  digest: record.decision.digest,
  phase: 'queued',
  fate: { kind: 'queued' },
  toldBy: known?.revision ?? 0,
});
await at('outbox.after');
while (!(await pushRound(io, () => true))) await at('push.again');
await carryOut();
await pullFrom(io, new AbortController().signal);
const [entry] = await files.outbox();
const end = {
  fate: entry?.fate,
  phase: entry?.phase,
  known: await files.known(id),
  intent: await files.intent(id),
  steps,
};
await ask('end', end);
await store.close();
process.exit();

/** The notes are what the journal is in the application. */
async function carryOut(): Promise<void> {
  const phase = (await files.intent(id))?.phase ?? 'intent';
  if (phase === 'closed') return;
  if (phase === 'answered') await settle('finished');
  else if (phase === 'started') {
    if (PLANS.planAfterCrash('started', false) === 'blocked') await settle('blocked');
  } else {
    const won = await claimShared(io, id);
    if (!won.ok) throw new Error(won.refusal.text);
    await at('claim.won');
    await files.saveIntent(id, { v: 1, token: won.value.token, phase: 'started' });
    await at('dispatch.before-call');
    await ask('effect', id);
    await at('dispatch.after-call');
    await files.saveIntent(id, { v: 1, token: won.value.token, phase: 'answered' });
    await at('dispatch.answered');
    await settle('finished');
  }
}

async function settle(how: 'finished' | 'blocked'): Promise<void> {
  const settled = await settleShared(io, id, how);
  if (!settled.ok) throw new Error(settled.refusal.text);
  await at('settle.done');
}
