import { randomUUID } from 'node:crypto';
import { dirname, join, sep } from 'node:path';
import { attempt, errorCode } from './faults.js';
import type { HostIdentity } from './host.js';
import { TEMPS, type Volume } from './volume.js';

const HOUR = 3600_000;
/** A younger one may belong to a writer between its fsync and its link, whatever the process table says. */
const OWN_AGE = 24 * HOUR;
/** Whether a process of another host lives cannot be asked. */
const FOREIGN_AGE = 7 * OWN_AGE;

let count = 0;

/** Temporary files of this process that could not be removed, such as one that a scanner holds. */
const stuck = new Set<string>();
const TRIED_AT_ONCE = 8;

/** Removes a temporary file. One that stays is tried again with the next writes, so that none pile up while a process lives. */
export function removeTemp(volume: Volume, path: string): void {
  const error = attempt(() => volume.disk.unlink(path));
  if (error === null || errorCode(error) === 'ENOENT') stuck.delete(path);
  else stuck.add(path);
}

/** Tries again what could not be removed. */
export function removeStuckTemps(volume: Volume): void {
  const folder = join(volume.root, TEMPS);
  for (const path of [...stuck].filter((one) => one.startsWith(folder)).slice(0, TRIED_AT_ONCE)) {
    removeTemp(volume, path);
    // A file that lay in a folder of its own leaves that behind.
    if (!stuck.has(path) && dirname(path) !== folder) attempt(() => volume.disk.rmdir(dirname(path)));
  }
}

/** A name under tmp/ that no other writer uses: host, process and its start, boot, count, chance. */
export function tempPath(volume: Volume): string {
  const { id, pid, start, boot } = volume.host;
  count += 1;
  return `${volume.root}${sep}${TEMPS}${sep}${id}-${pid}.${start}-${boot}-${count}-${randomUUID().slice(0, 8)}`;
}

function isOver(host: HostIdentity, name: string, ageMs: number): boolean {
  // Names without a start are those of an earlier version.
  const match = /^([0-9a-f]+)-(\d+)(?:\.(\d+))?-([0-9a-f]+)-\d+-[0-9a-f]+$/.exec(name);
  const [, id, pid, start = '0', boot] = match ?? [];
  if (id !== host.id) return ageMs > FOREIGN_AGE;
  if (ageMs <= OWN_AGE) return false;
  return boot !== host.boot || !host.alive(Number(pid), start);
}

/** What dead writers left under tmp/, by name. Throws the disk's error when the folder cannot be listed. */
export function staleTemps(volume: Volume): string[] {
  const { disk, host } = volume;
  const folder = join(volume.root, TEMPS);
  return disk.readdir(folder).filter((name) => {
    let over = false;
    attempt(() => {
      const stat = disk.lstat(join(folder, name));
      over = isOver(host, name, volume.now() - Number(stat.mtimeNs / 1_000_000n));
    });
    return over;
  });
}

/** Removes one of them; throws the disk's error. */
export function removeStale(volume: Volume, name: string): void {
  const { disk } = volume;
  const path = join(volume.root, TEMPS, name);
  if (disk.lstat(path).kind === 'folder') {
    for (const inner of disk.readdir(path)) disk.unlink(join(path, inner));
    disk.rmdir(path);
  } else {
    disk.unlink(path);
  }
}

/**
 * Removes what dead writers left under tmp/; returns how many. Best effort: what stays is taken by the next sweep, and is
 * never read.
 */
export function sweepTemps(volume: Volume, dryRun = false): number {
  let gone = 0;
  attempt(() => {
    for (const name of staleTemps(volume)) if (dryRun || attempt(() => removeStale(volume, name)) === null) gone += 1;
  });
  return gone;
}
