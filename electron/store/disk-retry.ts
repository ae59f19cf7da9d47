import type { Disk } from './disk.js';
import { errorCode } from './faults.js';

/** What a virus scanner or a file being deleted makes of a call on Windows; it passes within moments. */
const PASSING = new Set(['EBUSY', 'EPERM', 'EACCES']);
const STEP_MS = 10;
const TRIES = 50;

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/**
 * On Windows: tries again for at most half a second what a scanner may be in the way of. Elsewhere the disk is returned
 * as it is, since there EPERM and EACCES mean what they say. Nothing that syncs is ever tried again: a second fsync may
 * report success for pages that the first one dropped.
 */
export function retryingDisk(disk: Disk, platform: NodeJS.Platform, sleep: (ms: number) => void = sleepSync): Disk {
  if (platform !== 'win32') return disk;
  const again = <A extends unknown[], R>(call: (...args: A) => R) => {
    return (...args: A): R => {
      for (let tries = 1; ; tries += 1) {
        try {
          return call(...args);
        } catch (error) {
          if (tries >= TRIES || !PASSING.has(errorCode(error))) throw error;
          sleep(STEP_MS);
        }
      }
    };
  };
  return {
    ...disk,
    openNew: again(disk.openNew),
    openRead: again(disk.openRead),
    link: again(disk.link),
    unlink: again(disk.unlink),
    rename: again(disk.rename),
    mkdir: again(disk.mkdir),
    rmdir: again(disk.rmdir),
    readdir: again(disk.readdir),
    lstat: again(disk.lstat),
    stat: again(disk.stat),
  };
}
