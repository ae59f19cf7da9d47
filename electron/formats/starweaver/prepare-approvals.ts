import { raw } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { type ApprovalRecord, resumesAs } from './approval-record.js';
import { approvalId, refusedAs } from './names.js';
import { type PendingItem, sameText } from './pending.js';
import { ownedBy } from './prepare-owner.js';
import type { Prepared, Waiting } from './waiting-run.js';

/** One consistent, terminal record for each pending approval, bound to the same arguments; and no other record (S11-S13). */
export function checkApprovals(waiting: Waiting, records: readonly ApprovalRecord[]): Outcome<Prepared['decisions']> {
  const byCall = new Map<string, ApprovalRecord>();
  for (const record of records) {
    const owned = ownedBy(waiting, record, `approval ${record.approvalId}`);
    if (!owned.ok) return owned;
    const { actionId } = record;
    const facts = { kind: 'approval', id: actionId };
    if (!waiting.items.some((item) => item.needs === 'approval' && item.callId === actionId))
      return refusedAs('UnknownDecision', `unknown durable approval decision for ${actionId}`, facts);
    if (record.approvalId !== approvalId(waiting.runId, actionId)) return mismatched(actionId, 'approval id');
    if (byCall.has(actionId))
      return refusedAs('DuplicateDecision', `duplicate durable approval decision for ${actionId}`, facts);
    byCall.set(actionId, record);
  }
  const decisions: Prepared['decisions'] = [];
  for (const [index, item] of waiting.items.entries()) {
    if (item.needs !== 'approval') continue;
    const record = byCall.get(item.callId);
    if (record === undefined) {
      const missing = `missing terminal durable approval decision for ${item.callId}`;
      return refusedAs('MissingDecision', missing, { kind: 'approval', id: item.callId });
    }
    const bound = boundTo(waiting.text, item, record);
    if (!bound.ok) return bound;
    const decision = resumesAs(record);
    if (!decision.ok) return decision;
    decisions.push({ index, decision: decision.value });
  }
  return accepted(decisions);
}

/** The record asks what the checkpoint asks: same tool, same request, same reviewed arguments. */
function boundTo(text: string, item: PendingItem, record: ApprovalRecord): Outcome<null> {
  const { approvalId: id } = record;
  if (record.actionName !== item.name) return mismatched(id, 'action name');
  const request = item.request === undefined ? 'null' : raw(text, item.request);
  if (!sameText(record.request, request)) return mismatched(id, 'request');
  const reviewed = item.reviewed === undefined ? null : raw(text, item.reviewed);
  if (reviewed === null || record.reviewedArguments === null || !sameText(record.reviewedArguments, reviewed))
    return mismatched(id, 'durable reviewed tool arguments');
  return accepted(null);
}

function mismatched(id: string, field: string): Outcome<never> {
  const text = `durable approval decision ${id} has mismatched ${field}`;
  return refusedAs('MismatchedDecisionEvidence', text, { kind: 'approval', id, field });
}
