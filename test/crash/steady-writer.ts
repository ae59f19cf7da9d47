import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Ack, SteadyPlan } from './acks.js';
import type { Promised } from './promised.js';
import { noPromises, note } from './promised.js';

/** A steady-worker.ts at work. */
export interface SteadyWriter {
  pid: number;
  /** Gives it a plan; resolves when its store is open. What it is told from then on is noted. */
  begin(plan: SteadyPlan, promised: Promised): Promise<void>;
  /** Lets it go on until it says this; resolves then, or when it has ended. */
  goUntil(what: Ack['t']): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it in good order. */
  stop(): Promise<void>;
  /** Null while it runs. */
  end(): { code: number | null; signal: NodeJS.Signals | null } | null;
  ended: Promise<void>;
}

/** Starts a writer, through another program where one is named (a limit, another user). */
export function startSteady(worker: string, through: readonly string[] = []): SteadyWriter {
  const [command = process.execPath, ...args] = [...through, process.execPath, worker];
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const { stdin, stdout, pid } = child;
  if (stdin === null || stdout === null || pid === undefined) throw new Error(`${command} could not be started`);
  let told = noPromises();
  let end: ReturnType<SteadyWriter['end']> = null;
  let waiting: { what: Ack['t']; wake: () => void } | null = null;
  createInterface({ input: stdout }).on('line', (line) => {
    // The last line may be cut by a kill.
    if (!line.endsWith('}')) return;
    const ack: Ack = JSON.parse(line);
    note(told, ack);
    if (ack.t === waiting?.what) waiting.wake();
  });
  stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      end = { code, signal };
      waiting?.wake();
      resolve();
    });
  });
  const sayAndWait = (line: string, what: Ack['t']): Promise<void> => {
    if (end !== null) return Promise.resolve();
    return new Promise((resolve) => {
      waiting = { what, wake: resolve };
      stdin.write(`${line}\n`);
    });
  };
  return {
    pid,
    begin(plan, promised) {
      told = promised;
      return sayAndWait(JSON.stringify(plan), 'ready');
    },
    goUntil: (what) => sayAndWait('go', what),
    kill: (signal) => child.kill(signal),
    async stop() {
      stdin.end();
      await ended;
    },
    end: () => end,
    ended,
  };
}
