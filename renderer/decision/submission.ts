import type { CallView, RunDetail } from '../../shared/ipc.js';
import type { Submission } from '../../shared/proposal.js';
import type { Outcome } from '../../shared/refusal.js';
import { accepted, refused } from '../../shared/refusal.js';
import { text } from '../text.js';
import { type CallDraft, type Drafts, draftOf } from './drafts.js';
import { decidesStep, openCalls } from './open-calls.js';
import { toRepair } from './repair.js';

/** Open calls without a verdict yet, in batch order. */
export function undecided(detail: RunDetail, drafts: Drafts | undefined): CallView[] {
  return openCalls(detail).filter((call) => draftOf(drafts, call).verdict === null);
}

function verdictOf(call: CallView, draft: CallDraft): Submission['verdicts'][number] {
  const { index, argumentsSha256 } = call;
  if (draft.verdict === 'reject')
    return { index, argumentsSha256, verdict: 'reject', reason: draft.reason.trim() || text.reject.defaultReason };
  const { status, text: typed, file } = draft.answer;
  if (draft.verdict === 'answer' && status !== null)
    return { index, argumentsSha256, verdict: 'answer', answer: { status, text: file?.text ?? typed } };
  return {
    index,
    argumentsSha256,
    verdict: 'approve',
    ...(draft.note.trim() !== '' && { note: draft.note.trim() }),
    ...(draft.editedArguments !== null && { editedArguments: draft.editedArguments }),
    ...(draft.editedArguments !== null && draft.typesChanged.length > 0 && { typesChanged: [...draft.typesChanged] }),
  };
}

/**
 * One atomic act for the whole batch, bound to what is on screen (I3). Verdicts name position and digest of their call
 * and stand in batch order, whatever order the page shows the calls in (C07).
 */
export function submissionFor(detail: RunDetail, drafts: Drafts | undefined, repair: boolean): Outcome<Submission> {
  if (detail.binding === null) return refused('unreadable', text.submit.unreadable);
  const missing = undecided(detail, drafts);
  if (missing.length > 0)
    return refused('incomplete_decision', text.submit.missing(missing.map((call) => call.index + 1)));
  const verdicts = openCalls(detail)
    .map((call) => verdictOf(call, draftOf(drafts, call)))
    .sort((a, b) => a.index - b.index);
  const repairs = repair && toRepair(detail).any && verdicts.some((v) => v.verdict === 'approve');
  return accepted({ id: detail.row.id, binding: detail.binding, verdicts, ...(repairs && { repair: true }) });
}

/** The verdict on a step that has no calls to decide. */
export function stepSubmission(
  detail: RunDetail,
  draft: Pick<CallDraft, 'verdict' | 'reason'>,
  repair: boolean,
): Outcome<Submission> {
  if (detail.binding === null) return refused('unreadable', text.submit.unreadable);
  if (!decidesStep(detail) || draft.verdict === null || draft.verdict === 'answer')
    return refused('incomplete_decision', text.submit.stepOpen);
  const step =
    draft.verdict === 'approve'
      ? { verdict: 'approve' as const }
      : { verdict: 'reject' as const, reason: draft.reason.trim() || text.reject.defaultReason };
  const repairs = repair && toRepair(detail).any && draft.verdict === 'approve';
  return accepted({ id: detail.row.id, binding: detail.binding, verdicts: [], step, ...(repairs && { repair: true }) });
}

/** True when it may send a call, or let a run go on: then only the approve control may say so. */
export function releases({ verdicts, step }: Pick<Submission, 'verdicts' | 'step'>): boolean {
  return step?.verdict === 'approve' || verdicts.some(({ verdict }) => verdict === 'approve');
}
