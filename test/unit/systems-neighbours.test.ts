import { describe, expect, test } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { handOver, startCall } from '../../electron/checkpoints/handover.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { reconcile } from '../../electron/checkpoints/reconcile.js';
import { load } from '../../electron/checkpoints/records.js';
import { readClaim } from '../../electron/formats/starweaver/claim.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { RUN } from '../helpers/starweaver.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const of = (file: string) => fixtureOf('starweaver', file);
const ONE = '01-waiting-one-approval.json';
const put = (w: SystemsWorld, bytes: Uint8Array, route: 'here' | 'handed_over' = 'here') =>
  takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route });
const upstreamOf = (outcome: Outcome<unknown>) => (outcome.ok ? null : outcome.refusal.facts['upstream']);
const pending = (change: (text: string) => string = (text) => text) =>
  bytesOf(change(textOf(of('approval-pending.json'))));

async function nothingWritten(w: SystemsWorld, key: SuspensionKey): Promise<void> {
  const { decision, head } = unwrap(await load(w.store, key));
  expect(decision.kind).toBe('none');
  expect(head.latch).toBeNull();
}

describe('records beside a checkpoint', () => {
  test('come before it or after it, and are kept with its run', async () => {
    const w = new SystemsWorld();
    expect(unwrap(await put(w, of('approval-pending.json')))).toMatchObject({
      beside: expect.stringContaining('pending'),
    });
    const key = await w.put(of(ONE));
    expect(unwrap(await put(w, of('approval-pending.json'))).outcome).toBe('already_known');
    expect((await w.detail(key)).neighbours).toEqual([
      { name: 'approval', value: 'approval of shell_exec: pending, revision 1' },
    ]);
    expect(await w.rows()).toHaveLength(1);
  });

  test('S2 a bare claim is refused by name and changes nothing', async () => {
    const w = new SystemsWorld();
    const refused = await put(w, of('claim-bare.json'));
    expect(refusalOf(refused)).toBe('unreadable');
    expect(JSON.stringify(refused)).toContain('BareV0Unsupported');
  });

  test('S8 an older or another content of one revision is a Conflict', async () => {
    const w = new SystemsWorld();
    unwrap(
      await put(
        w,
        pending((text) => text.replace('"revision":1', '"revision":3')),
      ),
    );
    expect(upstreamOf(await put(w, pending()))).toBe('Conflict');
    unwrap(
      await put(
        w,
        pending((text) => text.replace('"revision":1', '"revision":4')),
      ),
    );
  });

  test('S11 S13 a record that asks something else refuses by its field, before anything is written', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(
      await put(
        w,
        pending((text) => text.replace('"action_name":"shell_exec"', '"action_name":"other_tool"')),
      ),
    );
    const refused = await w.say(key, [{}]);
    expect(upstreamOf(refused)).toBe('MismatchedDecisionEvidence');
    expect(refused).toMatchObject({ refusal: { facts: { field: 'action name' } } });
    await nothingWritten(w, key);
  });

  test('S11 a record of no pending call is an UnknownDecision', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(
      await put(
        w,
        pending((text) => text.replaceAll('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'ffffffffffffffffffffffffffffffff')),
      ),
    );
    expect(upstreamOf(await w.say(key, [{}]))).toBe('UnknownDecision');
    await nothingWritten(w, key);
  });

  test('S8 one that was decided otherwise in starweaver is a Conflict; the same verdict agrees', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await put(w, of('approval-denied.json')));
    expect(upstreamOf(await w.say(key, [{}]))).toBe('Conflict');
    await nothingWritten(w, key);
    unwrap(await w.say(key, [{ verdict: 'reject', reason: 'no' }]));
  });

  test('one that comes after the decision holds the claim', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await w.say(key, [{}]));
    unwrap(await put(w, of('approval-denied.json')));
    expect(upstreamOf(await w.resume(key))).toBe('Conflict');
    expect(w.ledger).toEqual([]);
  });
});

describe('S16 S17 claims', () => {
  test.each(['claim-preflight.json', 'claim-admitted.json'])(
    '%s of somebody else: a Conflict, nothing is decided',
    async (file) => {
      const w = new SystemsWorld();
      const key = await w.put(of(ONE));
      unwrap(await put(w, of(file)));
      expect(await w.row(key)).toMatchObject({ status: 'waiting', note: expect.stringContaining('Claimed elsewhere') });
      const refused = await w.say(key, [{}]);
      expect(refusalOf(refused)).toBe('already_claimed');
      expect(upstreamOf(refused)).toBe('Conflict');
    },
  );

  test('a started claim of somebody else: unknown, never dispatched, settled by a person only', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await w.say(key, [{}]));
    unwrap(await put(w, of('claim-started.json')));
    expect(await w.row(key)).toMatchObject({ status: 'unknown_outcome', needsPerson: true });
    expect((await w.detail(key)).row.status).toBe('unknown_outcome');
    expect(upstreamOf(await w.resume(key))).toBe('Conflict');
    expect(w.ledger).toEqual([]);
    unwrap(await reconcile(w.store, w.ports, key, 0, { how: 'it_ran', result: 'removed' }, 'Ada'));
    unwrap(await w.resume(key, 'mine'));
    expect(w.ledger).toEqual([]);
    expect(w.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'removed' });
  });

  test('a claim goes forward only, and another claim is a Conflict', async () => {
    const w = new SystemsWorld();
    unwrap(await put(w, of('claim-admitted.json')));
    expect(upstreamOf(await put(w, of('claim-preflight.json')))).toBe('Conflict');
    unwrap(await put(w, of('claim-started.json')));
    const other = textOf(of('claim-started.json')).replace(/"claim_id":"[^"]+"/, '"claim_id":"claim_other"');
    expect(upstreamOf(await put(w, bytesOf(other)))).toBe('Conflict');
  });

  test('what is handed over carries the decided records and a claim, the same for the same token', async () => {
    const w = new SystemsWorld();
    const key = unwrap(await put(w, of(ONE), 'handed_over')).key;
    unwrap(await put(w, of('approval-pending.json')));
    unwrap(await w.say(key, [{ editedArguments: '{"command":"ls","n":9007199254740993}' }]));
    const answer = unwrap(await handOver(w.store, w.ports, key, 'token'));
    expect(unwrap(readClaim(bytesOf(answer.claim ?? '')))).toMatchObject({ state: 'preflight', runId: key.runId });
    expect(answer.neighbours).toHaveLength(1);
    expect(answer.neighbours?.[0]).toContain('"revision":2');
    expect(answer.neighbours?.[0]).toContain('"override_arguments":{"command":"ls","n":9007199254740993}');
    expect(unwrap(await handOver(w.store, w.ports, key, 'token'))).toEqual(answer);
    expect((await w.detail(key)).claimState).toBe('admitted');
    unwrap(await startCall(w.store, w.ports, key, 0, 'token'));
    expect((await w.detail(key)).claimState).toBe('started');
  });

  test('the GC takes the records beside a run with the last of it', async () => {
    const w = new SystemsWorld();
    await w.put(of(ONE));
    unwrap(await put(w, of('approval-pending.json')));
    w.now += 3_600_000_000_000n * 24n * 365n;
    expect((await sweep(w.store, w.ports.clock, { ttl: () => 1n })).reaped).toBe(1);
    expect((await w.store.head('neighbours', `starweaver:local:${RUN}`))?.deleted).toBe(true);
  });

  test('the GC keeps a run that somebody else has started', async () => {
    const w = new SystemsWorld();
    await w.put(of(ONE));
    unwrap(await put(w, of('claim-started.json')));
    w.now += 3_600_000_000_000n * 24n * 365n;
    const swept = await sweep(w.store, w.ports.clock, { ttl: () => 1n });
    expect(swept).toMatchObject({ reaped: 0, kept: [{ why: 'it came in latched and is not settled' }] });
  });
});
