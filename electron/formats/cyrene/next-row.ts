import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { readRows } from './rows.js';

/**
 * May this new row be put beside the rows that are there? Refused, naming it, when a row of that id exists: Cyrene would
 * write over it, and an earlier step would be gone. `existing` are ids.
 */
export function mayCreateRow(row: Uint8Array, existing: readonly string[]): Outcome<string> {
  const read = readRows(row);
  if (!read.ok) throw new Error(`not a row: ${read.refusal.text}`);
  const id = read.rows[0]?.id ?? '';
  if (!existing.includes(id)) return accepted(id);
  return refused(
    'already_claimed',
    `Row ${id} exists already: another process went on, or the session was started again. It is not overwritten.`,
    {
      system: 'cyrene',
      id,
    },
  );
}
