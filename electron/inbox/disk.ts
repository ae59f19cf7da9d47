import { type BigIntStats, constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rm } from 'node:fs/promises';

export type Kind = 'file' | 'folder' | 'link' | 'pipe' | 'socket' | 'device';

/** Enough of a file to tell it from another one, and from itself after a change. */
export interface Stat {
  kind: Kind;
  size: number;
  /** Nanoseconds since the epoch of its last change. */
  changedNs: bigint;
  /** Device, inode, size and time of change, as one text. */
  stamp: string;
}

/** The file-system calls of the inbox; a test puts faults in here. Errors are Node's own. */
export interface InboxDisk {
  makeFolder(path: string): Promise<void>;
  /** Names as bytes: on some systems a name need not be text. */
  names(path: string): Promise<Buffer[]>;
  /** Of the thing itself, never of what a link points to. */
  stat(path: string): Promise<Stat>;
  /** Reads a regular file whole; follows no link and waits for no pipe. `stat` is that of what was read, afterwards. */
  read(path: string, limit: number): Promise<{ bytes: Uint8Array; stat: Stat }>;
  remove(path: string): Promise<void>;
}

function kindOf(stat: BigIntStats): Kind {
  if (stat.isFile()) return 'file';
  if (stat.isDirectory()) return 'folder';
  if (stat.isSymbolicLink()) return 'link';
  if (stat.isFIFO()) return 'pipe';
  return stat.isSocket() ? 'socket' : 'device';
}

function toStat(stat: BigIntStats): Stat {
  const stamp = `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}`;
  return { kind: kindOf(stat), size: Number(stat.size), changedNs: stat.mtimeNs, stamp };
}

// Missing on Windows, where neither links nor pipes wait in a folder.
const READ_ONLY = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const nodeInboxDisk: InboxDisk = {
  makeFolder: async (path) => {
    await mkdir(path, { recursive: true, mode: 0o700 });
  },
  names: (path) => readdir(path, { encoding: 'buffer' }),
  stat: async (path) => toStat(await lstat(path, { bigint: true })),
  read: async (path, limit) => {
    const file = await open(path, READ_ONLY);
    try {
      const before = toStat(await file.stat({ bigint: true }));
      if (before.kind !== 'file' || before.size > limit) return { bytes: new Uint8Array(), stat: before };
      const bytes = new Uint8Array(before.size);
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await file.read(bytes, done, bytes.length - done, done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return { bytes: bytes.subarray(0, done), stat: toStat(await file.stat({ bigint: true })) };
    } finally {
      await file.close();
    }
  },
  remove: (path) => rm(path),
};
