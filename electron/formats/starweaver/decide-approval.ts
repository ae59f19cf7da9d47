import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { jsonText } from '../json-text.js';
import { type ApprovalRecord, approvalWith } from './approval-record.js';
import { canonicalTime, sameInstant } from './instants.js';
import { checkMutation, type Mutation, nextRevision, type Receipt, receiptOf, replayOf, targetOf } from './mutation.js';
import { QUESTION_TOOL, refusedAs } from './names.js';
import { ANSWERS } from './question.js';
import { type RecordedDecision, recordedText } from './recorded-decision.js';

/**
 * Decides a pending approval (S8, S9): the expected revision must be the record's own, the record pending, the decision
 * approved or denied and made at the time of the command. The same command again gets the first result. Nothing changes
 * on a refusal.
 */
export function decideApproval(
  record: ApprovalRecord,
  mutation: Mutation,
  decision: RecordedDecision,
  receipts: readonly Receipt[] = [],
): Outcome<Receipt> {
  const what = `approval ${record.approvalId}`;
  const valid = checkMutation(mutation);
  if (!valid.ok) return valid;
  if (decision.status !== 'approved' && decision.status !== 'denied')
    return refusedAs('Conflict', 'an approval decision must be approved or denied');
  if (!sameInstant(decision.decidedAt, mutation.at))
    return refusedAs('Conflict', 'the decision time must match the mutation time');
  // A question is resolved by an operation of its own, which needs its answers; it is denied like any other call.
  const answers = decision.metadata?.some(([key]) => key === ANSWERS) ?? false;
  const operation = answers ? 'clarification.resolve' : 'approval.decide';
  const target = targetOf('approval', record.sessionId, record.runId, record.approvalId);
  const replay = replayOf(receipts, mutation, operation, target);
  if (!replay.ok) return replay;
  if (replay.value !== null) return accepted(replay.value);
  if (record.source.repeated.length > 0)
    return refused('blocked_by_warning', `${what} has keys that stand twice: nobody can say what it asks.`);
  if (answers !== (record.actionName === QUESTION_TOOL) && decision.status === 'approved')
    return refusedAs('Failed', 'a question to the user is answered, not approved', {}, 'not_allowed');
  const revision = nextRevision(what, record.revision, mutation);
  if (!revision.ok) return revision;
  if (record.status !== 'pending' || record.decision !== null)
    return refusedAs('Conflict', `${what} is not pending`, { status: record.status }, 'already_decided');
  const bytes = approvalWith(
    record,
    new Map([
      ['revision', revision.value],
      ['status', jsonText(decision.status)],
      ['decision', recordedText(decision)],
      ['updated_at', jsonText(canonicalTime(mutation.at))],
    ]),
  );
  return accepted(receiptOf(mutation, operation, target, bytes));
}
