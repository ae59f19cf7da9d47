import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { SyncIo } from './io.js';
import { Epoch, type SharedHead } from './protocol/head.js';
import { EPOCH_KEY, headKey, suspensionId, TICK_KEY } from './protocol/keys.js';
import { decode, encode } from './protocol/read.js';

const TRIES = 12;

/**
 * Puts a run into the engine. The caller has noted durably that it is handed off, with this head's `inc`, before it calls:
 * from then on nothing here claims it by itself. Throws `EngineAway`.
 */
export async function handOff(io: SyncIo, head: SharedHead): Promise<Outcome<null>> {
  const key = headKey(suspensionId(head.suspension));
  for (let tries = 0; tries < TRIES; tries++) {
    const plan = io.plans.planHandOff(io.plans.readStored(await io.engine.get(key)), head);
    if (plan.kind === 'refused') return { ok: false, refusal: plan.refusal };
    if (plan.kind === 'landed') return accepted(null);
    await io.at?.('handoff.before-head');
    const put = await io.engine.casPut(key, encode(plan.next), plan.expected);
    await io.at?.('handoff.after-head');
    if (put.kind === 'stored') return accepted(null);
    if (put.kind === 'refused') return { ok: false, refusal: put.refusal };
  }
  return refused('in_doubt', 'The shared engine did not say whether it has this run; it is sent again.');
}

/** Its agent takes a run back, or it moved on. False when it is claimed or ended already. Throws `EngineAway`. */
export async function endShared(io: SyncIo, id: string, end: 'withdrawn' | 'superseded'): Promise<boolean> {
  for (let tries = 0; tries < TRIES; tries++) {
    const plan = io.plans.planEnd(io.plans.readStored(await io.engine.get(headKey(id))), end);
    if (plan === null) return false;
    const put = await io.engine.casPut(headKey(id), encode(plan.next), plan.expected);
    if (put.kind === 'stored') return true;
    if (put.kind === 'refused') return false;
  }
  return false;
}

/** The engine's own time, nanoseconds, learnt by a write; null when it gave none. */
export async function engineTime(io: Pick<SyncIo, 'engine'>): Promise<bigint | null> {
  const before = await io.engine.get(TICK_KEY);
  const put = await io.engine.casPut(TICK_KEY, encode({ v: 1 }), before?.revision ?? 0);
  return put.kind === 'stored' ? ((await io.engine.get(TICK_KEY))?.at ?? null) : null;
}

/** Ends what waited longer than its ttl, and removes what ended longer ago than the horizon; nanoseconds of the engine's time. */
export async function reapShared(io: SyncIo, limits: { now: bigint; ttl: bigint; horizon: bigint }): Promise<void> {
  for (const id of (await io.files.allKnown()).keys()) {
    const read = io.plans.readStored(await io.engine.get(headKey(id)));
    const expire = io.plans.planExpire(read, limits.now, limits.ttl);
    const purge = io.plans.planPurge(read, limits.now, limits.horizon);
    if (expire !== null) await io.engine.casPut(headKey(id), encode(expire.next), expire.expected);
    else if (purge !== null) await io.engine.casPut(headKey(id), null, purge);
  }
}

/** The epoch that an operator set; 0 where none is. Throws when it cannot be read: then nothing may go on. */
export async function readEpoch(io: Pick<SyncIo, 'engine'>): Promise<number> {
  const stored = await io.engine.get(EPOCH_KEY);
  if (stored === null || stored.value === null) return 0;
  const parsed = Epoch.safeParse(decode(stored.value));
  if (!parsed.success) throw new Error('meta.epoch cannot be read');
  return parsed.data.epoch;
}
