import fs from 'node:fs';

/**
 * Every file-system call of the store, in one replaceable place: tests inject faults, pauses and crash states here.
 * All calls are synchronous and throw Node's own errors (`code` = errno name).
 */
export interface Disk {
  /** Creates a file that must not exist yet, with mode 0600, for writing. */
  openNew(path: string): number;
  /** Opens for reading; follows no link and waits for no pipe. */
  openRead(path: string): number;
  /** Opens a folder, to sync it. */
  openFolder(path: string): number;
  /** Writes at a position; may write fewer bytes than given, and says how many. */
  write(fd: number, bytes: Uint8Array, position: number): number;
  /** Reads from a position; returns 0 at the end of the file. */
  read(fd: number, into: Uint8Array, position: number): number;
  fsync(fd: number): void;
  close(fd: number): void;
  fstat(fd: number): DiskStat;
  stat(path: string): DiskStat;
  lstat(path: string): DiskStat;
  link(from: string, to: string): void;
  unlink(path: string): void;
  rename(from: string, to: string): void;
  /** Makes one folder with mode 0700. */
  mkdir(path: string): void;
  rmdir(path: string): void;
  readdir(path: string): string[];
  /** Watches a folder without keeping the process alive. `failed` is called at most once, and ends the watch. */
  watch(path: string, recursive: boolean, changed: (name: string | null) => void, failed: () => void): () => void;
}

export interface DiskStat {
  kind: 'file' | 'folder' | 'other';
  dev: bigint;
  ino: bigint;
  /** Bytes. */
  size: number;
  nlink: number;
  mtimeNs: bigint;
  ctimeNs: bigint;
  /** Time of creation; 0 or equal to ctime where the file system keeps none. */
  birthNs: bigint;
}

/** What stays the same as long as nobody touches a published file. */
export type FileIdentity = Pick<DiskStat, 'ino' | 'size' | 'mtimeNs'>;

/** Which file it is, whatever its names: no other one has both as long as it is there. */
export type FileKey = Pick<DiskStat, 'dev' | 'ino'>;

// Both are missing on Windows, where neither hazard exists.
const READ_FLAGS = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function toStat(stat: fs.BigIntStats): DiskStat {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
    dev: stat.dev,
    ino: stat.ino,
    size: Number(stat.size),
    nlink: Number(stat.nlink),
    mtimeNs: stat.mtimeNs,
    ctimeNs: stat.ctimeNs,
    birthNs: stat.birthtimeNs,
  };
}

/**
 * Absence is the usual answer to a look at the next revision's name: it is thrown as Node would throw it, without the
 * stack, which costs more than the look.
 */
function lookAt(path: string): fs.BigIntStats {
  const stat = fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stat !== undefined) return stat;
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const error = new Error(`ENOENT: no such file or directory, lstat '${path}'`);
  Error.stackTraceLimit = limit;
  throw Object.assign(error, { code: 'ENOENT', syscall: 'lstat', path });
}

export const nodeDisk: Disk = {
  openNew: (path) => fs.openSync(path, 'wx', 0o600),
  openRead: (path) => fs.openSync(path, READ_FLAGS),
  openFolder: (path) => fs.openSync(path, 'r'),
  write: (fd, bytes, position) => fs.writeSync(fd, bytes, 0, bytes.byteLength, position),
  read: (fd, into, position) => fs.readSync(fd, into, 0, into.byteLength, position),
  fsync: (fd) => fs.fsyncSync(fd),
  close: (fd) => fs.closeSync(fd),
  fstat: (fd) => toStat(fs.fstatSync(fd, { bigint: true })),
  stat: (path) => toStat(fs.statSync(path, { bigint: true })),
  lstat: (path) => toStat(lookAt(path)),
  link: (from, to) => fs.linkSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  rename: (from, to) => fs.renameSync(from, to),
  mkdir: (path) => fs.mkdirSync(path, { mode: 0o700 }),
  rmdir: (path) => fs.rmdirSync(path),
  readdir: (path) => fs.readdirSync(path),
  watch: (path, recursive, changed, failed) => {
    const watcher = fs.watch(path, { persistent: false, recursive }, (_event, name) => changed(name));
    watcher.on('error', () => {
      watcher.close();
      failed();
    });
    return () => watcher.close();
  },
};
