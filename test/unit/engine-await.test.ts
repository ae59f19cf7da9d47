import { afterEach, describe, expect, it } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { release } from '../../electron/checkpoints/handover.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { EngineWorld } from '../helpers/engine-world.js';
import { klieo, klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

const RECORD = klieo('01-first-attempt-one-pending.json');
const SECOND = 1_000_000_000n;

const worlds: EngineWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

async function suspended(
  settings: Record<string, unknown> = {},
): Promise<{ world: EngineWorld; run: string; key: SuspensionKey }> {
  const world = new EngineWorld(settings);
  worlds.push(world);
  const { run, suspension } = unwrap(await world.engine.suspend(RECORD));
  return { world, run, key: suspension };
}

/** True when a promise is not settled after the loop had a few turns. */
async function stillWaits(promise: Promise<unknown>): Promise<boolean> {
  const waits = Symbol('waits');
  const pause = new Promise((resolve) => setTimeout(resolve, 30, waits));
  return (await Promise.race([promise, pause])) === waits;
}

describe('H13 await', () => {
  it('waits for the decision, and gives it with the record to go on from', async () => {
    const { world, run, key } = await suspended();
    const answer = world.engine.await(run, { token: 't' });
    expect(await stillWaits(answer)).toBe(true);
    unwrap(await world.decide(key, ['approve']));
    const got = unwrap(await answer);
    expect(got.systemDecision).toBe('"Approved"');
    expect(got.record).toBe(Buffer.from(RECORD).toString('utf8'));
    expect(got.calls).toMatchObject([
      { index: 0, name: 'issue_refund', verdict: 'approve', id: 'call_refund_1', answer: null },
    ]);
  });

  it('claims nothing while the settings cannot be read: what they ask of a decision is not known then', async () => {
    const { world, run, key } = await suspended();
    unwrap(await world.decide(key, ['approve']));
    world.warning = 'The settings are no JSON.';
    const asked = await world.engine.await(run, { token: 't', timeoutMs: 0 });
    expect(refusalOf(asked)).toBe('not_allowed');
    world.warning = null;
    unwrap(await world.engine.await(run, { token: 't', timeoutMs: 0 }));
  });

  it('gives the same token the same answer again, and another one a refusal that names the winner', async () => {
    const { world, run, key } = await suspended();
    unwrap(await world.decide(key, [{ reject: 'too much' }]));
    const first = unwrap(await world.engine.await(run, { token: 'mine' }));
    expect(first.systemDecision).toBe('{"Rejected":{"reason":"too much"}}');
    expect(unwrap(await world.engine.await(run, { token: 'mine' }))).toEqual(first);
    const other = await world.engine.await(run, { token: 'theirs' });
    expect(other.ok || other.refusal).toMatchObject({ code: 'already_claimed', facts: { by: 'test agent' } });
  });

  it('lets exactly one of many tokens win', async () => {
    const { world, run, key } = await suspended();
    const all = Array.from({ length: 8 }, (_, at) => world.engine.await(run, { token: `token ${at}` }));
    await stillWaits(Promise.all(all));
    unwrap(await world.decide(key, ['approve']));
    const codes = (await Promise.all(all)).map((one) => (one.ok ? 'won' : one.refusal.code)).sort();
    expect(codes).toEqual([...Array.from({ length: 7 }, () => 'already_claimed'), 'won']);
  });

  it('waits for the end of the undo window, and starts again when the decision is taken back', async () => {
    const { world, run, key } = await suspended({ undoSeconds: 5 });
    const answer = world.engine.await(run, { token: 't' });
    unwrap(await world.decide(key, ['approve']));
    expect(await stillWaits(answer)).toBe(true);
    unwrap(await undo(world.store, world.ports, key, 'Ada'));
    world.now += 60n * SECOND;
    expect(await stillWaits(answer)).toBe(true);
    unwrap(await world.decide(key, [{ reject: 'second thoughts' }]));
    expect(await stillWaits(answer)).toBe(true);
    world.now += 5n * SECOND;
    expect(unwrap(await answer).calls).toMatchObject([{ verdict: 'reject' }]);
  });

  it('is not decided when the time is up, and nothing is claimed then', async () => {
    const { world, run, key } = await suspended({ undoSeconds: 5 });
    for (const timeoutMs of [0, 40]) {
      const late = await world.engine.await(run, { token: 't', timeoutMs });
      expect(late.ok || late.refusal).toMatchObject({ code: 'not_decided', facts: { waitsFor: 'not_decided' } });
    }
    unwrap(await world.decide(key, ['approve']));
    const inWindow = await world.engine.await(run, { token: 't', timeoutMs: 0 });
    expect(inWindow.ok || inWindow.refusal).toMatchObject({ code: 'not_decided', facts: { waitsFor: 'undo_window' } });
    expect(unwrap(await world.engine.show(run)).latch).toBeNull();
  });

  it('claims nothing after it was given up', async () => {
    const { world, run, key } = await suspended();
    const controller = new AbortController();
    const answer = world.engine.await(run, { token: 't', signal: controller.signal });
    await stillWaits(answer);
    controller.abort();
    expect(refusalOf(await answer)).toBe('not_decided');
    unwrap(await world.decide(key, ['approve']));
    expect(refusalOf(await world.engine.await(run, { token: 't', signal: controller.signal }))).toBe('not_decided');
    expect(unwrap(await world.engine.show(run)).latch).toBeNull();
  });

  it.each([
    ['withdrawn', (world: EngineWorld, run: string): Promise<Outcome<unknown>> => world.engine.withdraw(run)],
    [
      'superseded',
      (world: EngineWorld): Promise<Outcome<unknown>> =>
        world.engine.suspend(klieoRecord({ step: 3, calls: [{ id: 'c', name: 'send_email', args: '{}' }] })),
    ],
  ] as const)('ends when the run is %s meanwhile', async (code, act) => {
    const { world, run } = await suspended();
    const answer = world.engine.await(run, { token: 't' });
    await stillWaits(answer);
    unwrap(await act(world, run));
    expect(refusalOf(await answer)).toBe(code);
  });

  it('gives a mixed batch as a record with the approved calls only (H13)', async () => {
    const world = new EngineWorld();
    worlds.push(world);
    const { run, suspension } = unwrap(await world.engine.suspend(klieo('02-parallel-three-pending.json')));
    unwrap(await world.decide(suspension, ['approve', { reject: 'no' }, { edit: '{"to":"b@example.com"}' }]));
    const got = unwrap(await world.engine.await(run, { token: 't' }));
    expect(got.calls.map((call) => call.verdict)).toEqual(['approve', 'reject', 'approve']);
    expect(got.calls[1]?.answer).toContain('no');
    expect(got.calls[2]?.arguments).toBe('{"to":"b@example.com"}');
    expect(got.notes.length).toBeGreaterThan(0);
    const record = world.engine.inspect(new TextEncoder().encode(got.record));
    expect(record.pending.map((call) => call.arguments)).toEqual([got.calls[0]?.arguments, '{"to":"b@example.com"}']);
    expect(record.state).toBe('waiting');
  });

  it('after a person released the claim, the old token has nothing and a new one may ask', async () => {
    const { world, run, key } = await suspended();
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.engine.await(run, { token: 'lost' }));
    unwrap(await release(world.store, world.ports, key, 'Ada'));
    expect(refusalOf(await world.engine.start(run, 0, { token: 'lost' }))).toBe('wrong_token');
    unwrap(await world.engine.await(run, { token: 'new' }));
    unwrap(await world.engine.start(run, 0, { token: 'new' }));
  });

  it('answers for the latest suspension of a run, and for the one that is named', async () => {
    const { world, run, key } = await suspended();
    unwrap(await world.decide(key, ['approve']));
    const { engine } = world;
    unwrap(await engine.await(run, { token: 'one' }));
    unwrap(await engine.start(run, 0, { token: 'one' }));
    unwrap(await engine.report(run, 0, { token: 'one', result: 'ok' }));
    unwrap(await engine.complete(run, { token: 'one' }));
    const next = unwrap(
      await engine.suspend(klieoRecord({ step: 3, calls: [{ id: 'c', name: 'send_email', args: '{}' }] })),
    );
    unwrap(await world.decide(next.suspension, ['approve']));
    expect(unwrap(await engine.await(key.runId, { token: 'two' })).calls).toMatchObject([{ name: 'send_email' }]);
    expect(unwrap(await engine.await(`${key.runId}#1`, { token: 'one' })).calls).toMatchObject([
      { name: 'issue_refund' },
    ]);
  });
});
