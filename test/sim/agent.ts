import { EngineAway } from '../../electron/sync/engine.js';
import { endShared, handOff } from '../../electron/sync/keep.js';
import { headKey, suspensionId } from '../../electron/sync/protocol/keys.js';
import { encode } from '../../electron/sync/protocol/read.js';
import { carryOut } from './carry-out.js';
import { ioOf, type SimIo } from './io-of.js';
import { headOf, suspensionOf } from './records.js';
import { type Actor, newActor, TROUBLE, type World } from './world.js';

/** An agent with a few runs of its own: puts them into the engine, amends one now and then, and carries out what is decided. */
export function newAgent(world: World, name: string, runs: number): Actor {
  const { chance } = world;
  const plans = Array.from({ length: runs }, (_, n) => ({
    suspension: suspensionOf(name, n),
    begins: chance.between(0, TROUBLE * 0.5),
    once: chance.is(0.8),
  }));
  for (const { suspension, once } of plans) if (once) world.truth.onceOnly.add(suspensionId(suspension));
  return newActor(world, name, (actor) =>
    plans.map((plan) => async () => {
      const io = ioOf(world, actor);
      await world.sleep(actor, Math.max(0, plan.begins - world.clock.now), plan.begins - world.clock.now + 1);
      const id = suspensionId(plan.suspension);
      for (;;) {
        try {
          if (await step(world, actor, io, id, plan)) return;
        } catch (error) {
          if (!(error instanceof EngineAway)) throw error;
        }
        await world.sleep(actor, 300, 900);
      }
    }),
  );
}

/** True when the run is over for its agent. */
async function step(
  world: World,
  actor: Actor,
  io: SimIo,
  id: string,
  { suspension, once }: { suspension: ReturnType<typeof suspensionOf>; once: boolean },
): Promise<boolean> {
  const { own } = actor.disk;
  const { files } = io;
  const inc = own.get(id)?.inc ?? `${actor.name}-${world.chance.below(1e9)}`;
  const head = headOf(suspension, inc, { once });
  const set = (change: { sent?: boolean; over?: boolean }): Promise<boolean> =>
    files.write(() => {
      const now = own.get(id) ?? { inc, digest: head.digest, sent: false, over: false };
      return own.set(id, { ...now, ...change }).size > 0;
    });
  if (own.get(id) === undefined) await set({});
  if (own.get(id)?.over) return true;
  if (!own.get(id)?.sent) {
    const sent = await handOff(io, head);
    if (!sent.ok) return sent.refusal.code === 'tombstone' ? set({ over: true }) : false;
    await set({ sent: true });
  }
  if (world.chance.is(0.04) && !world.healed) await amend(world, io, id, suspension);
  if (world.chance.is(0.01) && !world.healed) await endShared(io, id, 'withdrawn');
  return (await carryOut(world, actor, io, id)) ? set({ over: true }) : false;
}

/** Another record in its place, as long as nobody decided. */
async function amend(world: World, io: SimIo, id: string, suspension: ReturnType<typeof suspensionOf>): Promise<void> {
  const read = io.plans.readStored(await io.engine.get(headKey(id)));
  if (read.kind !== 'head' || read.head.state !== 'suspended') return;
  const { digest, body } = headOf(suspension, read.head.inc, { version: 1 + world.chance.below(1e6) });
  const next = { ...read.head, digest, body, decisions: [] };
  await io.engine.casPut(headKey(id), encode(next), read.revision);
}
