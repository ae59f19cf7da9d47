import { type Entry, makeEntry, takeRow } from '../../electron/queue/entry.js';
import { partsOf, plain } from '../../electron/queue/field-search.js';
import { type Listed, Queue } from '../../electron/queue/queue.js';
import type { RunDetail } from '../../shared/ipc.js';

/** The real list over the runs of a fake bridge. Every run of the same `asks` stands for equal calls. */
export function fakeQueue(runs: ReadonlyMap<string, RunDetail>, asks: ReadonlyMap<string, string>): Queue {
  const entries = new Map<string, Entry>();
  const refresh = (): void => {
    for (const [id, entry] of entries) {
      if (runs.has(id)) continue;
      entry.gone = true;
      entries.delete(id);
    }
    for (const [id, { row }] of runs) {
      const entry = entries.get(id) ?? makeEntry(id, id, entries.size);
      entries.set(id, entry);
      entry.row = row;
      const share = <T extends string>(text: T): T => text;
      takeRow(entry, row, {
        repeatable: false,
        asks: asks.get(id) ?? null,
        share,
        shareAll: (all) => all,
        now: Date.now(),
      });
    }
  };
  const index: Listed = {
    entries: () => entries.values(),
    get size() {
      return runs.size;
    },
    get: (id) => entries.get(id),
    rowOf: (entry) => {
      if (!entry.row) throw new Error('no row');
      return entry.row;
    },
    now: () => Date.now(),
    refresh,
  };
  const find = async (search: string) => {
    const words = partsOf(search);
    return ({ row }: Entry) => words.every((word) => plain(JSON.stringify(row)).includes(word));
  };
  const queue = new Queue(
    index,
    { find, indexing: null },
    { read: Promise.resolve(), caughtUp: async () => refresh() },
  );
  queue.reading = null;
  return queue;
}
