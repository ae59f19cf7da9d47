import type { RunRow } from '../../shared/ipc.js';
import { EFFECTS } from '../../shared/tool-table.js';

const time = (text: string | null, absent: number): number => (text === null ? absent : Date.parse(text));

/** Open questions first: what may have run already, then what was objected to, then what waits. */
function urgency(row: RunRow): number {
  if (row.status === 'unknown_outcome') return 0;
  if (row.status === 'held') return 1;
  return row.needsPerson ? 2 : 3;
}

function compareOpen(a: RunRow, b: RunRow): number {
  return (
    EFFECTS.indexOf(b.effect) - EFFECTS.indexOf(a.effect) ||
    time(a.expiresAt, Number.MAX_SAFE_INTEGER) - time(b.expiresAt, Number.MAX_SAFE_INTEGER) ||
    time(a.createdAt, 0) - time(b.createdAt, 0)
  );
}

/** Risk, then time left, then age for what is open; the latest first for what is over. Ties end at the item's name. */
export function compareRows(a: RunRow, b: RunRow): number {
  const byUrgency = urgency(a) - urgency(b);
  if (byUrgency !== 0) return byUrgency;
  const latest = (row: RunRow): number => time(row.decidedAt ?? row.takenInAt ?? row.createdAt, 0);
  const rest = a.needsPerson ? compareOpen(a, b) : latest(b) - latest(a);
  return rest || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
