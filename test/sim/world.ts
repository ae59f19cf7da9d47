import type { Decision } from '../../shared/decision.js';
import { type Chance, chanceOf } from './chance.js';
import { Clockwork, type Owner } from './clockwork.js';
import { type Disk, newDisk } from './durable.js';
import type { Rules } from './rules.js';
import { SimEngine, type Weather } from './sim-engine.js';

/** A call that ran in the world outside: what nobody can take back. */
export interface Effect {
  id: string;
  digest: string;
  decisionId: string;
  by: string;
}

/** What a person or an agent meant, whatever became of it: the truth that fates are checked against. */
export interface Truth {
  /** Said to be durable on screen. */
  acknowledged: Map<string, { laptop: string; decisionId: string }>;
  decisions: Map<string, Decision>;
  effects: Effect[];
  /** Ids of runs whose calls may not run twice. */
  onceOnly: Set<string>;
  /** A note of what is known that went back to an older one. */
  wentBack: string[];
}

export interface Actor extends Owner {
  cutUntil: number;
  disk: Disk;
  /** Milliseconds by which its own clock is wrong. */
  skew: number;
  start(): void;
}

export interface World {
  clock: Clockwork;
  chance: Chance;
  engine: SimEngine;
  rules: Rules;
  truth: Truth;
  actors: Actor[];
  figures: { crashes: number; cuts: number; outages: number };
  weather(): Weather;
  /** Nothing goes wrong any more; what is left is brought to its end. */
  healed: boolean;
  sleep(owner: Owner, least: number, most: number): Promise<void>;
  /** A moment at which a process may end. */
  mayCrash(actor: Actor, probability: number): Promise<void>;
}

/** Milliseconds of the engine's time until a run that nobody decides ends, and until one that ended is removed. */
export const TTL = 5_000;
export const HORIZON = 3_000;
/** Milliseconds: trouble until here, then an end in peace. */
export const TROUBLE = 12_000;
export const END = 60_000;

const CALM: Weather = { loss: 0, twice: 0, longest: 40, stale: 0, unseen: 0, timeout: 2_000 };

export function newWorld(seed: number, rules: Rules): World {
  const clock = new Clockwork();
  const chance = chanceOf(seed);
  const bad: Weather = {
    loss: chance.between(0, 0.2),
    twice: chance.between(0, 0.3),
    longest: chance.between(20, 600),
    stale: chance.between(0, 0.5),
    unseen: chance.between(0, 0.1),
    timeout: 800,
  };
  const engine = new SimEngine(clock, rules.engine, chance);
  const world: World = {
    clock,
    chance,
    engine,
    rules,
    truth: { acknowledged: new Map(), decisions: new Map(), effects: [], onceOnly: new Set(), wentBack: [] },
    actors: [],
    figures: { crashes: 0, cuts: 0, outages: 0 },
    weather: () => (world.healed ? CALM : bad),
    healed: false,
    sleep: (owner, least, most) =>
      clock.wait<void>(owner, (give) => clock.at(clock.now + chance.between(least, most), () => give())),
    mayCrash: async (actor, probability) => {
      if (world.healed || !chance.is(probability)) return;
      const { life } = actor;
      await clock.wait<void>(actor, () =>
        clock.at(clock.now, () => {
          if (actor.life === life) crash(world, actor);
        }),
      );
    },
  };
  return world;
}

function crash(world: World, actor: Actor): void {
  actor.life++;
  world.figures.crashes++;
  if (world.rules.forgetsIntents) actor.disk.intents.clear();
  const { life } = actor;
  // A process that ends again before it came back is started once.
  world.clock.at(world.clock.now + world.chance.between(50, 1_500), () => {
    if (actor.life === life) actor.start();
  });
}

export function newActor(world: World, name: string, tasks: (actor: Actor) => (() => Promise<void>)[]): Actor {
  const { clock, chance } = world;
  const actor: Actor = {
    name,
    life: 0,
    cutUntil: 0,
    disk: newDisk(),
    skew: chance.between(-86_400_000, 86_400_000),
    start: () => {
      const times = world.rules.twoInstances ? 2 : 1;
      for (let n = 0; n < times; n++) for (const task of tasks(actor)) clock.spawn(task);
    },
  };
  world.actors.push(actor);
  clock.at(chance.between(0, 200), () => actor.start());
  return actor;
}

/** Cuts, outages and crashes at moments of their own; all of it ends at the end of the trouble. */
export function makeTrouble(world: World): void {
  const { clock, chance, engine } = world;
  const next = (): void => {
    if (clock.now >= TROUBLE) return;
    const actor = world.actors[chance.below(world.actors.length)];
    const kind = chance.below(10);
    if (actor && kind < 5) {
      actor.cutUntil = Math.min(TROUBLE, clock.now + chance.between(200, chance.is(0.2) ? 9_000 : 3_000));
      world.figures.cuts++;
    } else if (actor && kind < 9) crash(world, actor);
    else {
      engine.down = true;
      world.figures.outages++;
      clock.at(Math.min(TROUBLE, clock.now + chance.between(100, 2_000)), () => engine.recover());
    }
    clock.at(clock.now + chance.between(300, 3_000), next);
  };
  clock.at(chance.between(200, 2_000), next);
  clock.at(TROUBLE + 1, () => {
    world.healed = true;
    engine.recover();
  });
}
