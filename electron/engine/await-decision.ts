import type { SuspensionKey } from '../../shared/decision.js';
import { type Outcome, type Refusal, type RefusalCode, refused } from '../../shared/refusal.js';
import { type HandOver, handOver } from '../checkpoints/handover.js';
import { DECISIONS, HEADS, suspensionText } from '../checkpoints/keys.js';
import { readDecisionMeta } from '../checkpoints/meta.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';

/** What passes by itself: a person decides, the undo window ends, an objection is settled. */
const PASSING: readonly RefusalCode[] = ['not_decided', 'undo_window', 'held', 'second_signature'];
/** Longest pause between two looks, whether or not anything was heard of. Milliseconds. */
const LOOK_AGAIN = 1000;
/** A run can also expire without a write; so often the record is read all the same. Milliseconds. */
const LOOK_ANYWAY = 30_000;

export interface AwaitOptions {
  token: string;
  /** Milliseconds; without one it waits for ever. 0 looks once. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Why the settings cannot be relied on, or null: then the reviewer's own rules (two persons, classes) are not known. */
export type Unsure = () => string | null;

/**
 * Waits until a run is decided and its undo window is over, then claims it for the token (H13). The same token gets the
 * same answer again, another one `already_claimed`. Nothing is claimed while settings cannot be read. Refused with `not_decided` when the time is up; nothing changed then.
 */
export async function awaitDecision(
  store: KvStore,
  ports: Ports,
  key: SuspensionKey,
  options: AwaitOptions,
  unsure: Unsure,
): Promise<Outcome<HandOver>> {
  const bell = new Bell();
  const stops = [HEADS, DECISIONS].map((bucket) => store.watch(bucket, () => bell.ring()));
  const ring = () => bell.ring();
  options.signal?.addEventListener('abort', ring);
  const start = ports.clock.monotonic();
  const left = (): number =>
    options.timeoutMs === undefined ? Number.POSITIVE_INFINITY : options.timeoutMs - (ports.clock.monotonic() - start);
  try {
    for (let seen: Seen | null = null; ; ) {
      if (options.signal?.aborted) return timeUp(seen?.refusal ?? null, options);
      // Read before the look, so that a change in between is seen by the next comparison.
      const state = await stateOf(store, key);
      const now = ports.clock.monotonic();
      if (seen === null || state.moves || state.text !== seen.text || now - seen.at > LOOK_ANYWAY) {
        const why = unsure();
        if (why !== null) return refused('not_allowed', `${why} Nothing is claimed until they can be read.`);
        const answer = await handOver(store, ports, key, options.token);
        if (answer.ok || !PASSING.includes(answer.refusal.code)) return answer;
        seen = { text: state.text, at: now, refusal: answer.refusal };
      }
      if (left() <= 0) return timeUp(seen.refusal, options);
      await bell.wait(Math.min(LOOK_AGAIN, Math.max(1, left())));
    }
  } finally {
    options.signal?.removeEventListener('abort', ring);
    for (const stop of stops) stop();
  }
}

interface Seen {
  text: string;
  at: number;
  refusal: Refusal;
}

/**
 * The revisions that the answer depends on: while they stand, the record need not be read again. `moves`: with a
 * decision the clock counts too, since its undo window ends without a write.
 */
async function stateOf(store: KvStore, key: SuspensionKey): Promise<{ text: string; moves: boolean }> {
  const name = suspensionText(key);
  const [head, decision] = await Promise.all([store.head(HEADS, name), store.head(DECISIONS, name)]);
  const said = decision ? readDecisionMeta(decision.meta) : null;
  const moves = decision !== null && !(said?.withdrawn || said?.held);
  return { text: `${head?.revision ?? 0}:${decision?.revision ?? 0}`, moves };
}

function timeUp(last: Refusal | null, options: AwaitOptions): Outcome<never> {
  const why = last && last.code !== 'not_decided' ? ` ${last.text}` : '';
  const text = options.signal?.aborted
    ? 'Waiting was given up; nothing was claimed.'
    : 'Nobody has decided this run in the given time; nothing was claimed.';
  return refused('not_decided', `${text}${why} Ask again with the same token.`, {
    waitsFor: last?.code ?? 'not_decided',
  });
}

/** Wakes one waiter early. A ring while nobody waits is kept for the next wait. */
class Bell {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = null;
    this.#rung = false;
  }
}
