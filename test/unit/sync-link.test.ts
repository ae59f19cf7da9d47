import { afterEach, describe, expect, test } from 'vitest';
import { recordDigest } from '../../electron/checkpoints/digest.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import { backoff } from '../../electron/sync/backoff.js';
import { putBody, readBody } from '../../electron/sync/body.js';
import { claimShared } from '../../electron/sync/claim.js';
import { EngineAway } from '../../electron/sync/engine.js';
import type { OutboxEntry, SyncIo } from '../../electron/sync/io.js';
import { endShared, handOff } from '../../electron/sync/keep.js';
import { type Link, openLink } from '../../electron/sync/link.js';
import { PLANS } from '../../electron/sync/plans.js';
import { EPOCH_KEY, headKey, suspensionId } from '../../electron/sync/protocol/keys.js';
import { encode, readStored } from '../../electron/sync/protocol/read.js';
import { refOf } from '../../electron/sync/protocol/record.js';
import { storeFiles } from '../../electron/sync/store-files.js';
import { accepted, refused } from '../../shared/refusal.js';
import { type MemoryEngine, memoryEngine } from '../helpers/memory-engine.js';
import { decisionOn, headOf, suspensionOf } from '../sim/records.js';

const links: Link[] = [];
afterEach(async () => {
  await Promise.all(links.splice(0).map((link) => link.close()));
});

/** One reviewer's machine: a store, its files, and a link that pauses a few milliseconds instead of seconds. */
function machine(
  name: string,
  engine: MemoryEngine,
  { files = storeFiles(new MemoryStore()) }: { files?: ReturnType<typeof storeFiles> } = {},
) {
  const faults: unknown[] = [];
  let tokens = 0;
  const io: Omit<SyncIo, 'epoch'> = {
    engine,
    files,
    plans: PLANS,
    verify: accepted,
    me: name,
    now: () => '2026-05-01T10:00:00Z',
    newToken: () => `token-of-${name}-${String(tokens++).padStart(8, '0')}`,
    apply: async () => undefined,
    bodyDigest: async ({ body }) => (body.at === 'inline' ? textDigest(body.text) : null),
  };
  const link = openLink({
    io,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms > 1000 ? 100 : 5);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
    chance: () => 0.5,
    isDue: () => true,
    changed: () => undefined,
    fault: (error) => faults.push(error),
  });
  links.push(link);
  const full: SyncIo = { ...io, epoch: () => link.epoch() };
  return {
    io: full,
    link,
    files,
    faults,
    decide: async (decision: ReturnType<typeof decisionOn>, toldBy = 0) => {
      const record = { v: 1 as const, id, epoch: link.epoch(), kind: 'decision' as const, decision };
      const entry: OutboxEntry = {
        v: 1,
        record,
        digest: decision.digest,
        phase: 'queued',
        fate: { kind: 'queued' },
        toldBy,
      };
      await files.addToOutbox(entry);
      link.nudge();
      return record;
    },
    fates: async () => (await files.outbox()).map(({ fate }) => fate.kind),
  };
}

const suspension = suspensionOf('agent', 1);
const id = suspensionId(suspension);
const head = headOf(suspension, 'inc');
const said = (name: string, verdict: 'approve' | 'reject', more = {}) =>
  decisionOn(head, { id: `of-${name}`, by: name, verdict, ...more });
const until = (is: () => unknown | Promise<unknown>) => expect.poll(is, { timeout: 20_000, interval: 5 });

describe('a store and an engine in step', () => {
  test('C77 decided apart while offline, met in either order: held on both, shown to both, resolved by one that names both', async () => {
    for (const first of ['ann', 'bob']) {
      const engine = memoryEngine();
      engine.write(headKey(id), encode(head));
      const [ann, bob] = [machine('ann', engine), machine('bob', engine)];
      for (const one of [ann, bob]) await until(() => one.files.known(id)).not.toBeNull();
      engine.away = true;
      await ann.decide(said('ann', 'approve'));
      await bob.decide(said('bob', 'reject'));
      await until(() => ann.fates()).toEqual(['queued']);
      // One of them reaches it before the other does.
      await (first === 'ann' ? bob : ann).link.close();
      engine.away = false;
      await until(() => (first === 'ann' ? ann : bob).fates()).toEqual(['applied']);
      const late = machine('late', engine, { files: (first === 'ann' ? bob : ann).files });
      await until(() => ann.fates()).toEqual(['conflict']);
      await until(() => bob.fates()).toEqual(['conflict']);
      const io = late.io;
      expect(await claimShared(io, id)).toMatchObject({ ok: false, refusal: { code: 'held' } });
      await (first === 'ann' ? ann : bob).decide(said('cyd', 'approve', { supersedes: ['of-ann', 'of-bob'] }));
      await until(async () => (await ann.fates()).concat(await bob.fates()).sort()).toEqual([
        'applied',
        'overruled',
        'overruled',
      ]);
      expect(await claimShared(io, id)).toMatchObject({ ok: true, value: { decision: { decisionId: 'of-cyd' } } });
      await Promise.all(links.splice(0).map((link) => link.close()));
    }
  });

  test('C75 a refusal that comes after the claim is too late, and loud; both records stand', async () => {
    const engine = memoryEngine();
    engine.write(headKey(id), encode(head));
    const [ann, bob] = [machine('ann', engine), machine('bob', engine)];
    await ann.decide(said('ann', 'approve'));
    await until(() => ann.fates()).toEqual(['applied']);
    expect((await claimShared(ann.io, id)).ok).toBe(true);
    const record = await bob.decide(said('bob', 'reject'));
    await until(async () => (await bob.files.outbox())[0]?.fate).toMatchObject({
      kind: 'too_late',
      loud: true,
      by: 'ann',
    });
    expect((await engine.get(refOf(record).key))?.value).not.toBeNull();
    await until(async () => (await ann.files.outbox())[0]?.fate).toMatchObject({
      kind: 'applied',
      claim: { by: 'ann' },
    });
  });

  test('a record refused for good is shown, and the others go on; a full engine refuses for now only', async () => {
    const engine = memoryEngine();
    engine.write(headKey(id), encode(head));
    let full = true;
    const put = engine.casPut;
    engine.casPut = async (key, value, expected) => {
      if (key.includes('of-aaa')) return { kind: 'refused', refusal: refused('not_allowed', 'no right').refusal };
      if (full && key.startsWith('dec.')) return { kind: 'refused', refusal: refused('store_full', 'full').refusal };
      return put(key, value, expected);
    };
    const ann = machine('ann', engine);
    await ann.decide(said('aaa', 'reject'));
    await ann.decide(said('ann', 'approve'));
    await until(() => ann.fates()).toEqual(expect.arrayContaining(['cannot_send', 'queued']));
    full = false;
    await until(() => ann.fates()).toEqual(expect.arrayContaining(['cannot_send', 'applied']));
  });

  test('one bad run does not hold the others up', async () => {
    const engine = memoryEngine();
    const other = headOf(suspensionOf('agent', 2), 'inc');
    engine.write(headKey(id), encode(head));
    engine.write(headKey(suspensionId(other.suspension)), encode(other));
    const put = engine.casPut;
    engine.casPut = async (key, ...rest) => (key === headKey(id) ? { kind: 'ambiguous', text: '' } : put(key, ...rest));
    const ann = machine('ann', engine);
    await ann.decide(said('ann', 'approve'));
    const decision = decisionOn(other, { id: 'of-other', by: 'ann', verdict: 'approve' });
    const record = { v: 1 as const, id: suspensionId(other.suspension), epoch: 0, kind: 'decision' as const, decision };
    await ann.files.addToOutbox({
      v: 1,
      record,
      digest: other.digest,
      phase: 'queued',
      fate: { kind: 'queued' },
      toldBy: 0,
    });
    await until(() => ann.fates()).toEqual(expect.arrayContaining(['queued', 'applied']));
  });

  test('absent is proven by a tombstone before it is gone', async () => {
    const engine = memoryEngine();
    const ann = machine('ann', engine);
    await ann.decide(said('ann', 'approve'));
    await until(() => ann.fates()).toEqual(['gone']);
    expect(readStored(await engine.get(headKey(id))).kind).toBe('sealed');
    expect(await handOff(ann.io, head)).toMatchObject({ ok: false, refusal: { code: 'tombstone' } });
  });

  test('an engine made anew, or another epoch: nothing is sent until a person confirms, then everything is', async () => {
    const engine = memoryEngine();
    engine.write(headKey(id), encode(head));
    const ann = machine('ann', engine);
    await ann.decide(said('ann', 'approve'));
    await until(() => ann.fates()).toEqual(['applied']);
    await ann.link.close();
    engine.recreate();
    engine.write(headKey(id), encode(head));
    const again = machine('ann', engine, { files: ann.files });
    await until(() => again.link.state().kind).toBe('halted');
    expect(engine.log.filter(({ key }) => key.startsWith('dec.'))).toEqual([]);
    await again.link.confirm();
    await until(() => again.link.state().kind).toBe('connected');
    await until(() => engine.log.some(({ key }) => key.startsWith('dec.'))).toBe(true);
    await until(() => again.fates()).toEqual(['applied']);
    await again.link.close();
    engine.write(EPOCH_KEY, encode({ v: 1, epoch: 1 }));
    const third = machine('ann', engine, { files: ann.files });
    await until(() => third.link.state().kind).toBe('halted');
    await third.link.confirm();
    await until(() => third.link.epoch()).toBe(1);
    // It was decided before the restore, and may have run since: a person says so again.
    expect(await claimShared(third.io, id)).toMatchObject({ ok: false, refusal: { code: 'not_allowed' } });
  });

  test('reconcile: what the watch never told is read, and what is missing is proven', async () => {
    const engine = memoryEngine();
    engine.write(headKey(id), encode(head));
    const ann = machine('ann', engine);
    await until(async () => (await ann.files.allKnown()).size).toBe(1);
    await ann.link.close();
    const cursor = await ann.files.cursor();
    if (cursor === null) throw new Error('it has read');
    const other = headOf(suspensionOf('agent', 7), 'inc');
    engine.write(headKey(suspensionId(other.suspension)), encode(other));
    // The watch is past it.
    await ann.files.saveCursor({ ...cursor, revision: 2 });
    const again = machine('ann', engine, { files: ann.files });
    await until(async () => (await ann.files.allKnown()).size).toBe(2);
    expect(again.faults).toEqual([]);
  });

  test('an illegal jump is shown as tampered and kept so; other values in the bucket are left alone', async () => {
    const engine = memoryEngine();
    engine.write('somebody.else', new Uint8Array([1, 2]));
    engine.write(headKey(id), encode(head));
    const ann = machine('ann', engine);
    await until(() => ann.files.known(id)).toMatchObject({ head: { state: 'suspended' } });
    engine.write(headKey(id), encode({ ...head, inc: 'another' }));
    await until(() => ann.files.known(id)).toMatchObject({ problem: { kind: 'tampered' }, head: { inc: 'inc' } });
    engine.write(headKey(id), new TextEncoder().encode('{'));
    await until(async () => (await ann.files.known(id))?.revision).toBe(4);
    expect(await ann.files.known(id)).toMatchObject({ problem: { kind: 'tampered' } });
  });

  test('withdrawn by its agent: the decision is told so; after a claim it is not', async () => {
    const engine = memoryEngine();
    engine.write(headKey(id), encode(head));
    const ann = machine('ann', engine);
    expect(await endShared(ann.io, id, 'withdrawn')).toBe(true);
    await ann.decide(said('ann', 'reject'));
    await until(async () => (await ann.files.outbox())[0]?.fate).toEqual({ kind: 'ended', end: 'withdrawn' });
  });
});

test('a claim goes on with the token that it noted first, whatever came of the try (I1)', async () => {
  const engine = memoryEngine();
  engine.write(headKey(id), encode(head));
  const ann = machine('ann', engine);
  await ann.decide(said('ann', 'approve'));
  await until(() => ann.fates()).toEqual(['applied']);
  const put = engine.casPut;
  // It lands, and nobody is told.
  engine.casPut = async (...args) => {
    await put(...args);
    throw new EngineAway('cut');
  };
  await expect(claimShared(ann.io, id)).rejects.toThrow(EngineAway);
  engine.casPut = put;
  const token = (await ann.files.intent(id))?.token;
  expect(await claimShared(ann.io, id)).toMatchObject({ ok: true, value: { token } });
});

test('pauses grow to a minute, never beyond, and begin anew', () => {
  const pause = backoff(() => 0.999);
  const pauses = Array.from({ length: 12 }, () => pause.next());
  expect(pauses[0]).toBeLessThanOrEqual(500);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(60_000);
  expect(pauses.at(-1)).toBeGreaterThan(59_000);
  pause.reset();
  expect(pause.next()).toBeLessThanOrEqual(500);
});

test('a body over 256 KB goes to the object store, and comes back only as what the digest says (H3)', async () => {
  const engine = memoryEngine();
  for (const size of [10, 300_000]) {
    const bytes = new TextEncoder().encode('x'.repeat(size));
    const { system, runId } = suspension;
    const digest = recordDigest({ system, runId, resumeStep: 1, bytes });
    const body = await putBody(engine, bytes);
    expect(body.at).toBe(size > 256 * 1024 ? 'blob' : 'inline');
    const read = await readBody(engine, { ...head, digest, body });
    expect(Buffer.compare(read ?? new Uint8Array(), bytes)).toBe(0);
    expect(await readBody(engine, { ...head, digest: 'f'.repeat(64), body })).toBeNull();
  }
  const lost = { at: 'blob' as const, sha256: 'f'.repeat(64), size: 1 };
  expect(await readBody(engine, { ...head, body: lost })).toBeNull();
});
