import type { RunRow } from '../shared/run-row.js';
import { HEADS } from './checkpoints/keys.js';
import { listRows, rowFrom, unreadableRow, type WaitingOf } from './checkpoints/rows.js';
import type { Ports } from './ports.js';
import { listRefused } from './refused.js';
import type { KvStore } from './store/contract.js';

const PAGE = 1024;

/**
 * Every suspension of a data folder, and what cannot be read: quarantined files of the store and refused records, each with
 * its reason (I5). `ended` adds those that the GC removed, from their tombstones.
 */
export async function listAll(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'settings'>,
  dataFolder: string,
  { ended, waiting = () => null }: { ended: boolean; waiting?: WaitingOf },
): Promise<RunRow[]> {
  const rows = await listRows(store, ports, waiting);
  const removed = ended ? await tombstones(store, ports) : [];
  return [...rows, ...removed, ...(await quarantinedRows(store)), ...(await refusedRows(dataFolder))];
}

/** Quarantined files of the store, each with its reason (I5). */
export async function quarantinedRows(store: Pick<KvStore, 'quarantined'>): Promise<RunRow[]> {
  return (await store.quarantined()).map((one) => ({
    ...unreadableRow(one.key ?? one.file, `${one.reason} (${one.bucket}, ${one.size} bytes)`),
    id: `q:${one.file}`,
  }));
}

/** Records that were refused, each with its reason (I5). */
export async function refusedRows(dataFolder: string): Promise<RunRow[]> {
  return (await listRefused(dataFolder)).map(({ file, originalName, size, reason }) => ({
    ...unreadableRow(originalName, `${reason.text}${size === null ? '' : ` (${size} bytes)`}`),
    id: `f:${file}`,
    source: reason.source ?? '',
    takenInAt: reason.at,
  }));
}

async function tombstones(store: KvStore, ports: Pick<Ports, 'clock' | 'settings'>): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(HEADS, cursor, PAGE, { tombstones: true });
    for (const { key, meta: head, deleted } of page.heads) {
      const none = { decision: '', journal: '', desk: '', beside: '', continued: false };
      const made = deleted ? rowFrom(key, { head, deleted, ...none }, { ports, waiting: () => null }) : null;
      if (made !== null) rows.push(made.row);
    }
    if (page.next === null) return rows;
    cursor = page.next;
  }
}
