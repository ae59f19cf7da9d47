/**
 * One operation on one key, as its process saw it. Times are of the machine's monotonic clock, in microseconds; between
 * them the operation took place, all at once, if the store is linearizable.
 */
export interface Operation {
  /** `write`: a compare-and-set that won `revision`. `read`: a get, or a lost compare-and-set, that saw `revision`. */
  kind: 'write' | 'read';
  key: string;
  /** 0 = the key was absent. */
  revision: number;
  start: number;
  end: number;
}

/**
 * Whether there is an order of all operations that each process and each clock agrees with, and in which every read sees
 * the write before it. The revisions give the order of the writes, so the earliest moment that each could have is the
 * best one: when even that comes too late for somebody, there is no order. Returns what is wrong, in words.
 */
export function whyNotLinearizable(operations: readonly Operation[]): string | null {
  const keys = new Map<string, Operation[]>();
  for (const one of operations) append(keys, one.key, one);
  for (const [key, own] of keys) {
    const why = whyNotOneKey(own);
    if (why !== null) return `${key}: ${why}`;
  }
  return null;
}

function whyNotOneKey(operations: readonly Operation[]): string | null {
  const writes = new Map<number, Operation>();
  const reads = new Map<number, Operation[]>();
  for (const one of operations) {
    if (one.kind === 'read') append(reads, one.revision, one);
    else if (writes.has(one.revision)) return `two writes won revision ${one.revision}`;
    else writes.set(one.revision, one);
  }
  const newest = Math.max(0, ...writes.keys(), ...reads.keys());
  let moment = Number.NEGATIVE_INFINITY;
  for (let revision = 0; revision <= newest; revision += 1) {
    const write = writes.get(revision);
    if (revision > 0 && write === undefined) return `nobody won revision ${revision}`;
    moment = Math.max(moment, write?.start ?? moment);
    if (write !== undefined && moment > write.end)
      return `revision ${revision} was written before revision ${revision - 1}`;
    const seen = reads.get(revision) ?? [];
    if (seen.some((read) => read.end < moment)) return `revision ${revision} was read before it was written`;
    // The next write comes after every read of this one.
    moment = Math.max(moment, ...seen.map((read) => read.start));
  }
  return null;
}

function append<K>(lists: Map<K, Operation[]>, key: K, one: Operation): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [one]);
  else list.push(one);
}
