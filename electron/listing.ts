import type { RunRow } from '../shared/ipc.js';
import { formatNs } from '../shared/time.js';
import { type HeadMeta, readHeadMeta } from './checkpoints/head.js';
import { HEADS, parseSuspension } from './checkpoints/keys.js';
import { listRows, rowOf, unreadableRow, type WaitingOf } from './checkpoints/rows.js';
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
  const broken = (await store.quarantined()).map((one) => ({
    ...unreadableRow(one.key ?? one.file, `${one.reason} (${one.bucket}, ${one.size} bytes)`),
    id: `q:${one.file}`,
  }));
  const aside = (await listRefused(dataFolder)).map(({ file, originalName, size, reason }) => ({
    ...unreadableRow(originalName, `${reason.text}${size === null ? '' : ` (${size} bytes)`}`),
    id: `f:${file}`,
    source: reason.source ?? '',
    takenInAt: reason.at,
  }));
  return [...rows, ...removed, ...broken, ...aside];
}

async function tombstones(store: KvStore, ports: Pick<Ports, 'clock' | 'settings'>): Promise<RunRow[]> {
  const rows: RunRow[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(HEADS, cursor, PAGE, { tombstones: true });
    for (const head of page.heads) {
      const row = head.deleted ? tombstoneRow(head.key, readHeadMeta(head.meta), ports) : null;
      if (row !== null) rows.push(row);
    }
    if (page.next === null) return rows;
    cursor = page.next;
  }
}

function tombstoneRow(name: string, meta: HeadMeta | null, ports: Pick<Ports, 'clock' | 'settings'>): RunRow | null {
  const key = parseSuspension(name);
  if (key === null || meta?.end === undefined) return null;
  const { other: _, ...row } = rowOf({
    name,
    key,
    meta,
    decision: null,
    journal: null,
    continued: false,
    snoozedUntil: null,
    ports,
    waiting: null,
  });
  return {
    ...row,
    expiresAt: null,
    takenInAt: formatNs(BigInt(meta.t)),
    note: `Removed by the GC at ${meta.end.at} (${meta.end.status})`,
  };
}
