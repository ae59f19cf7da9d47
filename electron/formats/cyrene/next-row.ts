import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { formatNs, parseTime } from '../../../shared/time.js';
import { type CyreneRow, readRows } from './rows.js';
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
  if (latest.step >= LAST_STEP || !parseTime(nextUpdate(latest, formatNs(0n))).ok)
    return refused('nothing_to_continue', `No row can come after step ${latest.step} of ${latest.updatedAt}.`, {
      system: 'cyrene',
    });
  return isFree(`${sessionId}:${latest.step + 1}`, existing);
}

/**
 * The latest update is the one that is loaded (C2): a row that goes on from one of the future, or of this instant, is
 * dated right after it. A microsecond, which is what databases keep.
 */
export function nextUpdate({ updatedAtNs }: Pick<CyreneRow, 'updatedAtNs'>, createdAt: string): string {
  const at = parseTime(createdAt);
  return at.ok && at.ns > updatedAtNs ? createdAt : formatNs((updatedAtNs / 1000n + 1n) * 1000n);
}

/** Beyond it no row is read; a run that goes on may take a thousand steps more. */
const LAST_STEP = 999_999_999_999_999 - 1000;

function isFree(id: string, existing: readonly string[]): Outcome<null> {
  if (!existing.includes(id)) return accepted(null);
  return refused(
    'already_claimed',
    `Row ${id} exists already: another process went on, or the session was started again. It is not overwritten.`,
    { system: 'cyrene', id },
  );
}
