import { execFileSync, spawnSync } from 'node:child_process';
import { accessSync } from 'node:fs';

/** Programs that a trial needs and this machine lacks, with the package that brings each; and root, where it needs that. */
export function missing(programs: Readonly<Record<string, string>>): string[] {
  const lacks: string[] = [];
  if (process.platform !== 'linux') lacks.push('Linux');
  if (process.getuid?.() !== 0) lacks.push('root (start it with sudo)');
  for (const [program, packageName] of Object.entries(programs)) {
    const paths = (process.env['PATH'] ?? '').split(':').concat('/sbin', '/usr/sbin');
    if (!paths.some((path) => isThere(`${path}/${program}`))) lacks.push(`${program} (package ${packageName})`);
  }
  return lacks;
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Runs a program to its end; throws with its own words when it fails. */
export function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** The same, where a failure only means that there was nothing to do. */
export function tryRun(program: string, ...args: string[]): void {
  spawnSync(program, args, { stdio: 'ignore' });
}

/**
 * Starts this program again with mounts of its own, so that nothing else holds what it mounts; returns its exit code,
 * or null when it is that program already.
 */
export function inOwnMounts(): number | null {
  if (process.env['HOLDPOINT_OWN_MOUNTS'] === '1') return null;
  const args = ['-m', '--propagation', 'private', process.execPath, ...process.argv.slice(1)];
  const env = { ...process.env, HOLDPOINT_OWN_MOUNTS: '1' };
  return spawnSync('unshare', args, { stdio: 'inherit', env }).status ?? 1;
}
