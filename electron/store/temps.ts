import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { attempt } from './faults.js';
import type { HostIdentity } from './host.js';
import { TEMPS, type Volume } from './volume.js';

const HOUR = 3600_000;
/** A younger one may belong to a writer between its fsync and its link, whatever the process table says. */
const OWN_AGE = 24 * HOUR;
/** Whether a process of another host lives cannot be asked. */
const FOREIGN_AGE = 7 * OWN_AGE;

let count = 0;

/** A name under tmp/ that no other writer uses: host, process and its start, boot, count, chance. */
export function tempPath(volume: Volume): string {
  const { id, pid, start, boot } = volume.host;
  count += 1;
  return join(volume.root, TEMPS, `${id}-${pid}.${start}-${boot}-${count}-${randomUUID().slice(0, 8)}`);
}

function isOver(host: HostIdentity, name: string, ageMs: number): boolean {
  // Names without a start are those of an earlier version.
  const match = /^([0-9a-f]+)-(\d+)(?:\.(\d+))?-([0-9a-f]+)-\d+-[0-9a-f]+$/.exec(name);
  const [, id, pid, start = '0', boot] = match ?? [];
  if (id !== host.id) return ageMs > FOREIGN_AGE;
  if (ageMs <= OWN_AGE) return false;
  return boot !== host.boot || !host.alive(Number(pid), start);
}

/** Removes what dead writers left under tmp/. Best effort: what stays is taken by the next sweep, and is never read. */
export function sweepTemps(volume: Volume): void {
  const { disk, host } = volume;
  const folder = join(volume.root, TEMPS);
  attempt(() => {
    for (const name of disk.readdir(folder)) {
      const path = join(folder, name);
      attempt(() => {
        const stat = disk.lstat(path);
        if (!isOver(host, name, volume.now() - Number(stat.mtimeNs / 1_000_000n))) return;
        if (stat.kind !== 'folder') return disk.unlink(path);
        for (const inner of disk.readdir(path)) disk.unlink(join(path, inner));
        disk.rmdir(path);
      });
    }
  });
}
