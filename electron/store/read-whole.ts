import type { Disk } from './disk.js';
import { closeQuietly, errorCode } from './faults.js';

/** Fills `into` from a position as far as the file goes; returns the bytes read. */
export function readFully(disk: Pick<Disk, 'read'>, fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.byteLength) {
    const count = disk.read(fd, done === 0 ? into : into.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

/** A file's bytes as they are; throws the disk's error. */
export function readWhole(disk: Disk, path: string): Uint8Array {
  const fd = disk.openRead(path);
  try {
    // Pseudo files say that they are empty: read on until nothing comes.
    const parts: Uint8Array[] = [];
    let total = 0;
    for (let size = Math.max(disk.fstat(fd).size, 1024); ; size = 65536) {
      const part = new Uint8Array(size);
      const count = readFully(disk, fd, part, total);
      parts.push(part.subarray(0, count));
      total += count;
      if (count < size) break;
    }
    return parts.length === 1 ? new Uint8Array(parts[0] ?? []) : new Uint8Array(Buffer.concat(parts));
  } finally {
    closeQuietly(disk, fd);
  }
}

/** A small file's text, or null when there is none; other errors are thrown. */
export function readText(disk: Disk, path: string): string | null {
  try {
    return Buffer.from(readWhole(disk, path)).toString('utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
