import { type FolderNode, MemoryDisk } from './store-memory-disk.js';

/** What a power cut may keep of the bytes that were written to a file and not synced. */
type Kept = 'none' | 'half' | 'all';
type DiskNode = FolderNode['entries'] extends Map<string, infer N> ? N : never;

const MOST_PENDING = 10;

/**
 * Every disk that a power cut could leave at this moment: for each folder any subset of the changes of names since its
 * last sync, for each file nothing, half or all of the bytes since its last sync. The temporary names are kept or lost
 * together: nobody reads them.
 */
export function* crashStates(disk: MemoryDisk): Generator<MemoryDisk> {
  const folders: { folder: FolderNode; choices: number[] }[] = [];
  const visit = (folder: FolderNode, temporary: boolean): void => {
    const count = folder.pending.length;
    if (count > 0) {
      const all = 2 ** count - 1;
      if (!temporary && count > MOST_PENDING) throw new Error(`${count} changes of names pending`);
      folders.push({ folder, choices: temporary ? [0, all] : Array.from({ length: all + 1 }, (_, n) => n) });
    }
    const children = new Map([...folder.durable, ...folder.entries]);
    for (const [name, node] of children) if (node.kind === 'folder') visit(node, temporary || name === 'tmp');
  };
  visit(disk.root, false);

  for (const picks of product(folders.map(({ choices }) => choices))) {
    const entries = new Map<FolderNode, Map<string, DiskNode>>();
    for (const [n, { folder }] of folders.entries()) {
      const names = new Map(folder.durable);
      for (const [bit, { name, node }] of folder.pending.entries()) {
        if (Math.floor((picks[n] ?? 0) / 2 ** bit) % 2 === 0) continue;
        if (node === null) names.delete(name);
        else names.set(name, node);
      }
      entries.set(folder, names);
    }
    const namesOf = (folder: FolderNode) => entries.get(folder) ?? folder.durable;
    const torn = unsynced(disk.root, namesOf);
    for (const kept of product(torn.map((): Kept[] => ['none', 'half', 'all']))) {
      const choice = new Map(torn.map((file, n) => [file, kept[n] ?? 'none']));
      yield new MemoryDisk(copyFolder(disk.root, namesOf, choice, new Map()), disk.nextIno);
    }
  }
}

/** The same disk, at rest. */
export function copyOf(disk: MemoryDisk): MemoryDisk {
  const copy = new MemoryDisk(
    copyFolder(disk.root, (folder) => folder.entries, new Map(), new Map()),
    disk.nextIno,
  );
  copy.settle();
  return copy;
}

function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const one of first) for (const others of product(rest)) yield [one, ...others];
}

function unsynced(folder: FolderNode, namesOf: (folder: FolderNode) => Map<string, DiskNode>): DiskNode[] {
  const found = new Set<DiskNode>();
  const visit = (node: DiskNode): void => {
    if (node.kind === 'folder') for (const child of namesOf(node).values()) visit(child);
    else if (!node.bytes.equals(node.durable)) found.add(node);
  };
  visit(folder);
  return [...found];
}

function copyFolder(
  folder: FolderNode,
  namesOf: (folder: FolderNode) => Map<string, DiskNode>,
  choice: ReadonlyMap<DiskNode, Kept>,
  copied: Map<DiskNode, DiskNode>,
): FolderNode {
  const entries = new Map<string, DiskNode>();
  const copy: FolderNode = { ...folder, entries, durable: new Map(), pending: [] };
  for (const [name, node] of namesOf(folder)) {
    let other = copied.get(node);
    if (other === undefined) {
      if (node.kind === 'folder') other = copyFolder(node, namesOf, choice, copied);
      else other = { ...node, bytes: contentOf(node.bytes, node.durable, choice.get(node) ?? 'all'), nlink: 0 };
      copied.set(node, other);
    }
    if (other.kind === 'file') other.nlink += 1;
    entries.set(name, other);
  }
  copy.durable = new Map(entries);
  return copy;
}

function contentOf(bytes: Buffer, durable: Buffer, kept: Kept): Buffer {
  if (kept === 'all') return bytes;
  if (kept === 'none') return durable;
  return bytes.subarray(0, Math.floor((durable.length + bytes.length) / 2));
}
