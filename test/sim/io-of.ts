import { textDigest } from '../../electron/formats/text-digest.js';
import type { SharedEngine } from '../../electron/sync/engine.js';
import type { SyncIo } from '../../electron/sync/io.js';
import { accepted } from '../../shared/refusal.js';
import { filesOn, type SimFiles } from './disk.js';
import { clientOf } from './sim-engine.js';
import type { Actor, World } from './world.js';

export type SimIo = SyncIo & {
  files: SimFiles;
  /** Runs that this life of the process is going on with. */
  busy: Set<string>;
};

/** What one life of a process carries the protocol out with. */
export function ioOf(world: World, actor: Actor): SimIo {
  const { clock, chance, rules } = world;
  let tokens = 0;
  const life = actor.life;
  const engine = clientOf(actor, world.engine, clock, chance, world.weather);
  return {
    engine: rules.unanswered || rules.blindWrites ? unruly(world, engine) : engine,
    files: filesOn(actor.disk, actor, world),
    plans: rules.plans,
    verify: (decision) => accepted(decision),
    me: actor.name,
    now: () => `${Math.round(clock.now)}`,
    newToken: () => `${actor.name}-life-${life}-token-${tokens++}-${chance.below(1e9)}`,
    epoch: () => 0,
    busy: new Set(),
    apply: async () => undefined,
    bodyDigest: async ({ body }) => (body.at === 'inline' ? textDigest(body.text) : null),
    at: () => world.mayCrash(actor, 0.01),
  };
}

/** A caller that writes without looking, or that is told which claims got no answer. */
function unruly({ rules, engine }: World, client: SharedEngine): SharedEngine {
  return {
    ...client,
    casPut: async (key, value, expected) => {
      const over = rules.blindWrites ? (engine.at(key)?.revision ?? 0) : expected;
      const put = await client.casPut(key, value, over);
      const [, token] = /"token":"([^"]+)"/.exec(new TextDecoder().decode(value ?? undefined)) ?? [];
      if (put.kind === 'ambiguous' && token !== undefined) rules.unanswered?.(token);
      return put;
    },
  };
}
