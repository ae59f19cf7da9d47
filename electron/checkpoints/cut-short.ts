import type { SuspensionKey } from '../../shared/decision.js';
import type { RunRow } from '../../shared/run-row.js';
import { readJournalMeta } from './meta.js';

/**
 * A row as this window, the only one that continues here (H11), knows better: claimed to continue here, with nothing
 * unknown, and nobody is at it. A crash came in between, or a person settled its calls since; or what came of a call could
 * not be saved. It moves only when a person says so (I8).
 */
export function asSeenHere(
  row: RunRow,
  journalMeta: string,
  { key, isRunning, nowMs }: { key: SuspensionKey | null; isRunning(key: SuspensionKey): boolean; nowMs: number },
): RunRow {
  if (row.status !== 'resuming' || key === null || isRunning(key)) return row;
  const started = readJournalMeta(journalMeta)?.startedAt;
  return {
    ...row,
    status: started ? 'unknown_outcome' : 'not_continued',
    needsPerson: row.snoozedUntil === null || Date.parse(row.snoozedUntil) <= nowMs,
    note: started
      ? 'A call was started, and what came of it could not be saved; nobody knows whether it ran'
      : `Not continued: ${row.note}, and cut short. Continue goes on, and repeats no call that ran.`,
  };
}
