import { claimShared, settleShared, type Won } from '../../electron/sync/claim.js';
import type { SimIo } from './io-of.js';
import type { Actor, World } from './world.js';

/**
 * One claimer's whole way: claim, note that the call starts, the call, note that it ended, tell the engine. The notes are
 * what its journal is in the application. False while it has to be come back to.
 */
export async function carryOut(world: World, actor: Actor, io: SimIo, id: string): Promise<boolean> {
  // One process goes on with a run once at a time, as the application's runner sees to.
  if (io.busy.has(id)) return false;
  io.busy.add(id);
  try {
    return await goOn(world, actor, io, id);
  } finally {
    io.busy.delete(id);
  }
}

async function goOn(world: World, actor: Actor, io: SimIo, id: string): Promise<boolean> {
  const intent = await io.files.intent(id);
  switch (intent?.phase ?? 'intent') {
    case 'lost':
    case 'closed':
      return true;
    case 'answered':
      return settled(io, id, 'finished');
    case 'started':
      return afterCrash(world, actor, io, id);
    default: {
      const won = await claimShared(io, id);
      if (!won.ok)
        return ['already_claimed', 'tombstone', 'expired', 'withdrawn', 'superseded'].includes(won.refusal.code);
      await world.mayCrash(actor, 0.06);
      if (won.value.decision.verdicts[0]?.verdict !== 'approve') return settled(io, id, 'finished');
      await note(io, id, won.value.token, 'started');
      await run(world, actor, io, id, won.value);
      return settled(io, id, 'finished');
    }
  }
}

async function run(world: World, actor: Actor, io: SimIo, id: string, won: Won): Promise<void> {
  const { head, decision, token } = won;
  await world.mayCrash(actor, 0.06);
  world.truth.effects.push({ id, digest: head.digest, decisionId: decision.decisionId, by: actor.name });
  await world.mayCrash(actor, 0.06);
  await note(io, id, token, 'answered');
}

async function afterCrash(world: World, actor: Actor, io: SimIo, id: string): Promise<boolean> {
  const { plans } = world.rules;
  if (plans.planAfterCrash('started', !world.truth.onceOnly.has(id)) === 'blocked') {
    // A person looks when everything is quiet, and settles it.
    if (world.healed) return settled(io, id, 'finished');
    await settled(io, id, 'blocked');
    return false;
  }
  const won = await claimShared(io, id);
  if (!won.ok) return false;
  await run(world, actor, io, id, won.value);
  return settled(io, id, 'finished');
}

const settled = async (io: SimIo, id: string, end: 'finished' | 'blocked'): Promise<boolean> =>
  (await settleShared(io, id, end)).ok;

async function note(io: SimIo, id: string, token: string, phase: 'started' | 'answered'): Promise<void> {
  await io.files.saveIntent(id, { v: 1, token, phase });
}
