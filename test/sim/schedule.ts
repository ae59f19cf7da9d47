import { newAgent } from './agent.js';
import { check, type Violation } from './check.js';
import { newLaptop } from './laptop.js';
import { AS_IT_IS, type Rules } from './rules.js';
import { END, makeTrouble, newWorld, TROUBLE, type World } from './world.js';

export interface Result {
  violations: Violation[];
  figures: {
    events: number;
    decisions: number;
    effects: number;
    crashes: number;
    cuts: number;
    outages: number;
    fates: Map<string, number>;
  };
}

/** One schedule: three laptops, two agents, trouble, and then peace until everything has come to its end. */
export async function runSchedule(seed: number, rules: Rules = AS_IT_IS): Promise<Result> {
  const world = newWorld(seed, rules);
  for (const [n, name] of ['ann', 'bob', 'cyd'].entries())
    newLaptop(world, { name, claims: n < 2, reaps: n < 2, localRuns: n === 2 ? 0 : 1 });
  newAgent(world, 'agent-1', 2);
  newAgent(world, 'agent-2', 2);
  makeTrouble(world);
  await world.clock.run(isDone(world));
  const fates = new Map<string, number>();
  for (const { disk } of world.actors)
    for (const { fate } of disk.outbox.values()) fates.set(fate.kind, (fates.get(fate.kind) ?? 0) + 1);
  return {
    violations: check(world),
    figures: {
      events: world.clock.events,
      decisions: world.truth.acknowledged.size,
      effects: world.truth.effects.length,
      ...world.figures,
      fates,
    },
  };
}

/** Looked at twice a second, once the trouble is over. */
export function isDone(world: World): () => boolean {
  let looked = 0;
  return () => {
    if (world.clock.now < TROUBLE + 2_000 || world.clock.now - looked < 500) return world.clock.now > END;
    looked = world.clock.now;
    return world.clock.now > END || isQuiet(world);
  };
}

const OPEN = ['queued', 'sending', 'conflict', 'blocked'];

/** Everything that can still come to an end has: every run is over for its agent, every decision has its fate. */
function isQuiet(world: World): boolean {
  const told = world.actors.every(({ disk }) =>
    [...disk.outbox.values()].every(
      ({ fate, phase }) =>
        (phase === 'sent' || fate.kind === 'cannot_send') &&
        !OPEN.includes(fate.kind) &&
        !(fate.kind === 'applied' && !(fate.claim?.done ?? false)),
    ),
  );
  const over = world.actors.every(
    ({ disk }) =>
      [...disk.own.values()].every((run) => run.over) &&
      [...disk.intents.values()].every(({ phase }) => phase === 'lost' || phase === 'closed' || phase === 'intent') &&
      [...disk.known.values()].every(({ head }) => head === null || head.state === 'done' || head.state === 'expired'),
  );
  return told && over;
}
