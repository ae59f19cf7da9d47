import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import type { HandedOver } from '../format.js';
import { decisionToText } from './decision-text.js';
import { unlatchedText } from './latch.js';
import { partsOf } from './parts.js';
import { reviewedRecord } from './reviewed-record.js';

/**
 * What klieo needs to go on (H13). One verdict for all: klieo's own decision and the record as it came. A mixed or edited
 * batch, which klieo has no word for: a record with the approved calls only, in which the rejected ones have their answer,
 * to be resumed as approved.
 */
export function handOver(bytes: Uint8Array, record: NormalRecord, decision: Decision): HandedOver {
  const parts = partsOf(bytes);
  const { verdicts, step, repair } = decision;
  const rejected = verdicts.filter((verdict) => verdict.verdict === 'reject');
  const whole = { record: unlatchedText(parts), notes: [] };
  if (step?.verdict === 'reject' || (rejected.length > 0 && rejected.length === verdicts.length)) {
    const reason = step === undefined ? commonReason(record, rejected) : orDefault(step.reason);
    return { systemDecision: decisionToText({ verdict: 'reject', reason }), ...whole };
  }
  const systemDecision = decisionToText({ verdict: 'approve' });
  const edited = verdicts.some((verdict) => verdict.editedArguments !== undefined);
  const all = verdicts.length === (record.pending ?? []).length;
  if (rejected.length === 0 && !edited && repair === undefined && all) return { systemDecision, ...whole };
  return { systemDecision, ...reviewedRecord(parts, record, decision) };
}

/** klieo has room for one reason: the shared one, or each with the call it belongs to. */
function commonReason(record: NormalRecord, rejected: readonly Verdict[]): string {
  const reasons = rejected.map((verdict) => orDefault(verdict.reason));
  if (new Set(reasons).size === 1) return reasons[0] ?? '';
  return rejected
    .map(({ index }, at) => `call ${index + 1} (${record.pending?.[index]?.name ?? ''}): ${reasons[at] ?? ''}`)
    .join('; ');
}

function orDefault(reason: string | undefined): string {
  return reason === undefined || reason.trim() === '' ? 'no reason was given' : reason;
}
