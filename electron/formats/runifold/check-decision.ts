import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { Decision } from '../../../shared/decision.js';
import type { Outcome } from '../../../shared/refusal.js';
import { checkVerdict, checkWholeBatch } from '../check-verdict.js';
import { checkGoingOn } from '../going-on.js';
import { checkLimits, editedValue } from './command.js';

/**
 * Can runifold take this decision? An interrupt is approved, edited to any JSON value or rejected, within runifold's
 * limits (R12). Calls of a turn that Holdpoint holds are decided one by one. Nothing else waits for a person.
 */
export function checkDecision(
  record: NormalRecord,
  decision: Decision,
  options: { wholeBatchOnly: boolean },
): Outcome<null> {
  if (record.pending === null) return checkGoingOn(record, decision, 'A runifold checkpoint');
  const interrupt = record.onlyHandedOver !== undefined;
  for (const verdict of decision.verdicts) {
    const { editedArguments: edited, ...rest } = verdict;
    const own = interrupt && edited !== undefined && verdict.verdict === 'approve';
    const checked = checkVerdict(record.pending[verdict.index], own ? rest : verdict);
    if (!checked.ok) return checked;
    const value = own ? editedValue(edited) : null;
    if (value !== null && !value.ok) return value;
    if (interrupt && verdict.verdict === 'reject') {
      const limits = checkLimits({ kind: 'reject', reason: orDefault(verdict.reason) });
      if (!limits.ok) return limits;
    }
  }
  return options.wholeBatchOnly && !interrupt ? checkWholeBatch(decision) : { ok: true, value: null };
}

/** runifold refuses a blank reason (R12). */
export function orDefault(reason: string | undefined): string {
  return reason === undefined || reason.trim() === '' ? 'no reason was given' : reason;
}
