import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { Decision } from '../../../shared/decision.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { checkVerdict, checkWholeBatch } from '../check-verdict.js';

/**
 * Can klieo take this decision? It has one verdict for a batch and no edits; a mixed or edited batch is handed over as a
 * record of its approved calls, unless the source says that it cannot take that (H13).
 */
export function checkDecision(
  record: NormalRecord,
  decision: Decision,
  options: { wholeBatchOnly: boolean },
): Outcome<null> {
  for (const verdict of decision.verdicts) {
    const checked = checkVerdict(record.pending?.[verdict.index], verdict);
    if (!checked.ok) return checked;
  }
  return options.wholeBatchOnly ? checkWholeBatch(decision) : accepted(null);
}
