import type { NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { checkVerdict, checkWholeBatch } from '../check-verdict.js';
import { deferredId, isUpstreamName, QUESTION_TOOL, refusedAs } from './names.js';
import { checkAnswer } from './question.js';

/**
 * Can starweaver take this decision? Its own preparation is gone through, and refuses under its own names (S11-S13):
 * every pending approval needs one decision, every deferred call a terminal result, and the arguments that were
 * reviewed, called and recorded must be one. Nothing partial (S12).
 */
export function checkDecision(
  record: NormalRecord,
  decision: Decision,
  options: { wholeBatchOnly: boolean },
): Outcome<null> {
  const { runId } = record;
  const pending = record.pending ?? [];
  const status = record.about?.find(({ name }) => name === 'status')?.value;
  if (status !== 'waiting') return refusedAs('SourceNotWaiting', `run ${runId} is not waiting`);
  if (pending.length === 0) return refusedAs('NoPendingHitl', `waiting run ${runId} has no pending HITL work`);
  const evidence = checkEvidence(record, decision);
  if (!evidence.ok) return evidence;
  for (const call of pending) {
    const verdicts = decision.verdicts.filter((verdict) => verdict.index === call.index);
    const checked = checkCall(runId, call, verdicts);
    if (!checked.ok) return checked;
  }
  const stray = decision.verdicts.find((verdict) => !pending.some((call) => call.index === verdict.index));
  if (stray !== undefined) {
    return refusedAs('UnknownDecision', `unknown durable approval decision for call ${stray.index + 1}`, {
      index: stray.index,
    });
  }
  return options.wholeBatchOnly ? checkWholeBatch(decision) : accepted(null);
}

/** What the record itself says against continuing. Of ids that collide everything may still be rejected (H8). */
function checkEvidence(record: NormalRecord, decision: Decision): Outcome<null> {
  const rejected = decision.verdicts.every((verdict) => verdict.verdict === 'reject');
  for (const { code, path, text } of record.warnings) {
    if (!isUpstreamName(code) || (code === 'DuplicateDecision' && rejected)) continue;
    return refusedAs(code, text, { path });
  }
  return accepted(null);
}

function checkCall(runId: string, call: PendingCall, verdicts: readonly Verdict[]): Outcome<null> {
  const [verdict] = verdicts;
  const kind = call.needs === 'result' && !call.question ? 'deferred' : 'approval';
  const id = kind === 'deferred' ? deferredId(runId, call.id ?? '') : (call.id ?? '');
  const facts = { kind, id, index: call.index };
  if (verdict === undefined)
    return refusedAs('MissingDecision', `missing terminal durable ${kind} decision for ${id}`, facts);
  if (verdicts.length > 1) return refusedAs('DuplicateDecision', `duplicate durable ${kind} decision for ${id}`, facts);
  if (verdict.verdict === 'answer') {
    if (call.needs === 'result' && verdict.answer !== undefined) {
      const { status, text } = verdict.answer;
      const taken = call.question && status === 'completed' ? checkAnswer(text) : accepted(null);
      return taken.ok ? checkVerdict(call, verdict) : taken;
    }
    return refused('bad_request', `Call ${call.index + 1} waits for an approval, not for a result.`, facts);
  }
  if (verdict.verdict === 'approve' && kind === 'deferred') {
    const why = `missing terminal durable deferred decision for ${id}: it needs a result, an approval is none`;
    return refusedAs('MissingDecision', why, facts);
  }
  if (verdict.verdict === 'approve' && call.name === QUESTION_TOOL) {
    const text = `Call ${call.index + 1} asks the user a question: starweaver takes an answer to it, no approval (S9).`;
    return refused('not_allowed', text, facts);
  }
  return checkVerdict(call, verdict);
}
