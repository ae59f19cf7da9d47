import { backoff } from './backoff.js';
import { confirmReset, connect } from './connect.js';
import { EngineAway } from './engine.js';
import type { OutboxEntry, SyncIo } from './io.js';
import { pullFrom, reconcileKeys } from './pull.js';
import { pushRound } from './push.js';

/** Milliseconds between two comparisons of all keys. */
const RECONCILE = 10 * 60_000;

export type LinkState =
  | { kind: 'away'; text: string }
  | { kind: 'connected' }
  /** The engine is another one than before; `confirm` goes on. */
  | { kind: 'halted'; text: string };

export interface LinkParts {
  io: Omit<SyncIo, 'epoch'>;
  /** Milliseconds; ends early when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** 0 to below 1. */
  chance(): number;
  /** False while a decision may still be undone here: it is not sent before. */
  isDue(entry: OutboxEntry): boolean;
  changed(): void;
  /** A fault of ours or of the disk; the link tries again all the same. */
  fault(error: unknown): void;
}

export interface Link {
  state(): LinkState;
  /** The engine's epoch, while connected. */
  epoch(): number;
  /** Something was put into the outbox, or the network came back: no pause is waited for. */
  nudge(): void;
  /** A person confirms that the engine is another one now. */
  confirm(): Promise<void>;
  /** Ends when everything under way has ended. */
  close(): Promise<void>;
}

/**
 * Keeps one store and one engine in step for as long as it is open: connect, read, send, compare; again after every fault,
 * for ever. Everything local goes on without it.
 */
export function openLink({ io: given, sleep, chance, isDue, changed, fault }: LinkParts): Link {
  const ended = new AbortController();
  let state: LinkState = { kind: 'away', text: 'not connected yet' };
  let epoch = 0;
  let wake = new AbortController();
  const io: SyncIo = { ...given, epoch: () => epoch };
  const pause = backoff(chance);

  const become = (next: LinkState): void => {
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    changed();
  };
  const rest = async (ms: number): Promise<void> => {
    if (wake.signal.aborted) wake = new AbortController();
    await sleep(ms, AbortSignal.any([ended.signal, wake.signal]));
  };

  async function once(): Promise<void> {
    const connected = await connect(io);
    if (connected.kind === 'halted') {
      become(connected);
      await rest(60_000);
      return;
    }
    epoch = connected.epoch;
    become({ kind: 'connected' });
    pause.reset();
    await inStep();
  }

  /** Reads, sends and compares side by side; the first that fails ends the others. */
  async function inStep(): Promise<void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([ended.signal, stop.signal]);
    const parts = [pullFrom(io, signal), sending(signal), comparing(signal)].map((part) =>
      part.finally(() => stop.abort()),
    );
    const results = await Promise.allSettled(parts);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async function sending(signal: AbortSignal): Promise<void> {
    const again = backoff(chance);
    while (!signal.aborted) {
      const through = await pushRound(io, isDue);
      if (through) again.reset();
      changed();
      if (wake.signal.aborted) wake = new AbortController();
      await sleep(through ? 30_000 : again.next(), AbortSignal.any([signal, wake.signal]));
    }
  }

  async function comparing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await reconcileKeys(io);
      await sleep(RECONCILE, signal);
    }
  }

  async function loop(): Promise<void> {
    while (!ended.signal.aborted) {
      try {
        await once();
      } catch (error) {
        become({ kind: 'away', text: error instanceof Error ? error.message : String(error) });
        if (!(error instanceof EngineAway)) fault(error);
      }
      if (!ended.signal.aborted && state.kind !== 'halted') await rest(pause.next());
    }
  }
  const running = loop();
  return {
    state: () => state,
    epoch: () => epoch,
    nudge: () => wake.abort(),
    confirm: async () => {
      await confirmReset(io);
      wake.abort();
    },
    close: async () => {
      ended.abort();
      await running;
    },
  };
}
