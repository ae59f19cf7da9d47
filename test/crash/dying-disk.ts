import { type Disk, nodeDisk } from '../../electron/store/disk.js';

/** The calls of a disk that change something. */
const CHANGES = ['openNew', 'write', 'fsync', 'link', 'unlink', 'rename', 'mkdir', 'rmdir'] as const;

export interface DyingDisk {
  disk: Disk;
  /** From here on changes are counted. */
  arm(killAt: number, how: 'before' | 'half' | 'after'): void;
}

/** The real disk, on which the process ends itself without warning at the n-th change. */
export function dyingDisk(): DyingDisk {
  let left = 0;
  let when: 'before' | 'half' | 'after' = 'before';
  const die = () => {
    process.kill(process.pid, 'SIGKILL');
    // The signal is on its way; nothing more happens here.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  };
  const counted =
    <A extends unknown[], R>(call: (...args: A) => R) =>
    (...args: A): R => {
      const last = left > 0 && --left === 0;
      if (last && when === 'before') die();
      try {
        return call(...args);
      } finally {
        // Also when the disk refused.
        if (last) die();
      }
    };
  const disk = { ...nodeDisk };
  const wrap = <K extends (typeof CHANGES)[number]>(name: K) => {
    Object.assign(disk, { [name]: counted(nodeDisk[name] as (...args: unknown[]) => unknown) });
  };
  for (const name of CHANGES) wrap(name);
  const write = disk.write;
  disk.write = (fd, bytes, position) => {
    if (left === 1 && when === 'half') {
      nodeDisk.write(fd, bytes.subarray(0, Math.floor(bytes.byteLength / 2)), position);
      die();
    }
    return write(fd, bytes, position);
  };
  return {
    disk,
    arm(killAt, how) {
      left = killAt;
      when = how;
    },
  };
}
