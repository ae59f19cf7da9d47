import type { SuspensionKey } from '../../shared/decision.js';
import type { Outcome, Refusal, RefusalCode } from '../../shared/refusal.js';
import { parseTime } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import type { Timers } from './gc-timer.js';
import { readHeadMeta } from './head.js';
import { markInterrupted } from './journal.js';
import { DECISIONS, HEADS, JOURNALS, parseSuspension, suspensionText } from './keys.js';
import { readDecisionMeta } from './meta.js';
import { resumeHere } from './resume.js';
import { itemId } from './rows.js';

/** Refusals before the latch that pass by themselves; everything else waits for a person. */
const PASSING: readonly RefusalCode[] = ['model_unreachable', 'tool_server_unreachable', 'store_full', 'undo_window'];
/** Pause before the next try, doubled up to the longest. Milliseconds. */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 5 * 60_000;

interface Waiting {
  code: string;
  text: string;
  since: string;
  pause: number;
  timer: unknown;
}

/**
 * Moves decided runs on, in the one process that dispatches here (H11): after the undo window, and again while a server
 * or the model cannot be reached. It holds no truth: after a crash everything is found again from the files.
 */
export class Runner {
  readonly #store: KvStore;
  readonly #ports: Ports;
  readonly #timers: Timers;
  readonly #changed: () => void;
  readonly #running = new Map<string, AbortController>();
  readonly #waiting = new Map<string, Waiting>();
  readonly #ending = new AbortController();
  #disposed = false;

  constructor(store: KvStore, ports: Ports, timers: Timers, changed: () => void) {
    this.#store = store;
    this.#ports = ports;
    this.#timers = timers;
    this.#changed = changed;
  }

  /** True while any run is being continued here. */
  get isBusy(): boolean {
    return this.#running.size > 0;
  }

  isRunning(key: SuspensionKey): boolean {
    return this.#running.has(suspensionText(key));
  }

  waitingOf(item: string): { code: string; text: string; since: string } | null {
    const found = [...this.#waiting].find(([name]) => itemId(name) === item)?.[1];
    return found && found.code !== 'undo_window' ? { code: found.code, text: found.text, since: found.since } : null;
  }

  /** Finds decided, unclaimed runs of earlier sessions and lets them go on; claimed ones wait for a person (I8). */
  async recover(): Promise<void> {
    for (let cursor: string | null = null; ; ) {
      const page = await this.#store.keysPage(DECISIONS, cursor, 256);
      for (const head of page.heads) {
        const key = parseSuspension(head.key);
        const meta = readDecisionMeta(head.meta);
        if (!key || !meta || meta.withdrawn || meta.closed) continue;
        const at = await this.#store.head(HEADS, head.key);
        const latch = at ? readHeadMeta(at.meta) : null;
        const journal = await this.#store.head(JOURNALS, head.key);
        if (at?.deleted || latch?.l || journal || latch?.r !== 'here') continue;
        this.schedule(key, meta.nb);
      }
      if (page.next === null) return;
      cursor = page.next;
    }
  }

  /** A run was decided: one that continues here is scheduled, one that is handed over waits for its agent. */
  async decided(key: SuspensionKey, notBefore: string): Promise<void> {
    const head = await this.#store.head(HEADS, suspensionText(key));
    if (head && readHeadMeta(head.meta)?.r === 'here') this.schedule(key, notBefore);
  }

  /** Continues a decided run once its undo window is over. `notBefore` is RFC 3339. */
  schedule(key: SuspensionKey, notBefore: string): void {
    const until = parseTime(notBefore);
    const left = until.ok ? Number((until.ns - this.#ports.clock.now()) / 1_000_000n) + 1 : 0;
    this.#wait(key, { code: 'undo_window', text: 'The undo window is open.' }, Math.max(0, left), FIRST_PAUSE);
  }

  /** Something changed that may have held runs back: try all waiting ones now. */
  nudge(): void {
    for (const [name, waiting] of [...this.#waiting]) {
      const key = parseSuspension(name);
      if (key && waiting.code !== 'undo_window') this.#wait(key, waiting, 0, FIRST_PAUSE);
    }
  }

  /** Forgets a run that was taken back. */
  forget(key: SuspensionKey): void {
    const name = suspensionText(key);
    this.#timers.clear(this.#waiting.get(name)?.timer);
    this.#waiting.delete(name);
  }

  /** Continues now and answers when the run has suspended, ended or been refused. One at a time for each suspension. */
  async continueNow(key: SuspensionKey): Promise<Outcome<null>> {
    const name = suspensionText(key);
    if (this.#running.has(name))
      return {
        ok: false,
        refusal: { code: 'already_claimed', text: 'This run is being continued already.', facts: {} },
      };
    const controller = new AbortController();
    this.#running.set(name, controller);
    this.#changed();
    try {
      const done = await resumeHere(this.#store, this.#ports, key, {
        token: this.#ports.ids.ulid(),
        stop: controller.signal,
        signal: this.#ending.signal,
      });
      if (done.ok) this.forget(key);
      return done;
    } catch (error) {
      // What a call gave could not be saved: whether it ran is not known from the files, so only a person can say.
      await markInterrupted(this.#store, key, 'not_saved').catch(() => 0);
      throw error;
    } finally {
      this.#running.delete(name);
      this.#changed();
    }
  }

  /** A call that was started here and that nobody is at any more is unknown, and can be settled (I8). */
  async noteInterrupted(key: SuspensionKey): Promise<void> {
    if (this.#running.has(suspensionText(key))) return;
    const head = await this.#store.head(HEADS, suspensionText(key));
    if (head && readHeadMeta(head.meta)?.l?.k === 'here') await markInterrupted(this.#store, key, 'not_saved');
  }

  /** Stops before the next call; one that is on its way is waited for. False when nothing runs here. */
  stop(key: SuspensionKey): boolean {
    const controller = this.#running.get(suspensionText(key));
    controller?.abort();
    return controller !== undefined;
  }

  #wait(key: SuspensionKey, why: Pick<Refusal, 'code' | 'text'> | Waiting, after: number, pause: number): void {
    if (this.#disposed) return;
    const name = suspensionText(key);
    const before = this.#waiting.get(name);
    this.#timers.clear(before?.timer);
    const since =
      before?.code === why.code ? before.since : new Date(Number(this.#ports.clock.now() / 1_000_000n)).toISOString();
    const timer = this.#timers.set(Math.min(after, 2 ** 31 - 1), () => void this.#try(key, pause));
    this.#waiting.set(name, { code: why.code, text: why.text, since, pause, timer });
  }

  async #try(key: SuspensionKey, pause: number): Promise<void> {
    if (this.#disposed) return;
    let ended: Outcome<null>;
    try {
      ended = await this.continueNow(key);
    } catch (error) {
      // A fault of the disk or of ours: shown with its age, and not tried again by itself.
      const text = error instanceof Error ? error.message : String(error);
      ended = { ok: false, refusal: { code: 'fault', text, facts: {} } };
    }
    if (ended.ok) return;
    const { refusal } = ended;
    if (['not_decided', 'already_claimed', 'withdrawn', 'superseded', 'tombstone', 'not_found'].includes(refusal.code))
      this.forget(key);
    else if (PASSING.includes(refusal.code)) this.#wait(key, refusal, pause, Math.min(pause * 2, LONGEST_PAUSE));
    else this.#hold(key, refusal);
    this.#changed();
  }

  /** Kept with its reason until a person, or a change of settings, moves it. */
  #hold(key: SuspensionKey, refusal: Refusal): void {
    this.#wait(key, refusal, 2 ** 31 - 1, FIRST_PAUSE);
  }

  /** Cancels what can be cancelled and starts nothing more; what is claimed stays in the files. */
  dispose(): void {
    this.#disposed = true;
    for (const waiting of this.#waiting.values()) this.#timers.clear(waiting.timer);
    this.#ending.abort();
  }
}
