import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { Decision } from '../../../shared/decision.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { checkVerdict, checkWholeBatch } from '../check-verdict.js';
import { checkGoingOn } from '../going-on.js';

/** Cyrene never waits for a person (C5): a session goes on or it does not. Only a step that Holdpoint holds has calls. */
export function checkDecision(
  record: NormalRecord,
  decision: Decision,
  options: { wholeBatchOnly: boolean },
): Outcome<null> {
  if (record.pending === null) return checkGoingOn(record, decision, 'A Cyrene session');
  for (const verdict of decision.verdicts) {
    const checked = checkVerdict(record.pending[verdict.index], verdict);
    if (!checked.ok) return checked;
  }
  return options.wholeBatchOnly ? checkWholeBatch(decision) : accepted(null);
}
