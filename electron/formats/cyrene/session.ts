import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { refusalInRow } from './place.js';
import { type CyreneRow, readRows } from './rows.js';

/** All steps of one session. */
export interface Session {
  sessionId: string;
  /** By update time, the oldest first; equal times by step. */
  rows: CyreneRow[];
  /** The most recently updated row, which is what Cyrene loads: not the one with the highest step (C2, CF3). */
  latest: CyreneRow;
  /** Several rows carry the latest time: which of them Cyrene would load, nobody can say. */
  ambiguous: boolean;
}

/** The sessions of a file, in the order in which they first stand there. */
export function sessionsOf(rows: readonly CyreneRow[]): Session[] {
  const groups = new Map<string, CyreneRow[]>();
  for (const row of rows) {
    const group = groups.get(row.sessionId) ?? [];
    group.push(row);
    groups.set(row.sessionId, group);
  }
  return [...groups].flatMap(([sessionId, group]) => {
    const sorted = group.toSorted(
      (a, b) => Number(a.updatedAtNs > b.updatedAtNs) - Number(a.updatedAtNs < b.updatedAtNs) || a.step - b.step,
    );
    const latest = sorted.at(-1);
    if (latest === undefined) return [];
    const ambiguous = sorted.filter((row) => row.updatedAtNs === latest.updatedAtNs).length > 1;
    return [{ sessionId, rows: sorted, latest, ambiguous }];
  });
}

/** The one session of a file: a record is one. Refused by name when it holds none, or several. */
export function readSession(bytes: Uint8Array): { ok: true; session: Session } | { ok: false; refusal: ReadRefusal } {
  const read = readRows(bytes);
  if (!read.ok) return read;
  const [session, other] = sessionsOf(read.rows);
  if (session === undefined) {
    const text = 'no row: the file is an empty list. Cyrene would start from step 1 here; nothing is started';
    return { ok: false, refusal: { code: 'no_row', path: '', offset: 0, line: 1, column: 1, text } };
  }
  const seen = new Set<string>();
  const repeated = session.rows.find(({ id }) => seen.size === seen.add(id).size);
  if (repeated !== undefined) {
    const words = `cannot load: ${JSON.stringify(repeated.id)} stands twice, and an id names one row`;
    return { ok: false, refusal: refusalInRow(repeated.place, 'id', 'cannot_load', words) };
  }
  if (other === undefined) return { ok: true, session };
  const names = sessionsOf(read.rows).map(({ sessionId }) => JSON.stringify(sessionId));
  const words = `the file holds rows of ${names.length} sessions (${names.slice(0, 5).join(', ')}); a record is one session`;
  return { ok: false, refusal: refusalInRow(other.latest.place, 'agent_id', 'several_sessions', words) };
}
