import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { readRows } from './rows.js';
import { readSession } from './session.js';

/**
 * May this new row be put beside the rows that are there? Refused, naming it, when a row of that id exists: Cyrene would
 * write over it, and an earlier step would be gone. `existing` are ids.
 */
export function mayCreateRow(row: Uint8Array, existing: readonly string[]): Outcome<string> {
  const read = readRows(row);
  if (!read.ok) throw new Error(`not a row: ${read.refusal.text}`);
  const id = read.rows[0]?.id ?? '';
  const free = isFree(id, existing);
  return free.ok ? accepted(id) : free;
}

/**
 * Before the claim: is the next step still free, in this file and in every other one of the session? With the row that was
 * written: is that one free, which may be several steps on?
 */
export function mayContinue(bytes: Uint8Array, known: readonly Uint8Array[], written?: Uint8Array): Outcome<null> {
  const existing = [bytes, ...known].flatMap((file) => {
    const read = readRows(file);
    return read.ok ? read.rows.map(({ id }) => id) : [];
  });
  if (written !== undefined) {
    const free = mayCreateRow(written, existing);
    return free.ok ? accepted(null) : free;
  }
  const read = readSession(bytes);
  if (!read.ok) throw new Error(`not a readable Cyrene session: ${read.refusal.text}`);
  const { sessionId, latest } = read.session;
  return isFree(`${sessionId}:${latest.step + 1}`, existing);
}

function isFree(id: string, existing: readonly string[]): Outcome<null> {
  if (!existing.includes(id)) return accepted(null);
  return refused(
    'already_claimed',
    `Row ${id} exists already: another process went on, or the session was started again. It is not overwritten.`,
    { system: 'cyrene', id },
  );
}
