import type { RunRow } from '../shared/run-row.js';
import { HEADS } from './checkpoints/keys.js';
import { listRows, rowFrom, unreadableRow, type WaitingOf } from './checkpoints/rows.js';
import type { Ports } from './ports.js';
import { listRefused } from './refused.js';
import type { KvStore, Quarantined } from './store/contract.js';

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

/** What of the store cannot be trusted, with its reason (I5): one row a key, also where several files speak of it (C85). */
export async function quarantinedRows(store: Pick<KvStore, 'quarantined'>): Promise<RunRow[]> {
  const found = new Map<string, Quarantined[]>();
  for (const one of await store.quarantined()) {
    const name = one.key === null ? one.file : `${one.bucket} ${one.key}`;
    found.set(name, [...(found.get(name) ?? []), one]);
  }
  return [...found.values()].flatMap((files) => {
    const [first] = files;
    if (first === undefined) return [];
    const reason = files.length === 1 ? inWords(first) : copiesInWords(files);
    return { ...unreadableRow(first.key ?? first.file, reason), id: `q:${first.file}` };
  });
}

const inWords = ({ reason, bucket, size }: Quarantined): string => `${reason} (${bucket}, ${size} bytes)`;

/** Nobody can say which of them is right, so none is trusted: a person compares them, and takes the others away. */
function copiesInWords(files: readonly Quarantined[]): string {
  const each = files.map((one) => `${one.file.split('/').at(-1) ?? one.file}: ${inWords(one)}`);
  return `conflicting copies (${files.length}); none of them is trusted until only one is left. ${each.join('; ')}`;
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
