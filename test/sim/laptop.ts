import { connect } from '../../electron/sync/connect.js';
import { EngineAway } from '../../electron/sync/engine.js';
import { engineTime, reapShared } from '../../electron/sync/keep.js';
import { pullFrom, reconcileKeys } from '../../electron/sync/pull.js';
import { pushRound } from '../../electron/sync/push.js';
import { carryOut } from './carry-out.js';
import { ioOf, type SimIo } from './io-of.js';
import { localTasks } from './local-runs.js';
import { reviewOne } from './reviewer.js';
import { type Actor, HORIZON, newActor, TTL, type World } from './world.js';

export interface LaptopPlan {
  name: string;
  claims: boolean;
  reaps: boolean;
  localRuns: number;
}

/** A reviewer's machine: reads, decides, sends, and, where it may, claims and reaps. */
export function newLaptop(world: World, plan: LaptopPlan): Actor {
  return newActor(world, plan.name, (actor) => {
    const io = ioOf(world, actor);
    const often = (least: number, most: number, act: () => Promise<void>) => async (): Promise<void> => {
      for (;;) {
        await world.sleep(actor, least, most);
        try {
          await act();
        } catch (error) {
          if (!(error instanceof EngineAway)) throw error;
        }
      }
    };
    return [
      often(10, 400, async () => {
        const connected = await connect(io);
        if (connected.kind === 'ready') await pullFrom(io, new AbortController().signal);
      }),
      often(100, 500, async () => {
        await pushRound(io, () => true);
      }),
      often(400, 1_600, () => reviewOne(world, actor, io)),
      often(2_000, 6_000, () => reconcileKeys(io)),
      ...(plan.claims ? [often(300, 1_200, () => claimSome(world, actor, io))] : []),
      ...(plan.reaps ? [often(1_500, 4_000, () => reap(world, actor, io))] : []),
      ...localTasks(world, actor, io, plan.localRuns, often),
    ];
  });
}

/** Runs of agents may be continued here as well: both sides ask for the same latch. */
async function claimSome(world: World, actor: Actor, io: SimIo): Promise<void> {
  for (const [id, { head, problem }] of actor.disk.known) {
    const mine = actor.disk.intents.get(id)?.phase;
    const open = mine === 'intent' || mine === 'started' || mine === 'answered';
    if (problem === null && (open || (head?.state === 'decided' && mine === undefined && world.chance.is(0.6))))
      await carryOut(world, actor, io, id);
  }
}

async function reap(world: World, actor: Actor, io: SimIo): Promise<void> {
  const own = BigInt(Math.round((world.clock.now + actor.skew) * 1e6));
  const now = world.rules.ownClock ? own : await engineTime(io);
  if (now !== null) await reapShared(io, { now, ttl: BigInt(TTL) * 1_000_000n, horizon: BigInt(HORIZON) * 1_000_000n });
}
