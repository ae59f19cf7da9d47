import type { CasPut, EngineLife, SharedEngine, Stored } from '../../electron/sync/engine.js';
import { EngineAway } from '../../electron/sync/engine.js';
import { readKey, TICK_KEY } from '../../electron/sync/protocol/keys.js';
import { refused } from '../../shared/refusal.js';
import type { Chance } from './chance.js';
import type { Clockwork, Owner } from './clockwork.js';

/** What is wrong with an engine that is not fit; nothing is, unless a test says so. */
export interface EngineFaults {
  /** The expected revision is looked at when the write comes in, and not when it is applied. */
  checksBeforeApply?: boolean;
  /** Acknowledged writes of this many last milliseconds are gone after an outage. */
  forgets?: number;
  /** A create only writes over a marker. */
  createsOverMarkers?: boolean;
  /** Milliseconds that a marker is kept; for good when it is not given. */
  markersKept?: number;
}

/** The engine itself: one order over all keys, and everything that was ever stored. */
export class SimEngine {
  readonly log: Stored[] = [];
  readonly waiting: (() => void)[] = [];
  down = false;
  readonly #entries = new Map<string, Stored>();
  readonly #clock: Clockwork;
  readonly #faults: EngineFaults;
  readonly #chance: Chance;

  constructor(clock: Clockwork, faults: EngineFaults, chance: Chance) {
    this.#clock = clock;
    this.#faults = faults;
    this.#chance = chance;
  }

  /** The engine's own time: it knows nothing of the machines' clocks. */
  get time(): bigint {
    return BigInt(Math.round(this.#clock.now * 1e6));
  }

  at(key: string): Stored | null {
    return this.#entries.get(key) ?? null;
  }

  keys(): { key: string; revision: number }[] {
    return [...this.#entries.values()].flatMap(({ key, revision, value }) =>
      value === null ? [] : [{ key, revision }],
    );
  }

  get last(): number {
    return this.log.at(-1)?.revision ?? 0;
  }

  write(key: string, value: Uint8Array | null, expected: number, give: (answer: CasPut) => void): void {
    const fits = (): boolean => {
      const now = this.#entries.get(key);
      if (now?.value === null && expected === 0 && this.#faults.createsOverMarkers) return true;
      return (now?.revision ?? 0) === expected;
    };
    if (!fits()) give({ kind: 'conflict' });
    else if (!this.#faults.checksBeforeApply) give(this.#store(key, value));
    else this.#clock.at(this.#clock.now + this.#chance.between(1, 120), () => give(this.#store(key, value)));
  }

  #store(key: string, value: Uint8Array | null): CasPut {
    const stored: Stored = { key, revision: this.last + 1, value, at: this.time };
    this.log.push(stored);
    this.#entries.set(key, stored);
    const kept = this.#faults.markersKept;
    if (value === null && kept !== undefined)
      this.#clock.at(this.#clock.now + kept, () => {
        if (this.#entries.get(key) === stored) this.#entries.delete(key);
      });
    for (const wake of this.waiting.splice(0)) wake();
    return { kind: 'stored', revision: stored.revision };
  }

  /** Ends an outage; an unfit engine lost what it had acknowledged last. */
  recover(): void {
    this.down = false;
    const { forgets } = this.#faults;
    if (forgets === undefined) return;
    const from = this.time - BigInt(forgets * 1e6);
    let lost = 0;
    while ((this.log.at(-1)?.at ?? -1n) > from && lost++ < 200) this.log.pop();
    this.#entries.clear();
    for (const stored of this.log) this.#entries.set(stored.key, stored);
  }
}

/** How bad the way to the engine is in one schedule. Chances from 0 to 1, times in milliseconds. */
export interface Weather {
  loss: number;
  twice: number;
  longest: number;
  stale: number;
  unseen: number;
  timeout: number;
}

/** One process's way to the engine: messages are lost, late, doubled, and kept while it is cut off. */
export function clientOf(
  owner: Owner & { cutUntil: number },
  engine: SimEngine,
  clock: Clockwork,
  chance: Chance,
  weather: () => Weather,
): SharedEngine {
  const later = (act: () => void): void => clock.at(clock.now + chance.between(1, weather().longest), act);
  const cut = (): boolean => owner.cutUntil > clock.now;

  function ask<T>(read: () => T): Promise<T> {
    return clock.wait<T>(owner, (give, fail) => {
      const { loss, timeout } = weather();
      clock.at(clock.now + timeout, () => fail(new EngineAway('no answer')));
      if (cut() || chance.is(loss)) return;
      later(() => {
        if (engine.down || chance.is(loss)) return;
        const answer = read();
        later(() => give(answer));
      });
    });
  }

  function casPut(key: string, value: Uint8Array | null, expected: number): Promise<CasPut> {
    return clock.wait<CasPut>(owner, (give) => {
      const { loss, twice, timeout } = weather();
      // What one reviewer has no right to, whatever it says, is refused for good.
      if (readKey(key).kind === 'decision' && key.endsWith('-no-right')) {
        later(() => give({ kind: 'refused', refusal: refused('not_allowed', 'no right').refusal }));
        return;
      }
      clock.at(clock.now + timeout, () => give({ kind: 'ambiguous', text: 'no answer' }));
      const deliver = (): void => {
        if (!engine.down)
          engine.write(key, value, expected, (answer) => {
            if (!chance.is(weather().loss)) later(() => give(answer));
          });
      };
      if (chance.is(loss)) return;
      // Cut off: it lies in a buffer, and may land long after its sender gave up.
      if (cut()) {
        if (chance.is(0.5)) clock.at(owner.cutUntil + chance.between(1, 400), deliver);
        return;
      }
      later(deliver);
      // The second of two may come when everything else is over long since.
      const late = chance.is(0.3) ? 20_000 : 4 * weather().longest;
      if (chance.is(twice)) clock.at(clock.now + chance.between(1, late), deliver);
    });
  }

  return {
    casPut,
    get: (key) =>
      ask(() => {
        if (!chance.is(weather().stale) || key === TICK_KEY) return engine.at(key);
        const before = engine.time - BigInt(Math.round(chance.between(1, 2000) * 1e6));
        return engine.log.findLast((one) => one.key === key && one.at <= before) ?? null;
      }),
    async *watch(after, signal) {
      let from = after;
      while (!signal.aborted) {
        if (engine.last <= from)
          await clock.wait<void>(owner, (give) => {
            engine.waiting.push(() => later(() => give()));
          });
        const batch = await ask(() => engine.log.filter((one) => one.revision > from));
        from = Math.max(from, batch.at(-1)?.revision ?? from);
        for (const [n, stored] of batch.entries()) {
          if (n === batch.length - 1 || !chance.is(weather().unseen)) yield stored;
          const again = chance.is(weather().twice / 4) ? engine.log[chance.below(engine.log.length)] : undefined;
          if (again) yield again;
        }
      }
    },
    async *keys() {
      yield* await ask(() => engine.keys());
    },
    blobs: { put: async () => undefined, get: async () => null },
    life: () => ask((): EngineLife => ({ created: 'first', last: engine.last })),
  };
}
