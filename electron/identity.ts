import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { startOf } from './process-start.js';

/** Who a process is: what latches, history and the owner record name. */
export interface Identity {
  host: string;
  /** Names one boot of the machine; a process id means nothing beyond it. */
  boot: string;
  pid: number;
  /**
   * When it was started, as its system counts it: a process number is given again, a number with its start is not.
   * Null where the system does not tell; absent in records that were written without it.
   */
  start?: string | null | undefined;
  /** What it is, in words for a person, such as `window`. */
  name: string;
}

/** `unknown`: it belongs to another machine, or to another container of this one, where nobody here can look. */
export type Alive = 'yes' | 'no' | 'unknown';

/** A boot that is only known by its time is taken as the same one within this distance. Seconds. */
const BOOT_TOLERANCE = 120;

let boot: string | null = null;
let start: string | null = null;

export function thisProcess(name: string): Identity {
  boot ??= bootId();
  start ??= startOf(process.pid);
  return { host: hostname(), boot, pid: process.pid, start, name };
}

/**
 * Whether the process still runs: only asked of this host and this boot. Another process that got its number since is
 * not it; a record that names no start, or a system that tells none, cannot show that, and is taken at its number.
 */
export function isAlive(identity: Omit<Identity, 'name'>, here: Omit<Identity, 'name'> = thisProcess('')): Alive {
  if (identity.host !== here.host) return 'unknown';
  if (!isSameBoot(identity.boot, here.boot)) return 'no';
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return 'no';
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    // EPERM: it runs, under another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return 'no';
  }
  const now = identity.start == null ? null : startOf(identity.pid);
  return now !== null && now !== identity.start ? 'no' : 'yes';
}

function bootId(): string {
  const linux = firstText('/proc/sys/kernel/random/boot_id');
  if (linux !== null) return linux.trim();
  const session = process.platform === 'darwin' ? darwinSession() : null;
  return session ?? `t${Math.round(Date.now() / 1000 - uptime())}`;
}

function darwinSession(): string | null {
  try {
    const text = execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8', timeout: 5000 });
    return text.trim() || null;
  } catch {
    return null; // The boot's time stands in.
  }
}

function isSameBoot(a: string, b: string): boolean {
  const times = [a, b].map((text) => (/^t\d+$/.test(text) ? Number(text.slice(1)) : null));
  const [one, other] = times;
  if (one == null || other == null) return a === b;
  return Math.abs(one - other) <= BOOT_TOLERANCE;
}

function firstText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // Not on this system, or the process is gone.
  }
}
