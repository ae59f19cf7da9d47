import type { NormalRecord } from '../../shared/checkpoint.js';
import type { Decision } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';

/**
 * For a record in which nothing waits for a person: the one thing to say of it is that it goes on, where it can.
 * `what` names such a record at the start of a sentence.
 */
export function checkGoingOn(record: NormalRecord, decision: Decision, what: string): Outcome<null> {
  const words = record.classification ?? record.state;
  if (decision.verdicts.length > 0 || decision.step?.verdict !== 'approve')
    return refused('not_waiting', `${what} like this asks nobody for a decision: ${words}.`, { state: record.state });
  // What is in flight goes on only where a person lets it run again (R7).
  if (record.resumable || decision.retry !== undefined) return accepted(null);
  return refused('not_waiting', `${what} like this does not go on: ${words}.`, { state: record.state });
}
