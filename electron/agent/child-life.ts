import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** Processes started here that have not ended yet, by process id. */
const living = new Set<number>();
let watching = false;
let note: (pid: number, lives: boolean) => void = () => undefined;

/**
 * Signals a child and whatever it started. On POSIX the child leads a process group of its own; on Windows the tree
 * is ended by the system's own tool, whatever the signal. False when nobody was there any more.
 */
function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  if (process.platform === 'win32') {
    const tool = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawn(tool, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => false);
    return true;
  }
  try {
    return process.kill(-pid, signal);
  } catch {
    // No such group: it has ended on its own.
    return false;
  }
}

/** Ends every living child at once. Runs when this process exits, so that no child outlives it. */
export function killLiving(): void {
  killChildren(living);
  living.clear();
}

/** Ends children, and whatever they started, at once. */
export function killChildren(pids: Iterable<number>): void {
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
}

/** Tells of every child from now on: a thread that ends by force cannot end its own. */
export function noteChildren(listener: (pid: number, lives: boolean) => void): void {
  note = listener;
}

/** Keeps a child on the list of those that must not outlive this process, until it has exited. */
export function guardChild(child: ChildProcess): void {
  const pid = child.pid;
  if (pid === undefined) return;
  if (!watching) {
    watching = true;
    process.once('exit', killLiving);
  }
  living.add(pid);
  note(pid, true);
  child.once('exit', () => {
    living.delete(pid);
    note(pid, false);
    // What the child itself started and left behind goes with it.
    signalGroup(pid, 'SIGKILL');
  });
}

const exited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

function waitForExit(child: ChildProcess, milliseconds: number): Promise<boolean> {
  if (exited(child)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onExit = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    const timer = setTimeout(() => {
      child.removeListener('exit', onExit);
      resolve(false);
    }, milliseconds);
    child.once('exit', onExit);
  });
}

export interface EndTimes {
  /** Milliseconds a child has to leave by itself once its input has ended. */
  polite: number;
  /** Milliseconds between SIGTERM and SIGKILL. */
  term: number;
}

/** Ends a child: closes its input, then SIGTERM, then SIGKILL. Resolves when it is gone. */
export async function endChild(child: ChildProcess, times: EndTimes): Promise<void> {
  const pid = child.pid;
  if (pid === undefined) return;
  child.stdin?.end();
  if (await waitForExit(child, times.polite)) return;
  signalGroup(pid, 'SIGTERM');
  if (await waitForExit(child, times.term)) return;
  signalGroup(pid, 'SIGKILL');
  await waitForExit(child, times.term);
}
