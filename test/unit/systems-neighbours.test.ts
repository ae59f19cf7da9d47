import { describe, expect, test } from 'vitest';
import { undo } from '../../electron/checkpoints/decide.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { handOver, startCall } from '../../electron/checkpoints/handover.js';
import { historyOf } from '../../electron/checkpoints/history.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { suspensionText } from '../../electron/checkpoints/keys.js';
import { reconcile } from '../../electron/checkpoints/reconcile.js';
import { load } from '../../electron/checkpoints/records.js';
import { readClaim } from '../../electron/formats/starweaver/claim.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import type { SuspensionKey } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { acting, itemOf } from '../helpers/acting.js';
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

  const claimAt = (id: string, state: string, at: string) =>
    bytesOf(
      textOf(of('claim-preflight.json'))
        .replace(/"claim_id":"[^"]+"/, `"claim_id":"${id}"`)
        .replace('"state":"preflight"', `"state":"${state}"`)
        .replace(/"created_at":"[^"]+"/, `"created_at":"${at}"`),
    );

  test.each(['preflight', 'admitted'])(
    'S16 S17 another claim of a later time says that one in %s was released or aborted; an earlier one is a Conflict',
    async (state) => {
      const w = new SystemsWorld();
      const key = await w.put(of(ONE));
      unwrap(await put(w, claimAt('claim_a', state, '2026-07-20T09:15:00Z')));
      for (const at of ['2026-07-20T09:14:59Z', '2026-07-20T09:15:00Z', '2026-07-20T11:15:00+02:00'])
        expect(upstreamOf(await put(w, claimAt('claim_b', 'preflight', at)))).toBe('Conflict');
      unwrap(await put(w, claimAt('claim_b', 'preflight', '2026-07-20T09:15:00.000000001Z')));
      expect((await w.detail(key)).foreignClaim).toMatchObject({ id: 'claim_b' });
      expect((await w.detail(key)).neighbours).toHaveLength(1);
      expect(refusalOf(await w.say(key, [{}]))).toBe('already_claimed');
      expect(upstreamOf(await put(w, claimAt('claim_a', state, '2026-07-20T09:15:00Z')))).toBe('Conflict');
    },
  );

  test('S17 a started claim takes the place of any that has not started, whatever its time; none takes its place', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await put(w, claimAt('claim_far', 'preflight', '9999-01-01T00:00:00Z')));
    unwrap(await put(w, claimAt('claim_a', 'started', '2026-07-20T09:15:00Z')));
    expect(await w.row(key)).toMatchObject({ status: 'unknown_outcome' });
    for (const state of ['preflight', 'admitted', 'started'])
      expect(upstreamOf(await put(w, claimAt('claim_b', state, '9999-01-01T00:00:01Z')))).toBe('Conflict');
    expect((await w.detail(key)).foreignClaim).toBeUndefined();
  });

  test('S17 a started claim goes with the end of its run: of the finished checkpoint nothing is in doubt', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await put(w, of('claim-started.json')));
    const ended = await w.put(
      bytesOf(textOf(of('05-completed-with-stale-pending-calls.json')).replaceAll(/run_[0-9a-f-]{36}/g, key.runId)),
    );
    expect(ended.seq).toBe(2);
    expect(await w.row(ended)).toMatchObject({ status: 'finished', other: true });
    expect(refusalOf(await reconcile(w.store, w.ports, ended, 0, { how: 'give_up' }, 'Ada'))).toBe(
      'illegal_call_state',
    );
  });

  describe('a claim that was given up there, which only a person can know', () => {
    async function held(state: 'preflight' | 'admitted' | 'started' = 'admitted') {
      const w = new SystemsWorld();
      const key = await w.put(of(ONE));
      unwrap(await put(w, of(`claim-${state}.json`)));
      const window = acting(w);
      const { foreignClaim } = await w.detail(key);
      return { w, key, id: itemOf(key), window, digest: foreignClaim?.digest ?? '' };
    }

    test.each(['preflight', 'admitted'] as const)(
      '%s: recorded with name and time, then it can be decided',
      async (state) => {
        const { w, key, id, window, digest } = await held(state);
        unwrap(await window['resume:claim-given-up'](id, { digest, note: ' the host is gone ' }));
        expect(window.told).toEqual(['runs:changed']);
        const [said] = (await historyOf(w.store, key)).filter(({ kind }) => kind === 'claim_given_up');
        expect(said).toMatchObject({ by: 'Ada', at: '2026-07-20T10:00:00Z', suspension: key });
        expect(said?.text).toMatch(new RegExp(`${state}.*the host is gone`));
        const detail = await w.detail(key);
        expect(detail.foreignClaim).toBeUndefined();
        expect(detail.neighbours?.[0]?.value).toContain('given up there, said Ada, 2026-07-20T10:00:00Z');
        expect((await w.row(key)).note).not.toContain('Claimed elsewhere');
        unwrap(await w.say(key, [{}]));
        unwrap(await w.resume(key));
        expect(w.ledger).toHaveLength(1);
      },
    );

    test('the same record again stays given up; its next state, or another claim, holds again', async () => {
      const { w, key, id, window, digest } = await held('preflight');
      unwrap(await window['resume:claim-given-up'](id, { digest, note: '' }));
      expect(unwrap(await put(w, of('claim-preflight.json'))).outcome).toBe('already_known');
      expect((await w.detail(key)).foreignClaim).toBeUndefined();
      unwrap(await put(w, claimAt('claim_z', 'preflight', '2020-01-01T00:00:00Z')));
      expect((await w.detail(key)).foreignClaim?.id).toBe('claim_z');
      expect(refusalOf(await w.say(key, [{}]))).toBe('already_claimed');
    });

    test('a run that was decided before goes on', async () => {
      const { w, key, id, window, digest } = await held();
      const other = new SystemsWorld({}, w.store);
      // Decided before the claim came: the claim holds it.
      unwrap(await window['resume:claim-given-up'](id, { digest, note: '' }));
      unwrap(await other.say(key, [{}]));
      unwrap(await put(w, claimAt('claim_y', 'preflight', '2030-01-01T00:00:00Z')));
      expect(refusalOf(await w.resume(key))).toBe('already_claimed');
      const again = (await w.detail(key)).foreignClaim?.digest ?? '';
      unwrap(await window['resume:claim-given-up'](id, { digest: again, note: '' }));
      expect(window.due.size).toBe(1);
      unwrap(await w.resume(key));
      expect(w.ledger).toHaveLength(1);
    });

    test('one that has started is never given up: its calls are settled one by one', async () => {
      const { w, key, id, window } = await held('started');
      const digest = textDigest(textOf(of('claim-started.json')));
      expect(refusalOf(await window['resume:claim-given-up'](id, { digest, note: '' }))).toBe('unknown_outcome');
      expect((await w.row(key)).status).toBe('unknown_outcome');
      expect((await historyOf(w.store, key)).map(({ kind }) => kind)).not.toContain('claim_given_up');
    });

    test('only the very claim that was on screen, and only with a name', async () => {
      const { w, key, id, window, digest } = await held('preflight');
      unwrap(await put(w, of('claim-admitted.json')));
      expect(refusalOf(await window['resume:claim-given-up'](id, { digest, note: '' }))).toBe(
        'changed_since_you_looked',
      );
      w.settings = { ...w.settings, reviewer: '' };
      const now = (await w.detail(key)).foreignClaim?.digest ?? '';
      expect(refusalOf(await window['resume:claim-given-up'](id, { digest: now, note: '' }))).toBe('not_allowed');
      expect((await w.detail(key)).foreignClaim).toBeDefined();
    });
  });

  test('a claim of somebody else that comes in between the look and the latch: the latch is given back', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await w.say(key, [{}]));
    w.onPoint = async (point) => {
      if (point === 'claim.before-latch') unwrap(await put(w, of('claim-preflight.json')));
    };
    expect(refusalOf(await w.resume(key))).toBe('already_claimed');
    expect(w.ledger).toEqual([]);
    expect(unwrap(await load(w.store, key)).head.latch).toBeNull();
  });

  test('what is beside a run is bounded', async () => {
    const w = new SystemsWorld();
    const big = pending((text) => text.replace('"request":', `"padding":"${'x'.repeat(5 * 1024 * 1024)}","request":`));
    expect(refusalOf(await put(w, big))).toBe('too_large');
    await w.put(of(ONE));
    expect((await w.rows())[0]?.status).toBe('waiting');
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

  const YEAR = 3_600_000_000_000n * 24n * 365n;
  const name = `neighbours/starweaver:local:${RUN}`;

  test('the GC takes records whose checkpoint never came, by their own age, and counts them', async () => {
    const w = new SystemsWorld();
    unwrap(await put(w, of('claim-preflight.json')));
    w.now += YEAR;
    unwrap(await put(w, of('approval-pending.json')));
    w.now += YEAR - 1n;
    const ttl = () => YEAR;
    expect(await sweep(w.store, w.ports.clock, { ttl })).toEqual({
      reaped: 0,
      kept: [],
      keptCount: 0,
      failed: null,
      named: [],
    });
    w.now += 1n;
    expect(await sweep(w.store, w.ports.clock, { ttl, dryRun: true })).toMatchObject({ reaped: 1, named: [name] });
    expect(await sweep(w.store, w.ports.clock, { ttl })).toMatchObject({ reaped: 1, kept: [] });
    expect((await w.store.head('neighbours', `starweaver:local:${RUN}`))?.deleted).toBe(true);
    expect((await sweep(w.store, w.ports.clock, { ttl })).reaped).toBe(0);
  });

  test('the GC takes those that came after the last of their run was removed, and none that have a checkpoint', async () => {
    const w = new SystemsWorld();
    const key = await w.put(of(ONE));
    unwrap(await w.say(key, [{}]));
    unwrap(await put(w, of('approval-pending.json')));
    w.now += YEAR;
    const kept = await sweep(w.store, w.ports.clock, { ttl: () => 1n });
    expect(kept).toMatchObject({ reaped: 0, kept: [{ why: 'decided and not claimed yet' }] });
    unwrap(await undo(w.store, w.ports, key, 'Ada'));
    expect((await sweep(w.store, w.ports.clock, { ttl: () => 1n })).reaped).toBe(1);
    unwrap(await put(w, of('approval-pending.json')));
    w.now += YEAR;
    expect((await sweep(w.store, w.ports.clock, { ttl: () => 1n })).reaped).toBe(1);
  });

  test('I9 the GC keeps a started claim without its checkpoint, and what changed while it was swept', async () => {
    const w = new SystemsWorld();
    unwrap(await put(w, of('claim-started.json')));
    w.now += YEAR;
    expect(await sweep(w.store, w.ports.clock, { ttl: () => 1n })).toMatchObject({
      reaped: 0,
      kept: [{ key: name, why: expect.stringContaining('may have run') }],
    });
    const other = new SystemsWorld();
    unwrap(await put(other, of('approval-pending.json')));
    other.now += YEAR;
    const remove = other.store.delete.bind(other.store);
    other.store.delete = async (...args) => {
      other.store.delete = remove;
      unwrap(await put(other, of('claim-preflight.json')));
      return remove(...args);
    };
    expect(await sweep(other.store, other.ports.clock, { ttl: () => 1n })).toMatchObject({
      reaped: 0,
      kept: [{ why: 'changed while it was swept' }],
    });
  });

  test('a checkpoint that comes while the records beside it are swept finds them', async () => {
    const w = new SystemsWorld();
    unwrap(await put(w, of('claim-preflight.json')));
    w.now += YEAR;
    const remove = w.store.delete.bind(w.store);
    w.store.delete = async (...args) => {
      w.store.delete = remove;
      const done = await remove(...args);
      await w.put(of(ONE));
      return done;
    };
    const swept = await sweep(w.store, w.ports.clock, { ttl: () => 1n });
    expect(swept).toMatchObject({ reaped: 0, kept: [{ why: 'its checkpoint came while it was swept' }] });
    const [row] = await w.rows();
    expect(row?.note).toContain('Claimed elsewhere');
  });

  test.each(['looked at', 'closed'])(
    'I9 a claim of somebody else that starts while its run is %s by the sweep keeps it, and a person settles it',
    async (when) => {
      const w = new SystemsWorld();
      const key = await w.put(of(ONE));
      w.now += YEAR;
      const { head, cas } = { head: w.store.head.bind(w.store), cas: w.store.cas.bind(w.store) };
      const started = async () => {
        Object.assign(w.store, { head, cas });
        unwrap(await put(w, of('claim-started.json')));
      };
      w.store.head = async (bucket, name) => {
        const found = await head(bucket, name);
        if (when === 'looked at' && bucket === 'neighbours') await started();
        return found;
      };
      w.store.cas = async (...args) => {
        const done = await cas(...args);
        if (when === 'closed' && args[0] === 'decisions') await started();
        return done;
      };
      expect(await sweep(w.store, w.ports.clock, { ttl: () => 1n })).toMatchObject({
        reaped: 0,
        kept: [{ why: expect.stringContaining('came in while it was swept') }],
      });
      expect((await w.store.head('suspensions', suspensionText(key)))?.deleted).toBe(false);
      expect((await w.rows())[0]?.status).toBe('unknown_outcome');
      unwrap(await reconcile(w.store, w.ports, key, 0, { how: 'it_ran', result: 'listed' }, 'Ada'));
      expect((await sweep(w.store, w.ports.clock, { ttl: () => 1n })).reaped).toBe(0);
    },
  );

  test('the GC keeps a run that somebody else has started', async () => {
    const w = new SystemsWorld();
    await w.put(of(ONE));
    unwrap(await put(w, of('claim-started.json')));
    w.now += 3_600_000_000_000n * 24n * 365n;
    const swept = await sweep(w.store, w.ports.clock, { ttl: () => 1n });
    expect(swept).toMatchObject({ reaped: 0, kept: [{ why: 'it came in latched and is not settled' }] });
  });
});
