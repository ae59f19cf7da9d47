import { checkEdit } from '../../../shared/arguments.js';
import type { NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';

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
  if (!options.wholeBatchOnly) return accepted(null);
  const kinds = new Set(decision.verdicts.map((verdict) => verdict.verdict));
  const edited = decision.verdicts.filter((verdict) => verdict.editedArguments !== undefined);
  if (kinds.size <= 1 && edited.length === 0) return accepted(null);
  const what = edited.length > 0 ? 'no edited arguments' : 'one verdict for all calls';
  return refused('whole_batch_only', `This source takes a batch only as a whole: ${what}.`, {
    edited: edited.map((verdict) => verdict.index),
  });
}

function checkVerdict(call: PendingCall | undefined, verdict: Verdict): Outcome<null> {
  if (call === undefined) return refused('bad_request', `There is no pending call ${verdict.index + 1}.`);
  const place = `call ${verdict.index + 1} (${call.name})`;
  if (verdict.argumentsSha256 !== call.argumentsSha256) {
    return refused('changed_since_you_looked', `The arguments of ${place} are not those that were read.`);
  }
  // A decision that came from elsewhere may say more than its type does (C18).
  const name: unknown = Reflect.get(verdict, 'name');
  if (name !== undefined && name !== call.name) {
    return refused(
      'tool_name_changed',
      `The tool's name cannot change: ${place} would become ${JSON.stringify(name)}.`,
      {
        was: call.name,
        is: name,
      },
    );
  }
  if (verdict.editedArguments === undefined) return accepted(null);
  if (verdict.verdict === 'reject')
    return refused('invalid_edit', `${place} is rejected: it cannot have edited arguments.`);
  const edit = checkEdit(call.arguments, verdict.editedArguments, { allowTypeChange: true });
  return edit.ok ? accepted(null) : edit;
}
