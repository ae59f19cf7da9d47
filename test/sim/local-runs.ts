import { handOff } from '../../electron/sync/keep.js';
import { suspensionId } from '../../electron/sync/protocol/keys.js';
import { carryOut } from './carry-out.js';
import type { LocalRun } from './durable.js';
import type { SimIo } from './io-of.js';
import { decisionOn, headOf, suspensionOf } from './records.js';
import { type Actor, TROUBLE, type World } from './world.js';

type Often = (least: number, most: number, act: () => Promise<void>) => () => Promise<void>;

/**
 * Runs that begin in a laptop's own store: its own latch counts until it hands one off, which is durable before anything of
 * it leaves. Deciding and claiming there, and handing it off, happen side by side.
 */
export function localTasks(world: World, actor: Actor, io: SimIo, runs: number, often: Often): (() => Promise<void>)[] {
  const { chance } = world;
  const plans = Array.from({ length: runs }, (_, n) => ({ suspension: suspensionOf(actor.name, n), from: n * 2_500 }));
  return plans.flatMap(({ suspension, from }) => {
    const id = suspensionId(suspension);
    const head = headOf(suspension, `${actor.name}-inc`);
    world.truth.onceOnly.add(id);
    const local = actor.disk.local;
    if (!local.has(id)) local.set(id, { ...NEW, digest: head.digest });
    /** A compare-and-set on the laptop's own head. */
    const set = (before: LocalRun, change: Partial<LocalRun>): Promise<boolean> =>
      io.files.write(() => {
        if (local.get(id)?.revision !== before.revision) return false;
        local.set(id, { ...before, ...change, revision: before.revision + 1 });
        return true;
      });
    const claimHere = async (): Promise<void> => {
      const run = local.get(id);
      if (run === undefined || world.clock.now < from) return;
      if (run.latch === 'started' || (run.latch === 'taken' && run.decisionId === null)) return;
      if (run.latch === 'none') {
        if (!world.rules.mayClaimWhere(run.handedOff && { id }, null).ok || !chance.is(0.3)) return;
        const decision = decisionOn(head, {
          id: `${actor.name}-l-${chance.below(1e9)}`,
          by: actor.name,
          verdict: 'approve',
        });
        await world.sleep(actor, 1, 300);
        if (!(await set(run, { latch: 'taken', decisionId: decision.decisionId }))) return;
        world.truth.decisions.set(decision.decisionId, decision);
      }
      const claimed = local.get(id);
      if (claimed?.latch !== 'taken' || claimed.decisionId === null) return;
      if (!(await set(claimed, { latch: 'started' }))) return;
      await world.mayCrash(actor, 0.1);
      world.truth.effects.push({ id, digest: run.digest, decisionId: claimed.decisionId, by: actor.name });
    };
    const goAway = async (): Promise<void> => {
      const run = local.get(id);
      if (run === undefined || world.clock.now < from) return;
      if (run.handedOff === null) {
        if (run.latch !== 'none' || world.clock.now > TROUBLE || !chance.is(0.25)) return;
        if (!(await set(run, { handedOff: { inc: head.inc } }))) return;
      }
      const now = local.get(id);
      if (now?.handedOff == null) return;
      if (!now.sent) {
        const sent = await handOff(io, head);
        if (sent.ok || sent.refusal.code === 'tombstone') await set(now, { sent: true });
        if (!sent.ok) return;
      }
      await carryOut(world, actor, io, id);
    };
    return [often(300, 900, claimHere), often(300, 1_200, goAway)];
  });
}

const NEW: LocalRun = { revision: 0, digest: '', handedOff: null, sent: false, latch: 'none', decisionId: null };
