import { basename, dirname } from 'node:path';
import type { Disk, DiskStat } from '../../electron/store/disk.js';

interface FileNode {
  kind: 'file';
  ino: number;
  bytes: Buffer;
  /** What would be there after a power cut without luck. */
  durable: Buffer;
  nlink: number;
  changed: number;
}

export interface FolderNode {
  kind: 'folder';
  ino: number;
  entries: Map<string, DiskNode>;
  durable: Map<string, DiskNode>;
  /** Changes of names since the folder was last synced: any subset of them may survive. */
  pending: { name: string; node: DiskNode | null }[];
  changed: number;
}

type DiskNode = FileNode | FolderNode;

export function errno(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** Time of all disks: what a power cut left goes on in the same time, as a machine's clock does; no moment comes twice. */
let clock = 0;
const tick = (): number => ++clock;

/** A disk in memory that knows what a power cut could leave of it. Every call that changes something is logged. */
export class MemoryDisk implements Disk {
  root: FolderNode;
  readonly log: (((disk: MemoryDisk) => void) | { ack: string })[] = [];
  #next = 1;
  readonly #open = new Map<number, DiskNode>();

  constructor(root?: FolderNode, next = 1) {
    this.#next = next;
    this.root = root ?? this.#folder();
  }

  get nextIno(): number {
    return this.#next;
  }

  openNew = (path: string): number => {
    this.#record((disk) => disk.openNew(path));
    const folder = this.#parent(path);
    if (folder.entries.has(basename(path))) throw errno('EEXIST');
    const file: FileNode = {
      kind: 'file',
      ino: this.#next++,
      bytes: Buffer.alloc(0),
      durable: Buffer.alloc(0),
      nlink: 1,
      changed: tick(),
    };
    this.#set(folder, basename(path), file);
    return this.#opened(file);
  };

  openRead = (path: string): number => this.#opened(this.#find(path));
  openFolder = (path: string): number => this.#opened(this.#find(path));

  write = (fd: number, bytes: Uint8Array, position: number): number => {
    const copy = Buffer.from(bytes);
    const file = this.#file(fd);
    const { ino } = file;
    this.#record((disk) => disk.write(disk.#fdOf(ino), copy, position));
    file.bytes = Buffer.concat([file.bytes.subarray(0, position), copy]);
    return copy.length;
  };

  read = (fd: number, into: Uint8Array, position: number): number => this.#file(fd).bytes.copy(into, 0, position);

  fsync = (fd: number): void => {
    const node = this.#node(fd);
    this.#record((disk) => disk.fsync(disk.#fdOf(node.ino)));
    if (node.kind === 'file') {
      node.durable = node.bytes;
    } else {
      node.durable = new Map(node.entries);
      node.pending = [];
    }
  };

  close = (fd: number): void => {
    this.#open.delete(fd);
  };

  fstat = (fd: number): DiskStat => stat(this.#node(fd));
  stat = (path: string): DiskStat => stat(this.#find(path));
  lstat = (path: string): DiskStat => stat(this.#find(path));

  link = (from: string, to: string): void => {
    this.#record((disk) => disk.link(from, to));
    const file = this.#find(from);
    const folder = this.#parent(to);
    if (file.kind !== 'file') throw errno('EPERM');
    if (folder.entries.has(basename(to))) throw errno('EEXIST');
    file.nlink += 1;
    this.#set(folder, basename(to), file);
  };

  unlink = (path: string): void => {
    this.#record((disk) => disk.unlink(path));
    const file = this.#find(path);
    if (file.kind !== 'file') throw errno('EISDIR');
    file.nlink -= 1;
    this.#set(this.#parent(path), basename(path), null);
  };

  rename = (from: string, to: string): void => {
    this.#record((disk) => disk.rename(from, to));
    const node = this.#find(from);
    const old = this.#parent(to).entries.get(basename(to));
    if (old?.kind === 'folder' && old.entries.size > 0) throw errno('ENOTEMPTY');
    this.#set(this.#parent(to), basename(to), node);
    this.#set(this.#parent(from), basename(from), null);
  };

  mkdir = (path: string): void => {
    this.#record((disk) => disk.mkdir(path));
    const folder = this.#parent(path);
    if (folder.entries.has(basename(path))) throw errno('EEXIST');
    this.#set(folder, basename(path), this.#folder());
  };

  rmdir = (path: string): void => {
    this.#record((disk) => disk.rmdir(path));
    const folder = this.#find(path);
    if (folder.kind !== 'folder') throw errno('ENOTDIR');
    if (folder.entries.size > 0) throw errno('ENOTEMPTY');
    this.#set(this.#parent(path), basename(path), null);
  };

  readdir = (path: string): string[] => {
    const folder = this.#find(path);
    if (folder.kind !== 'folder') throw errno('ENOTDIR');
    return [...folder.entries.keys()];
  };

  watch = (): (() => void) => () => undefined;

  /** Marks in the log that a writer was told "done". */
  ack(what: string): void {
    this.log.push({ ack: what });
  }

  /** Everything is on disk from here on. */
  settle(node: DiskNode = this.root): void {
    if (node.kind === 'file') node.durable = node.bytes;
    else {
      node.durable = new Map(node.entries);
      node.pending = [];
      for (const child of node.entries.values()) this.settle(child);
    }
  }

  /** The node at a path, for the explorer. */
  at(path: string): DiskNode {
    return this.#find(path);
  }

  #record(entry: (disk: MemoryDisk) => void): void {
    this.log.push(entry);
  }

  #folder(): FolderNode {
    const ino = this.#next++;
    return { kind: 'folder', ino, entries: new Map(), durable: new Map(), pending: [], changed: tick() };
  }

  #set(folder: FolderNode, name: string, node: DiskNode | null): void {
    if (node === null) folder.entries.delete(name);
    else folder.entries.set(name, node);
    folder.pending.push({ name, node });
    folder.changed = tick();
  }

  #find(path: string): DiskNode {
    let node: DiskNode = this.root;
    for (const part of path.split('/').filter((one) => one !== '')) {
      if (node.kind !== 'folder') throw errno('ENOTDIR');
      const next: DiskNode | undefined = node.entries.get(part);
      if (next === undefined) throw errno('ENOENT');
      node = next;
    }
    return node;
  }

  #parent(path: string): FolderNode {
    const folder = this.#find(dirname(path));
    if (folder.kind !== 'folder') throw errno('ENOTDIR');
    return folder;
  }

  #opened(node: DiskNode): number {
    let fd = 3;
    while (this.#open.has(fd)) fd += 1;
    this.#open.set(fd, node);
    return fd;
  }

  #node(fd: number): DiskNode {
    const node = this.#open.get(fd);
    if (node === undefined) throw errno('EBADF');
    return node;
  }

  #file(fd: number): FileNode {
    const node = this.#node(fd);
    if (node.kind !== 'file') throw errno('EISDIR');
    return node;
  }

  /** A handle of the node with that number, in a replay where handles were never opened for reading. */
  #fdOf(ino: number): number {
    for (const [fd, node] of this.#open) if (node.ino === ino) return fd;
    const found = search(this.root, ino);
    if (found === null) throw errno('EBADF');
    return this.#opened(found);
  }
}

function search(node: DiskNode, ino: number): DiskNode | null {
  if (node.ino === ino) return node;
  if (node.kind === 'file') return null;
  for (const child of node.entries.values()) {
    const found = search(child, ino);
    if (found !== null) return found;
  }
  return null;
}

function stat(node: DiskNode): DiskStat {
  return {
    kind: node.kind,
    dev: 1n,
    ino: BigInt(node.ino),
    size: node.kind === 'file' ? node.bytes.length : 0,
    nlink: node.kind === 'file' ? node.nlink : 2,
    mtimeNs: BigInt(node.changed),
    ctimeNs: BigInt(node.changed),
    birthNs: 0n,
  };
}
