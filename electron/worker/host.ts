import { Worker } from 'node:worker_threads';
import { type ApproveChannel, EVENT_CHANNELS, type InvokeChannel } from '../../shared/channels.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { killChildren } from '../agent/child-life.js';
import type { Reply } from '../answering.js';
import { crashBudget } from '../shell/crash-budget.js';
import type { Holdpoint, Shell } from '../shell/holdpoint.js';
import type { MainActs, WorkerActs } from './acts.js';
import { WORKER_LIMITS } from './limits.js';
import { type Link, makeLink, ThreadGone } from './link.js';

export interface WorkerPlan {
  /** The built worker, an absolute path. */
  file: string;
  argv: readonly string[];
  shell: Shell;
  /** It ended, and is not started again: so must the application. The text says why. */
  gone(text: string): void;
}

/** How long a worker may take to close. */
const CLOSING_MS = 4000;

const afterMs = (time: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, time).unref();
  });

/** Requests that change nothing: when the worker ends under one, it failed, and that is all. */
const READING: readonly (InvokeChannel | ApproveChannel)[] = [
  'approve:view',
  'app:info',
  'app:health',
  'app:wanted',
  'app:attention',
  'app:diagnose',
  'queue:show',
  'queue:state',
  'queue:rows',
  'queue:fold',
  'queue:where',
  'queue:next',
  'queue:marks',
  'bulk:read',
  'run:successor',
  'run:open',
  'run:argument',
  'run:message',
  'run:result',
  'run:raw',
  'run:file',
  'edit:check',
  'answer:pick',
  'answer:bytes',
  'history:list',
  'rules:list',
  'insight:read',
  'folder:choose',
  'backup:preview',
  'keep:state',
  'settings:get',
  'server:tools',
  'team:test',
  'tools:counts',
  'key:status',
  'key:save',
  'decision:save',
  'server:test',
  'model:test',
];

/**
 * Starts Holdpoint in its own thread. A worker that ends by itself is, to the store, a process that was killed: what it
 * had acknowledged holds, what was asked of it meanwhile is answered `in_doubt`, never asked again, and a new one is
 * started, three times a minute at most. Refused when Holdpoint must not start.
 */
export async function startWorker(plan: WorkerPlan): Promise<Outcome<Holdpoint>> {
  const { shell } = plan;
  const mayRestart = crashBudget();
  const children = new Set<number>();
  let instead: string | null = null;
  let closing = false;
  /** Workers that were ended so that another one takes their place. */
  const replaced = new WeakSet<Worker>();
  /** The worker that is to be asked; while one is being started, what is asked waits. */
  let current: Promise<{ worker: Worker; link: Link<WorkerActs> } | null>;

  const killThem = (): void => {
    killChildren(children);
    children.clear();
  };
  const acts: MainActs = {
    broadcast: shell.broadcast,
    log: shell.log,
    owns: (id) => {
      instead = id;
    },
    child: (pid, lives) => {
      if (lives) children.add(pid);
      else children.delete(pid);
    },
    about: shell.system.about,
    chooseFiles: shell.system.chooseFiles,
    relaunch,
    choosePlace: shell.system.choosePlace,
    scale: shell.system.scale,
    takeWanted: shell.system.takeWanted,
    attentionProblems: shell.system.attentionProblems,
    openLink: shell.system.openLink,
    ask: shell.system.ask,
    ...shell.system.keys,
    ...shell.system.settings,
  };

  async function launch(): Promise<Outcome<{ worker: Worker; link: Link<WorkerActs> }>> {
    const worker = new Worker(plan.file, { name: 'holdpoint', resourceLimits: WORKER_LIMITS });
    const link = makeLink<WorkerActs>(worker, acts);
    let why = 'it ended by itself';
    worker.on('error', (error) => {
      why = error instanceof Error ? error.message : String(error);
    });
    worker.once('exit', () => {
      link.end(why);
      killThem();
    });
    const started = await link.ask('start', [{ argv: plan.argv, instead }]);
    if (!started.ok) {
      await worker.terminate();
      return started;
    }
    worker.once('exit', () => {
      if (!closing && !replaced.has(worker)) restart(why);
    });
    return accepted({ worker, link });
  }

  /** What is asked meanwhile waits for the new one. */
  function relaunch(): void {
    const before = current;
    startAgain(async () => {
      const running = await before;
      if (running) {
        replaced.add(running.worker);
        await running.link.ask('close', []);
        await running.worker.terminate();
      }
      return launch();
    });
  }

  function restart(why: string): void {
    if (!mayRestart(performance.now())) {
      current = Promise.resolve(null);
      plan.gone(`Its working thread ended again and again: ${why}`);
      return;
    }
    shell.log(`the working thread ended (${why}); starting it again`);
    startAgain(launch);
  }

  function startAgain(start: typeof launch): void {
    current = start().then(
      (again) => {
        if (again.ok) for (const channel of EVENT_CHANNELS) shell.broadcast(channel);
        else plan.gone(again.refusal.text);
        return again.ok ? again.value : null;
      },
      (cause: unknown) => {
        plan.gone(`Its working thread could not be started again: ${String(cause)}`);
        return null;
      },
    );
  }

  async function answer(channel: InvokeChannel | ApproveChannel, raw: readonly unknown[]): Promise<Reply> {
    const running = await current;
    try {
      if (!running) throw new ThreadGone('it is not running');
      return await running.link.ask('answer', [channel, raw], wholeBuffers(raw));
    } catch (cause) {
      if (!(cause instanceof ThreadGone)) throw cause;
      const reading = running === null || READING.includes(channel);
      return reading
        ? refused('fault', `Something failed inside Holdpoint (${channel}): ${cause.message}`, { channel })
        : refused('in_doubt', `Holdpoint cannot say whether this was done: ${cause.message}. Look again first.`, {
            channel,
          });
    }
  }

  async function askRunning<N extends 'attention' | 'news'>(name: N): Promise<Awaited<ReturnType<WorkerActs[N]>>> {
    const running = await current;
    if (!running) throw new ThreadGone('it is not running');
    return running.link.ask(name, [] as never);
  }

  const first = await launch();
  if (!first.ok) return first;
  current = Promise.resolve(first.value);
  process.once('exit', killThem);
  return accepted({
    answer,
    openFiles: (paths) => void current.then((running) => running?.link.tell('openFiles', [paths])),
    attention: () => askRunning('attention'),
    news: () => askRunning('news'),
    woke: () => void current.then((running) => running?.link.tell('woke', [])),
    close: async () => {
      closing = true;
      const running = await current;
      // One that is at something long is ended in its middle: to the store that is a process that was killed.
      await Promise.race([running?.link.ask('close', []).catch(() => undefined), afterMs(CLOSING_MS)]);
      await running?.worker.terminate();
    },
  });
}

/** Buffers that nobody here needs any more go over whole; large ones would hold the main process up while copied. */
function wholeBuffers(raw: readonly unknown[]): ArrayBuffer[] {
  return raw.flatMap((value) =>
    value instanceof Uint8Array && value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength
      ? [value.buffer]
      : [],
  );
}
