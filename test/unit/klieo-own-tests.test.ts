import { describe, expect, it } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { GcTimer } from '../../electron/checkpoints/gc-timer.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { HEADS } from '../../electron/checkpoints/keys.js';
import { dispatchAgain } from '../../electron/checkpoints/reconcile.js';
import { load, readHead, readJournal } from '../../electron/checkpoints/records.js';
import { readRecord } from '../../electron/formats/read-record.js';
import { klieo, klieoRecord, refusalOf, unwrap, World } from '../helpers/world.js';

/**
 * klieo's own 22 unit tests of its checkpoints, under their names. `same`: the same holds here. `different`: Holdpoint
 * differs on purpose (RULINGS H6), and what holds instead is asserted; docs/ARCHITECTURE.md has the table.
 */
const HOUR = 3_600_000_000_000n;
const RISKY = [{ id: 'tc-1', name: 'send_email', args: '{"to":"a"}' }];
const SAFE = [{ id: 'tc-1', name: 'search_kb', args: '{"q":"a"}' }];
const RUNS = ['01K0QZ6V5M3H8D7N2B4C9F1XGA', '01K0R07B9CQ2Z4A6D8F0H2K4MN', '01K0R07B9CQ2Z4A6D8F0H2K4MP'];
const old = (run: string | undefined) =>
  klieoRecord({ runId: run ?? '', calls: RISKY, createdAt: '2026-07-20T09:00:00Z' });

describe('same', () => {
  it('checkpoint_round_trips_through_json', () => {
    const read = readRecord(klieo('02-parallel-three-pending.json'));
    expect(read.ok && read.record.pending?.map((c) => c.id)).toEqual([
      'call_refund_1',
      'call_email_2',
      'call_search_3',
    ]);
    expect(read.ok && new TextDecoder().decode(read.format.latchedView(klieo('04-latched.json')))).toBe(
      new TextDecoder().decode(klieo('04-latched.json')),
    );
  });

  it('legacy_checkpoint_without_resume_attempted_defaults_false', () => {
    const read = readRecord(klieo('06-legacy-without-latch-field.json'));
    expect(read.ok && read.record.state).toBe('waiting');
  });

  it('corrupt_checkpoint_bytes_treated_as_latched', async () => {
    const world = new World();
    const taken = await takeIn(world.store, world.ports.clock, {
      bytes: klieo('07-corrupt-not-json.json'),
      source: 'local',
      via: 'inbox',
      route: 'here',
    });
    expect(refusalOf(taken)).toBe('unreadable');
    expect((await world.store.keysPage(HEADS, null, 9)).heads).toEqual([]);
  });

  it('first_resume_latches_attempt_before_dispatch', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, ['approve']));
    const seen: unknown[] = [];
    world.script = async () => {
      // Looked at from inside the tool: the latch and "started" are in the store already.
      seen.push(
        (await readHead(world.store, key))?.head.latch?.kind,
        (await readJournal(world.store, key))?.journal.calls[0]?.state,
      );
      return { kind: 'result', text: 'ok' };
    };
    unwrap(await world.resume(key));
    expect(seen).toEqual(['here', 'started']);
  });

  it('resume_approved_dispatches_pending_then_completes', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect(world.ledger).toEqual([{ tool: 'send_email', arguments: '{"to":"a"}' }]);
    expect((await readJournal(world.store, key))?.journal.continuation).toMatchObject({
      state: 'completed',
      answer: 'All done.',
    });
  });

  it('resume_approved_without_pending_calls_completes_and_injects_no_tool_message', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: null }));
    unwrap(await world.decide(key, { step: 'approve' }));
    unwrap(await world.resume(key));
    expect(world.requests[0]?.messages.filter((m) => m.role === 'tool')).toEqual([]);
    expect((await readJournal(world.store, key))?.journal.continuation.state).toBe('completed');
  });

  it('resume_rejected_with_pending_calls_does_not_dispatch_them', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, [{ reject: 'no' }]));
    unwrap(await world.resume(key));
    expect(world.ledger).toEqual([]);
  });

  it('resume_retry_with_non_idempotent_pending_fails_closed', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY, latched: true }));
    expect(refusalOf(await world.resume(key))).toBe('ResumeReplayBlocked');
    expect(world.ledger).toEqual([]);
  });

  it('concurrent_resume_losing_the_cas_fails_closed', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, ['approve']));
    const ended = await Promise.all([world.resume(key, 'a'), world.resume(key, 'b')]);
    expect(ended.filter((e) => e.ok)).toHaveLength(1);
    expect(world.ledger).toHaveLength(1);
  });

  it('gc_checkpoints_empty_bucket_is_zero', async () => {
    const world = new World();
    expect(await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).toMatchObject({
      reaped: 0,
      kept: [],
      failed: null,
    });
  });

  it('gc_checkpoints_paged_reaps_eligible_across_pages', async () => {
    const world = new World();
    for (let i = 0; i < 300; i++) await world.put(old(`01K0QZ6V5M3H8D7N2B4C${String(i).padStart(6, '0')}`));
    world.now += 3n * HOUR;
    const fresh = await world.put(klieoRecord({ runId: RUNS[1] ?? '', calls: RISKY }));
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(300);
    expect(await readHead(world.store, fresh)).not.toBeNull();
  });

  it('gc_checkpoints_propagates_enumerate_failure', async () => {
    const world = new World();
    world.store.keysPage = async () => {
      throw new Error('enumerate');
    };
    await expect(sweep(world.store, world.ports.clock, { ttl: () => HOUR })).rejects.toThrow('enumerate');
  });

  it('gc_checkpoints_skips_entry_whose_delete_fails', async () => {
    const world = new World();
    for (const run of RUNS) await world.put(old(run));
    world.now += 3n * HOUR;
    const remove = world.store.delete.bind(world.store);
    let first = true;
    world.store.delete = async (...args) => {
      if (first && args[0] === HEADS) {
        first = false;
        throw new Error('delete failed');
      }
      return remove(...args);
    };
    const result = await sweep(world.store, world.ports.clock, { ttl: () => HOUR });
    expect(result.reaped).toBe(2);
    expect(result.kept.map((k) => k.why)).toEqual(['delete failed']);
  });

  it('gc_checkpoints_skips_undeserializable_entry_without_failing', async () => {
    const world = new World();
    await world.put(old(RUNS[0]));
    await world.store.put(HEADS, 'klieo:local:1:junk', new TextEncoder().encode('not-json'), { meta: '{"junk":true}' });
    world.now += 3n * HOUR;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(1);
    expect(await world.store.get(HEADS, 'klieo:local:1:junk')).not.toBeNull();
  });

  it('spawn_checkpoint_gc_reaps_stale_and_keeps_fresh', async () => {
    const world = new World({ gc: { ttlHours: 2, intervalMinutes: 15 } });
    const stale = await world.put(old(RUNS[0]));
    world.now += 3n * HOUR;
    const fresh = await world.put(old(RUNS[1]));
    let tick: () => void = () => {};
    const swept = new Promise<void>((resolve) => {
      const timer = new GcTimer(
        world.store,
        world.ports,
        { set: (_after, act) => (tick = act), clear: () => {} },
        resolve,
      );
      timer.start();
    });
    world.monotonicMs += 15 * 60_000;
    tick();
    await swept;
    expect(await readHead(world.store, stale)).toBeNull();
    expect(await readHead(world.store, fresh)).not.toBeNull();
  });

  it('checkpoint_gc_handle_drop_stops_reaping', async () => {
    const world = new World({ gc: { ttlHours: 1, intervalMinutes: 15 } });
    const key = await world.put(old(RUNS[0]));
    world.now += 3n * HOUR;
    let tick: () => void = () => {};
    const timer = new GcTimer(
      world.store,
      world.ports,
      { set: (_after, act) => (tick = act), clear: () => {} },
      () => {},
    );
    timer.start();
    timer.dispose();
    world.monotonicMs += 15 * 60_000;
    tick();
    await new Promise((resolve) => setImmediate(resolve));
    expect(await readHead(world.store, key)).not.toBeNull();
  });

  it('spawn_checkpoint_gc_with_out_of_range_ttl_skips_sweep', async () => {
    const world = new World({ gc: { ttlHours: Number.MAX_VALUE } });
    const key = await world.put(old(RUNS[0]));
    world.now += 3n * HOUR;
    const timer = new GcTimer(world.store, world.ports, { set: () => null, clear: () => {} }, () => {});
    await timer.sweepNow();
    expect(await readHead(world.store, key)).not.toBeNull();
  });
});

describe('deliberately different', () => {
  it('bucketless_resume_skips_latch_and_dispatches: there always is a store, and the latch is always taken (K9)', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect((await readHead(world.store, key))?.head.latch).not.toBeNull();
    expect(refusalOf(await new World().resume(key))).toBe('not_found');
  });

  it('concurrent_cas_conflict_with_idempotent_batch_proceeds: a loser dispatches nothing, repeatable or not (K12)', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: SAFE }));
    unwrap(await world.decide(key, ['approve']));
    const ended = await Promise.all([world.resume(key, 'a'), world.resume(key, 'b')]);
    expect(ended.filter((e) => e.ok)).toHaveLength(1);
    expect(world.ledger).toHaveLength(1);
  });

  it('gc_checkpoints_reaps_only_entries_at_or_before_cutoff: inclusive as upstream, but age counts from intake too (K17)', async () => {
    const world = new World();
    const key = await world.put(old(RUNS[0]));
    const from = BigInt(unwrap(await load(world.store, key)).head.takenInAtNs);
    world.now = from + HOUR - 1n;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(0);
    world.now = from + HOUR;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(1);
  });

  it("resume_rejected_injects_tool_message_then_completes: one answer under each call's own id, none without (K7)", async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: RISKY }));
    unwrap(await world.decide(key, [{ reject: 'refund exceeds policy limit' }]));
    unwrap(await world.resume(key));
    const tool = world.requests[0]?.messages.filter((m) => m.role === 'tool') ?? [];
    expect(tool.map((m) => m.toolCallId)).toEqual(['tc-1']);
    expect(tool[0]?.content).toContain('Human reviewer rejected this step: refund exceeds policy limit');
    expect((await readJournal(world.store, key))?.journal.continuation.state).toBe('completed');
  });

  it('resume_retry_with_idempotent_pending_redispatches: only by an explicit act of a person (K13)', async () => {
    const world = new World();
    const key = await world.put(klieoRecord({ calls: SAFE, latched: true }));
    expect(refusalOf(await world.resume(key))).toBe('ResumeReplayBlocked');
    expect(world.ledger).toEqual([]);
    unwrap(await dispatchAgain(world.store, world.ports, key, 'Ada'));
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect(world.ledger).toHaveLength(1);
  });
});
