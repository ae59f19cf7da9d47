import { describe, expect, it } from 'vitest';
import { reviewUnlessMarked, runLoop } from '../../electron/agent/loop.js';
import { writeMemory } from '../../electron/agent/memory.js';
import { repeatableBy } from '../../electron/checkpoints/facts.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { GcTimer } from '../../electron/checkpoints/gc-timer.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { HEADS, runText, suspensionText } from '../../electron/checkpoints/keys.js';
import { nonRepeatable } from '../../electron/checkpoints/may-fire.js';
import { dispatchAgain, reconcile } from '../../electron/checkpoints/reconcile.js';
import { load, readDecision, readHead, readJournal } from '../../electron/checkpoints/records.js';
import type { ModelAnswer } from '../../electron/ports.js';
import { klieo, klieoRecord, refusalOf, unwrap, World } from '../helpers/world.js';

const asks = (name: string, args = '{}', id = 'n1', finishReason = 'tool_calls'): ModelAnswer => ({
  kind: 'message',
  content: 'next',
  toolCalls: [{ id, name, arguments: args }],
  finishReason,
});
const HOUR = 3_600_000_000_000n;

describe('suspend', () => {
  const loop = (world: World, answer: ModelAnswer, seen: unknown[], policy = reviewUnlessMarked(() => false)) => {
    world.answers = [answer];
    return runLoop({
      messages: [{ role: 'user', content: 'go', toolCalls: [], toolCallId: null }],
      step: 3,
      maxSteps: 9,
      model: 'scripted',
      models: world.ports.models,
      tools: [],
      historyLimit: 0,
      policy: (review) => {
        seen.push(review);
        return policy(review);
      },
      signal: new AbortController().signal,
      save: async () => {},
      run: async (call) => `ran ${call.name}`,
    });
  };

  it('K1 the policy is asked once a step, before any tool runs, with the 1-based step and the message', async () => {
    const seen: unknown[] = [];
    const end = await loop(new World(), asks('send_email'), seen);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      step: 3,
      finishReason: 'tool_calls',
      message: { toolCalls: [{ name: 'send_email' }] },
    });
    expect(end.kind).toBe('suspended');
  });

  it('K1 an error of the policy ends the run and runs nothing', async () => {
    const end = await loop(new World(), asks('send_email'), [], () => ({ kind: 'error', text: 'policy down' }));
    expect(end).toEqual({ kind: 'failed', cause: 'review_error', text: 'policy down' });
  });

  it("K2 pending is the message's calls only when the step finished with tool calls", async () => {
    const end = await loop(new World(), asks('send_email', '{"to":"a"}'), []);
    expect(end).toMatchObject({
      kind: 'suspended',
      step: 3,
      pending: [{ id: 'n1', name: 'send_email', arguments: '{"to":"a"}' }],
    });
    const other = await loop(new World(), asks('send_email', '{}', 'n1', 'stop'), []);
    expect(other).toMatchObject({ kind: 'suspended', pending: null });
    const none: ModelAnswer = { kind: 'message', content: 'x', toolCalls: [], finishReason: 'tool_calls' };
    expect(await loop(new World(), none, [], () => ({ kind: 'suspend', reason: 'r' }))).toMatchObject({ pending: [] });
  });

  it('K3 resume works with and without the asking message in the history, and takes calls from the list only', async () => {
    for (const file of ['01-first-attempt-one-pending.json', '11-big-integer-args.json']) {
      const world = new World();
      const key = await world.put(klieo(file));
      unwrap(await world.decide(key, ['approve']));
      unwrap(await world.resume(key));
      expect(world.ledger).toHaveLength(1);
      const asked = world.requests[0]?.messages ?? [];
      const calls = asked.flatMap((m) => m.toolCalls).filter((c) => c.name === world.ledger[0]?.tool);
      expect(calls).toHaveLength(1);
      expect(asked.filter((m) => m.toolCallId === calls[0]?.id)).toHaveLength(1);
    }
  });

  it('K4 upstream differs: a second suspend is a new suspension and un-latches nothing', async () => {
    const world = new World();
    const first = await world.put(klieo('01-first-attempt-one-pending.json'));
    world.answers = [asks('send_email', '{"to":"b"}', 'call_2')];
    unwrap(await world.decide(first, ['approve']));
    unwrap(await world.resume(first));
    const second = { ...first, seq: 2 };
    const next = unwrap(await load(world.store, second));
    expect(next.record).toMatchObject({ resumeStep: 2, state: 'waiting', pending: [{ id: 'call_2' }] });
    expect(next.head.latch).toBeNull();
    expect((await readHead(world.store, first))?.head.latch).not.toBeNull();
    expect(refusalOf(await world.resume(first))).toBe('nothing_to_continue');
    expect(world.ledger).toHaveLength(1);
  });

  it('K5 the reason is kept beside the record, and a suspend that cannot be stored fails', async () => {
    const world = new World();
    const bytes = klieo('01-first-attempt-one-pending.json');
    const taken = await takeIn(world.store, world.ports.clock, {
      bytes,
      source: 'local',
      via: 'cli',
      route: 'handed_over',
      reason: 'over the limit',
    });
    expect((await readHead(world.store, unwrap(taken).key))?.head.reason).toBe('over the limit');
    const broken = new World();
    broken.store.cas = async () => {
      throw new Error('disk gone');
    };
    await expect(broken.put(bytes)).rejects.toThrow('disk gone');
  });
});

describe('resume', () => {
  it('K6 the history is restored from the checkpoint and the loop re-enters at the same step number', async () => {
    const world = new World();
    const key = await world.put(klieo('01-first-attempt-one-pending.json'));
    await writeMemory(world.store, runText(key), {
      v: 1,
      seq: 99,
      step: 7,
      messages: [{ role: 'user', content: 'another run', toolCalls: [], toolCallId: null }],
    });
    world.answers = [asks('send_email', '{"to":"b"}', 'c2')];
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    const asked = world.requests[0]?.messages ?? [];
    expect(asked[0]?.content).toBe('Please refund order ORD-4471, it arrived broken.');
    expect(asked.some((m) => m.content === 'another run')).toBe(false);
    expect((await readHead(world.store, { ...key, seq: 2 }))?.head.resumeStep).toBe(2);
  });

  it('K7 approved with a list claims the latch, then dispatches; approved with [] claims and continues', async () => {
    const world = new World();
    const key = await world.put(klieo('17-pending-empty-list.json'));
    unwrap(await world.decide(key, { step: 'approve' }));
    unwrap(await world.resume(key));
    expect((await readHead(world.store, key))?.head.latch?.kind).toBe('here');
    expect(world.ledger).toEqual([]);
    expect(world.requests[0]?.messages.map((m) => m.role)).toEqual(['user']);
  });

  it('K7 upstream differs: a rejection takes the one latch too, and answers each call under its own id', async () => {
    const world = new World();
    const key = await world.put(klieo('02-parallel-three-pending.json'));
    unwrap(await world.decide(key, [{ reject: 'refund exceeds policy limit' }, { reject: 'no' }, { reject: 'no' }]));
    unwrap(await world.resume(key));
    expect(world.ledger).toEqual([]);
    const answers = (world.requests[0]?.messages ?? []).filter(
      (m) => m.role === 'tool' && m.content.startsWith('Human reviewer rejected'),
    );
    expect(answers.map((m) => m.toolCallId)).toEqual(['call_refund_1', 'call_email_2', 'call_search_3']);
    expect(answers[0]?.content).toContain('Human reviewer rejected this step: refund exceeds policy limit');
    expect(refusalOf(await world.resume(key, 'again'))).toBe('nothing_to_continue');
  });

  it('K7 upstream differs: a rejection without calls becomes a user message, and takes the latch', async () => {
    const world = new World();
    const key = await world.put(klieo('03-no-pending.json'));
    unwrap(await world.decide(key, { step: { reject: 'not now' } }));
    unwrap(await world.resume(key));
    expect(world.requests[0]?.messages.at(-1)).toMatchObject({ role: 'user', toolCallId: null });
    expect(world.requests[0]?.messages.at(-1)?.content).toContain('Human reviewer rejected this step: not now');
    expect((await readHead(world.store, key))?.head.latch).not.toBeNull();
  });

  it('K8 the refusal names the calls that are not repeatable, in order; an unknown tool is not', async () => {
    const world = new World();
    const key = await world.put(klieo('02-parallel-three-pending.json'));
    const loaded = unwrap(await load(world.store, key));
    expect(nonRepeatable(loaded, repeatableBy(world.settings, 'local'))).toEqual(['issue_refund', 'send_email']);
    expect(nonRepeatable(loaded, repeatableBy(new World({ tools: [] }).settings, 'local'))).toEqual([
      'issue_refund',
      'send_email',
      'search_kb',
    ]);
  });

  it('K10 a record that came in latched refuses with ResumeReplayBlocked and is left as it is', async () => {
    const world = new World();
    const key = await world.put(klieo('04-latched.json'));
    const before = (await world.store.head(HEADS, suspensionText(key)))?.revision;
    const said = await world.decide(key, ['approve']);
    expect(said).toMatchObject({
      ok: false,
      refusal: { code: 'ResumeReplayBlocked', facts: { tools: ['issue_refund'], run_id: key.runId } },
    });
    expect(refusalOf(await world.decide(key, [{ reject: 'no' }]))).toBe('ResumeReplayBlocked');
    expect(refusalOf(await world.resume(key))).toBe('ResumeReplayBlocked');
    expect((await world.store.head(HEADS, suspensionText(key)))?.revision).toBe(before);
    expect(world.ledger).toEqual([]);
  });

  it('K10 K11 upstream differs: an absent record refuses, it never means a first attempt', async () => {
    const world = new World();
    const key = await world.put(klieo('01-first-attempt-one-pending.json'));
    unwrap(await world.decide(key, ['approve']));
    await world.store.delete(HEADS, suspensionText(key));
    expect(refusalOf(await world.resume(key))).toBe('tombstone');
    expect(refusalOf(await world.resume({ ...key, runId: '01K0R07B9CQ2Z4A6D8F0H2K4MN' }))).toBe('not_found');
    expect(world.ledger).toEqual([]);
  });

  it('K12 upstream differs: the loser dispatches nothing and is told who won', async () => {
    const world = new World();
    const key = await world.put(klieo('01-first-attempt-one-pending.json'));
    unwrap(await world.decide(key, ['approve']));
    let rival: unknown = null;
    world.onPoint = (point) => {
      if (point !== 'claim.before-latch' || rival !== null) return;
      rival = world.resume(key, 'rival');
    };
    const first = await world.resume(key, 'mine');
    const second = (await rival) as Awaited<ReturnType<typeof world.resume>>;
    const [lost] = [first, second].filter((o) => !o.ok);
    expect([first, second].filter((o) => o.ok)).toHaveLength(1);
    expect(lost).toMatchObject({ refusal: { code: 'already_claimed', facts: { by: 'Ada' } } });
    expect(world.ledger).toHaveLength(1);
  });

  it('K13 upstream differs: a latched repeatable batch runs again only by an explicit act', async () => {
    const world = new World();
    const key = await world.put(klieo('05-latched-idempotent-only.json'));
    expect(refusalOf(await world.resume(key))).toBe('ResumeReplayBlocked');
    unwrap(await dispatchAgain(world.store, world.ports, key, 'Ada'));
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect(world.ledger.map((l) => l.tool)).toEqual(['search_kb']);
    const other = new World();
    const risky = await other.put(klieo('04-latched.json'));
    expect(refusalOf(await dispatchAgain(other.store, other.ports, risky, 'Ada'))).toBe('ResumeReplayBlocked');
  });

  it('K14 upstream differs: a tool that answers with an error has answered; the batch goes on in order', async () => {
    const world = new World();
    world.script = (tool) =>
      tool === 'send_email' ? { kind: 'error', text: 'mailbox full' } : { kind: 'result', text: 'ok' };
    const key = await world.put(klieo('02-parallel-three-pending.json'));
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    unwrap(await world.resume(key));
    expect(world.ledger.map((l) => l.tool)).toEqual(['issue_refund', 'send_email', 'search_kb']);
    const journal = (await readJournal(world.store, key))?.journal;
    expect(journal?.calls.map((c) => c.state)).toEqual(['done', 'failed', 'done']);
    expect(world.requests[0]?.messages.find((m) => m.toolCallId === 'call_email_2')?.content).toBe('mailbox full');
  });

  it('K15 the record stays, latched, after success until the GC takes it', async () => {
    const world = new World();
    const key = await world.put(klieo('01-first-attempt-one-pending.json'));
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    const at = await readHead(world.store, key);
    expect(at?.head.latch?.decisionId).toBe(
      (await readDecision(world.store, key).then((d) => d.kind === 'decision' && d.decision.decisionId)) || '',
    );
    expect(new TextDecoder().decode(unwrap(await load(world.store, key)).bytes)).toBe(
      new TextDecoder().decode(klieo('01-first-attempt-one-pending.json')),
    );
  });

  it('K16 unreadable bytes count as latched: they are refused, never overwritten', async () => {
    const world = new World();
    for (const file of [
      '07-corrupt-not-json.json',
      '09-duplicate-latch-key.json',
      '10-latch-null.json',
      '15-bad-run-id.json',
      '19-bad-role.json',
    ]) {
      const taken = await takeIn(world.store, world.ports.clock, {
        bytes: klieo(file),
        source: 'local',
        via: 'inbox',
        route: 'here',
      });
      expect(taken, file).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
    }
    expect((await world.store.keysPage(HEADS, null, 10)).heads).toEqual([]);
  });
});

describe('gc', () => {
  const aged = (createdAt: string, runId: string) =>
    klieoRecord({ runId, createdAt, calls: [{ id: 'x', name: 'send_email', args: '{}' }] });
  const RUN = '01K0QZ6V5M3H8D7N2B4C9F1XGA';

  it('K17 created_at equal to the cutoff is removed, one nanosecond later stays', async () => {
    const world = new World();
    const key = await world.put(klieo('12-nanosecond-created-at.json'));
    const head = unwrap(await load(world.store, key)).head;
    const from =
      BigInt(head.takenInAtNs) > BigInt(head.createdAtNs ?? 0)
        ? BigInt(head.takenInAtNs)
        : BigInt(head.createdAtNs ?? 0);
    world.now = from + HOUR - 1n;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(0);
    world.now = from + HOUR;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(1);
  });

  it('K17 upstream differs: age counts from the later of created_at and intake', async () => {
    const world = new World();
    await world.put(aged('2020-01-01T00:00:00Z', RUN));
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(0);
    const later = new World();
    await later.put(aged('2026-07-20T12:00:00Z', RUN));
    later.now += HOUR;
    expect((await sweep(later.store, later.ports.clock, { ttl: () => HOUR })).reaped).toBe(0);
  });

  it('K17 upstream differs: latched and unsettled stays, decided and unclaimed stays', async () => {
    const world = new World();
    const latched = await world.put(klieo('04-latched.json'));
    const decided = await world.put(klieo('11-big-integer-args.json'));
    unwrap(await world.decide(decided, ['approve']));
    world.now += 100n * HOUR;
    const result = await sweep(world.store, world.ports.clock, { ttl: () => HOUR });
    expect(result.reaped).toBe(0);
    expect(result.kept.map((k) => k.key).sort()).toEqual([suspensionText(latched), suspensionText(decided)].sort());
  });

  it('K18 the walk is paged: every old key over many pages goes, and a listing that fails at once propagates', async () => {
    const world = new World();
    for (let i = 0; i < 600; i++)
      await world.put(aged('2026-07-20T09:00:00Z', `01K0QZ6V5M3H8D7N2B4C${String(i).padStart(6, '0')}`));
    world.now += 2n * HOUR;
    const result = await sweep(world.store, world.ports.clock, { ttl: () => HOUR });
    expect(result.reaped).toBe(600);
    world.store.keysPage = async () => {
      throw new Error('no listing');
    };
    await expect(sweep(world.store, world.ports.clock, { ttl: () => HOUR })).rejects.toThrow('no listing');
  });

  it('K18 upstream differs: a listing that fails on a later page reports what was removed so far', async () => {
    const world = new World();
    for (let i = 0; i < 300; i++)
      await world.put(aged('2026-07-20T09:00:00Z', `01K0QZ6V5M3H8D7N2B4C${String(i).padStart(6, '0')}`));
    world.now += 2n * HOUR;
    const list = world.store.keysPage.bind(world.store);
    let pages = 0;
    world.store.keysPage = async (...args) => {
      if (args[0] === HEADS && ++pages > 1) throw new Error('second page');
      return list(...args);
    };
    expect(await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).toMatchObject({
      reaped: 256,
      failed: 'second page',
    });
  });

  it('K19 a record that vanishes meanwhile is skipped in silence; a delete that fails keeps the record and goes on', async () => {
    const world = new World();
    const a = await world.put(aged('2026-07-20T09:00:00Z', RUN));
    const b = await world.put(aged('2026-07-20T09:00:00Z', '01K0R07B9CQ2Z4A6D8F0H2K4MN'));
    world.now += 2n * HOUR;
    const remove = world.store.delete.bind(world.store);
    world.store.delete = async (bucket, name, ...rest) => {
      if (name === suspensionText(a)) throw new Error('EIO');
      return remove(bucket, name, ...rest);
    };
    expect(await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).toMatchObject({
      reaped: 1,
      kept: [{ key: suspensionText(a), why: 'EIO' }],
    });
    expect(await readHead(world.store, a)).not.toBeNull();
    expect(await readHead(world.store, b)).toBeNull();
    world.store.delete = remove;
    const get = world.store.get.bind(world.store);
    world.store.get = async (bucket, name) => (bucket === HEADS ? null : get(bucket, name));
    expect(await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).toMatchObject({ reaped: 0, kept: [] });
  });

  it('K20 the timer waits the interval first, sweeps, tries again after a failure, and stops when disposed', async () => {
    const world = new World({ gc: { ttlHours: 1, intervalMinutes: 15 } });
    await world.put(aged('2026-07-20T09:00:00Z', RUN));
    world.now += 2n * HOUR;
    const waiting: { after: number; act: () => void }[] = [];
    const timers = { set: (after: number, act: () => void) => waiting.push({ after, act }), clear: () => {} };
    const timer = new GcTimer(world.store, world.ports, timers, () => {});
    timer.start();
    expect(waiting.map((w) => w.after)).toEqual([15 * 60_000]);
    expect(timer.report.lastAt).toBeNull();
    const list = world.store.keysPage.bind(world.store);
    world.store.keysPage = async () => {
      throw new Error('no disk');
    };
    await timer.sweepNow();
    expect(timer.report.text).toContain('no disk');
    world.store.keysPage = list;
    await timer.sweepNow();
    expect(timer.report).toMatchObject({ reaped: 1 });
    timer.dispose();
    waiting[0]?.act();
    expect(waiting).toHaveLength(1);
  });

  it('K20 a ttl that no time can be made of skips the sweep, and never means "all"', async () => {
    for (const ttlHours of [Number.MAX_VALUE, 1e12]) {
      const world = new World({ gc: { ttlHours } });
      await world.put(aged('2026-07-20T09:00:00Z', RUN));
      world.now += 1_000_000n * HOUR;
      const timer = new GcTimer(world.store, world.ports, { set: () => null, clear: () => {} }, () => {});
      await timer.sweepNow();
      expect(timer.report.reaped).toBe(0);
      expect(timer.report.text).toMatch(/^Skipped/);
    }
  });
});

it('C01 upstream latched: only "it did not run" re-opens the call, under a new latch, with a name', async () => {
  const world = new World();
  const key = await world.put(klieo('04-latched.json'));
  unwrap(await reconcile(world.store, world.ports, key, 0, { how: 'it_did_not', note: 'bank says no' }, 'Ada'));
  const journal = (await readJournal(world.store, key))?.journal;
  expect(journal?.calls[0]).toMatchObject({
    state: 'not_started',
    reconciled: [{ how: 'it_did_not', by: 'Ada', note: 'bank says no' }],
  });
  expect(world.ledger).toEqual([]);
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  expect(world.ledger).toHaveLength(1);
  expect((await readHead(world.store, key))?.head.latch).not.toBeNull();
});

it('K9 upstream differs: there always is a store; a resume that is not in it dispatches nothing', async () => {
  const world = new World();
  const key = await world.put(klieo('01-first-attempt-one-pending.json'));
  unwrap(await world.decide(key, ['approve']));
  const elsewhere = new World();
  expect(refusalOf(await elsewhere.resume(key))).toBe('not_found');
  expect(elsewhere.ledger).toEqual([]);
  unwrap(await world.resume(key));
  expect((await readHead(world.store, key))?.head.latch).not.toBeNull();
});

it('I3 what is dispatched comes from the store under the claim: a caller hands over a key, never arguments', async () => {
  const world = new World();
  const key = await world.put(klieo('11-big-integer-args.json'));
  const loaded = unwrap(await load(world.store, key));
  unwrap(await world.decide(key, ['approve']));
  // What a caller was given cannot be altered after the decision, and nothing of it can reach the tool.
  const [call] = loaded.record.pending ?? [];
  expect(() => Object.assign(call ?? {}, { arguments: '{"account":1}' })).toThrow(TypeError);
  expect(call?.arguments).toContain('9007199254740993');
  unwrap(await world.resume(key));
  expect(world.ledger[0]?.arguments).toBe('{"account":9007199254740993,"amount":1.0,"tx":18446744073709551615}');
});
