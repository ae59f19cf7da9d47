import { z } from 'zod';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { ttlNs } from './expiry.js';
import { type SweepResult, sweep } from './gc.js';
import { HEADS, SWEEPS } from './keys.js';
import { tidiedInWords } from './tidied.js';

const LastSweep = z.strictObject({
  v: z.literal(1),
  at: z.string(),
  reaped: z.number(),
  kept: z.number(),
  /** When payloads were looked at last: that takes a look at every record, so it is done once a day. */
  payloadsAt: z.string().optional(),
});
type LastSweep = z.infer<typeof LastSweep>;

/** Node takes longer delays as "at once"; a longer wait is cut into pieces. Milliseconds. */
const LONGEST_DELAY = 2 ** 31 - 1;
const DAY_MS = 24 * 3600_000;
/** How far the wall clock may go back, or jump ahead of the monotonic clock, before a sweep is skipped (H15). */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

export interface GcReport {
  enabled: boolean;
  lastAt: string | null;
  reaped: number;
  kept: number;
  text: string;
  nextAt: string | null;
}

export interface Timers {
  set(after: number, act: () => void): unknown;
  clear(timer: unknown): void;
}

/**
 * The background sweep: waits the interval first, then sweeps (K20); a failed sweep is reported and tried again at the
 * next tick. One sweep at a time; disposed before, during or between sweeps, it stops.
 */
export class GcTimer {
  readonly #store: KvStore;
  readonly #ports: Pick<Ports, 'clock' | 'settings'>;
  readonly #timers: Timers;
  readonly #changed: () => void;
  #timer: unknown = null;
  #dueAt = 0;
  #running: Promise<void> | null = null;
  #disposed = false;
  #last: { wallMs: number; monotonicMs: number } | null = null;
  #report: GcReport = { enabled: true, lastAt: null, reaped: 0, kept: 0, text: 'No sweep yet.', nextAt: null };

  constructor(store: KvStore, ports: Pick<Ports, 'clock' | 'settings'>, timers: Timers, changed: () => void) {
    this.#store = store;
    this.#ports = ports;
    this.#timers = timers;
    this.#changed = changed;
  }

  get report(): GcReport {
    return { ...this.#report, enabled: this.#ports.settings().gc.enabled };
  }

  /** Starts, or starts anew with other settings: the interval counts from now. */
  start(): void {
    if (this.#disposed) return;
    this.#timers.clear(this.#timer);
    this.#last ??= this.#times();
    const { enabled, intervalMinutes } = this.#ports.settings().gc;
    if (!enabled || !Number.isFinite(intervalMinutes)) {
      this.#report = { ...this.#report, nextAt: null };
      return;
    }
    this.#dueAt = this.#ports.clock.monotonic() + intervalMinutes * 60_000;
    const next = this.#ports.clock.now() + BigInt(Math.round(intervalMinutes * 60_000)) * 1_000_000n;
    this.#report = { ...this.#report, nextAt: formatNs(next) };
    this.#wait();
  }

  #wait(): void {
    const left = Math.max(0, this.#dueAt - this.#ports.clock.monotonic());
    this.#timer = this.#timers.set(Math.min(left, LONGEST_DELAY), () => {
      if (this.#disposed) return;
      if (this.#ports.clock.monotonic() < this.#dueAt) this.#wait();
      else void this.sweepNow().then(() => this.start());
    });
  }

  /** One sweep; a second call meanwhile waits for the same one (sleep and wake give one sweep, not a burst). */
  sweepNow(): Promise<void> {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = null;
      this.#changed();
    });
    return this.#running;
  }

  async #sweep(): Promise<void> {
    const { clock } = this.#ports;
    const at = formatNs(clock.now());
    const wrong = await this.#clockFault();
    if (wrong !== null) {
      this.#report = { ...this.#report, lastAt: at, reaped: 0, kept: 0, text: wrong };
      return;
    }
    const ttl = () => (this.#disposed ? null : ttlNs(this.#ports.settings()));
    if (ttl() === null) {
      this.#report = {
        ...this.#report,
        lastAt: at,
        reaped: 0,
        kept: 0,
        text: 'Skipped: the ttl is off, or no time can be made of it.',
      };
      return;
    }
    try {
      const result = await sweep(this.#store, clock, { ttl, between: breathe });
      const report = { ...this.#report, lastAt: at, reaped: result.reaped, kept: result.keptCount };
      this.#report = { ...report, text: inWords(result) };
      const { text, payloadsAt } = await this.#tidy(at);
      this.#report = { ...report, text: `${inWords(result)}${text}` };
      await this.#keep(at, result, payloadsAt);
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.#report = {
        ...this.#report,
        lastAt: at,
        reaped: 0,
        kept: 0,
        text: `The sweep failed and is tried again: ${text}`,
      };
    }
  }

  /** What else has become old goes with it; that it failed says nothing about the sweep before it. */
  async #tidy(at: string): Promise<{ text: string; payloadsAt: string | undefined }> {
    const before = (await this.#kept())?.payloadsAt;
    const since = before === undefined ? DAY_MS : Date.parse(at) - Date.parse(before);
    const payloads = since >= DAY_MS || since < 0;
    try {
      const goOn = async (): Promise<boolean> => (await breathe()) && !this.#disposed;
      const tidied = await this.#store.tidy({ payloads, goOn });
      return { text: tidiedInWords(tidied), payloadsAt: payloads ? at : before };
    } catch (error) {
      const text = ` Old revisions and payloads stay for now: ${error instanceof Error ? error.message : String(error)}`;
      return { text, payloadsAt: before };
    }
  }

  /** After the machine slept: the jump is explained, so one sweep runs now and the interval starts anew. */
  async afterSleep(): Promise<void> {
    this.#last = null;
    await this.sweepNow();
    this.start();
  }

  #times(): { wallMs: number; monotonicMs: number } {
    return { wallMs: Number(this.#ports.clock.now() / 1_000_000n), monotonicMs: this.#ports.clock.monotonic() };
  }

  /** A clock that went back, or jumped ahead of the monotonic one, must not reap everything at once (H15). */
  async #clockFault(): Promise<string | null> {
    const now = this.#times();
    const before = this.#last;
    this.#last = now;
    const lastSweep = await this.#kept();
    const newest = Math.max(before?.wallMs ?? 0, lastSweep ? Date.parse(lastSweep.at) : 0);
    if (now.wallMs < newest - CLOCK_TOLERANCE_MS) return 'Skipped: the clock went back since the last sweep.';
    const drift = before ? now.wallMs - before.wallMs - (now.monotonicMs - before.monotonicMs) : 0;
    if (drift > CLOCK_TOLERANCE_MS) return 'Skipped once: the clock jumped ahead since the last sweep.';
    return null;
  }

  async #kept(): Promise<LastSweep | undefined> {
    const kept = await this.#store.get(SWEEPS, HEADS);
    return kept ? LastSweep.safeParse(JSON.parse(new TextDecoder().decode(kept.value))).data : undefined;
  }

  async #keep(at: string, result: SweepResult, payloadsAt: string | undefined): Promise<void> {
    const last: LastSweep = {
      v: 1,
      at,
      reaped: result.reaped,
      kept: result.keptCount,
      ...(payloadsAt === undefined ? {} : { payloadsAt }),
    };
    await this.#store.put(SWEEPS, HEADS, new TextEncoder().encode(JSON.stringify(last)), { payloads: [] });
  }

  dispose(): void {
    this.#disposed = true;
    this.#timers.clear(this.#timer);
  }
}

const breathe = async (): Promise<boolean> => {
  await new Promise((resolve) => setImmediate(resolve));
  return true;
};

function inWords(result: SweepResult): string {
  const kept = result.keptCount > 0 ? `, ${result.keptCount} old but kept` : '';
  const failed = result.failed === null ? '' : `; then the listing failed: ${result.failed}`;
  return `${result.reaped} removed${kept}${failed}.`;
}
