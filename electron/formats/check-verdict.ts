import { checkEdit } from '../../shared/arguments.js';
import type { PendingCall } from '../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';

/** Does one verdict mean the call that stands in the record, and is its edit one that can be sent (I3, C18, C20)? */
export function checkVerdict(call: PendingCall | undefined, verdict: Verdict): Outcome<null> {
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
  if (verdict.verdict !== 'approve')
    return refused('invalid_edit', `${place} is not approved: it cannot have edited arguments.`);
  const edit = checkEdit(call.arguments, verdict.editedArguments, { allowTypeChange: true });
  return edit.ok ? accepted(null) : edit;
}

/** A source that takes one verdict for a whole batch takes no mixed and no edited one (H13). */
export function checkWholeBatch(decision: Decision): Outcome<null> {
  // The result of a call that is made elsewhere is no verdict on the batch.
  const verdicts = decision.verdicts.filter((verdict) => verdict.verdict !== 'answer');
  const kinds = new Set(verdicts.map((verdict) => verdict.verdict));
  const edited = decision.verdicts.filter((verdict) => verdict.editedArguments !== undefined);
  if (kinds.size <= 1 && edited.length === 0) return accepted(null);
  const what = edited.length > 0 ? 'no edited arguments' : 'one verdict for all calls';
  return refused('whole_batch_only', `This source takes a batch only as a whole: ${what}.`, {
    edited: edited.map((verdict) => verdict.index),
  });
}
