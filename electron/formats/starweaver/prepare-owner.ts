import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { DurableRecord } from './durable-record.js';
import { refusedAs } from './names.js';

/** A record must belong to the session and the run that wait, and say each thing once (S11, I5). */
export function ownedBy(
  waiting: { sessionId: string; runId: string },
  record: { sessionId: string; runId: string; source: DurableRecord },
  what: string,
): Outcome<null> {
  const [repeated] = record.source.repeated;
  if (repeated !== undefined)
    return refused('blocked_by_warning', `${what} has a key that stands twice: nobody can say what it decided.`, {
      path: repeated,
    });
  if (record.sessionId === waiting.sessionId && record.runId === waiting.runId) return accepted(null);
  return refusedAs('IdentityMismatch', `${what} does not belong to the source run`, {
    sessionId: record.sessionId,
    runId: record.runId,
  });
}
