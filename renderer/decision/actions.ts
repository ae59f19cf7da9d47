import type { Submission } from '../../shared/proposal.js';
import { announce, focusCard } from '../app/focus.js';
import { useBulk } from '../bulk/bulk-store.js';
import { useRun } from '../run/run-store.js';
import { useSettings } from '../settings/settings-store.js';
import { text } from '../text.js';
import { unreadFields, whyNotApprove } from './approvable.js';
import { focusControl, useControl, withdraw } from './control-store.js';
import type { Current } from './current.js';
import { IDLE, type Mode, useDecision } from './decision-store.js';
import { type CallDraft, draftKey, draftOf } from './drafts.js';
import type { Attempt } from './guard.js';
import { useGuard } from './guard-store.js';
import { readCurrent } from './read-current.js';
import { toRepair } from './repair.js';
import { send, sendByControl, sendRetry } from './send.js';
import { releases, stepSubmission, submissionFor } from './submission.js';

type Said = NonNullable<CallDraft['verdict']>;

/** A key press is made for what is in front now; a click names what its button was drawn for. */
export type Gesture = (shown: string) => Attempt;

/** What is on screen, if this gesture may act on it now. */
function admitted(gesture: Gesture): Current | null {
  const current = readCurrent();
  if (!current || useDecision.getState().busy) return null;
  const attempt = gesture(current.shown);
  if (attempt.madeFor !== current.shown) return null;
  return useGuard.getState().refuses(attempt) === null ? current : null;
}

const mode = (): Mode => useDecision.getState().mode;
const setMode = (next: Mode): void => useDecision.getState().setMode(next);

function lacksName(): boolean {
  if (useSettings.getState().settings.reviewer.trim() !== '') return false;
  setMode({ kind: 'naming' });
  return true;
}

/**
 * First half of an approval: proposes it to the approve control, which confirms. In a batch the call is only marked; the
 * harmless class at once, because the submit is its confirmation.
 */
export function arm(gesture: Gesture): void {
  const current = admitted(gesture);
  // To let a turn run again is an act of its own, with no key.
  if (!current?.callOpen || current.ask === 'retry') return;
  const { ask, whyNotApprove: why } = current;
  if (why.length > 0) {
    announce(ask === 'go_on' ? text.goOn.offSaid(why) : text.approve.off(why));
    return;
  }
  if (lacksName()) return;
  if (!current.batch) proposeOne(current);
  else if (current.destructive) setMode({ kind: 'armed', base: current.base, by: 'page' });
  else mark(current, 'approve');
}

/** Second half of marking in a batch: counts only for exactly what was armed. What is proposed is not confirmed here. */
export function confirm(gesture: Gesture): void {
  const armed = mode();
  if (armed.kind !== 'armed') return;
  if (armed.by === 'control') {
    focusControl();
    return;
  }
  const current = admitted(gesture);
  if (!current) return;
  if (armed.base !== current.base || current.whyNotApprove.length > 0 || !current.callOpen) {
    setMode(IDLE);
    return;
  }
  decide(current, 'approve');
}

/** The approve key: arms, and confirms what is armed; where a result is asked for it opens the form for it. */
export function approveKey(gesture: Gesture): void {
  if (mode().kind === 'armed') confirm(gesture);
  else if (readCurrent()?.needsResult) openAnswer(gesture);
  else arm(gesture);
}

export function openReject(gesture: Gesture): void {
  const current = admitted(gesture);
  if (current?.callOpen && current.ask === 'verdict' && !lacksName()) setMode({ kind: 'rejecting' });
}

export function openAnswer(gesture: Gesture): void {
  const current = admitted(gesture);
  if (current?.callOpen && current.needsResult && !lacksName()) setMode({ kind: 'answering' });
}

/** The result as typed: nothing is dispatched for it. Without the word how it ended it is no result. */
export function confirmAnswer(gesture: Gesture): void {
  if (mode().kind !== 'answering') return;
  const current = admitted(gesture);
  if (!current?.callOpen || !current.needsResult) return;
  if (current.draft.answer.status === null) announce(text.answer.chooseFirst);
  else decide(current, 'answer');
}

/** Lets a turn run again, by its own button only; the approve control says the warning and confirms. */
export function armRetry(gesture: Gesture): void {
  const current = admitted(gesture);
  if (current?.ask !== 'retry' || current.whyNotApprove.length > 0 || lacksName()) return;
  const { itemId: id, base, detail, repair } = current;
  const { binding, retry } = detail;
  if (!retry || !binding) return;
  void sendRetry({ act: 'retry_turn', id, binding, repair: repair && toRepair(detail).any }, retry.turn, base);
}

export function confirmReject(gesture: Gesture): void {
  if (mode().kind !== 'rejecting') return;
  const current = admitted(gesture);
  if (current?.callOpen) decide(current, 'reject');
}

export function openEdit(gesture: Gesture): void {
  const current = admitted(gesture);
  if (!current?.call || !current.callOpen || current.needsResult) return;
  if (useRun.getState().texts[current.call.index]?.state === 'whole') setMode({ kind: 'editing' });
  else announce(text.approve.loading);
}

export function openAll(gesture: Gesture, verdict: 'approve' | 'reject'): void {
  const current = admitted(gesture);
  if (current?.batch && !lacksName()) setMode({ kind: 'all', verdict });
}

/**
 * The calls that "all" would mark: open and undecided; for approve also of the same effect class as the one in front,
 * never the destructive one, read to the end and not blocked.
 */
export function coveredByAll(current: Current, verdict: 'approve' | 'reject'): Current['open'] {
  const { texts, reached, sideways } = useRun.getState();
  const readOnly = useSettings.getState().health?.readOnly ?? null;
  const facts = { detail: current.detail, texts, reached, sideways, repair: current.repair, readOnly };
  return current.open.filter((call) => {
    const draft = draftOf(current.drafts, call);
    if (draft.verdict !== null) return false;
    if (verdict === 'reject') return true;
    const { effect } = call.facts;
    return (
      effect === current.call?.facts.effect &&
      effect !== 'destructive' &&
      whyNotApprove(facts, call, draft).length === 0
    );
  });
}

/** Marks exactly the calls that the list named when it was opened. */
export function confirmAll(gesture: Gesture, named: readonly Current['open'][number][]): void {
  const current = admitted(gesture);
  const now = mode();
  if (!current || now.kind !== 'all') return;
  for (const call of coveredByAll(current, now.verdict))
    if (named.some((n) => n.index === call.index && n.argumentsSha256 === call.argumentsSha256))
      useDecision.getState().editDraft(current.itemId, call, { verdict: now.verdict });
  leave();
}

/** Submits a batch of which every open call is marked. */
export function submitBatch(gesture: Gesture): void {
  const current = admitted(gesture);
  if (!current?.batch || lacksName()) return;
  const { texts, reached, sideways } = useRun.getState();
  const readOnly = useSettings.getState().health?.readOnly ?? null;
  for (const call of current.open) {
    const draft = draftOf(current.drafts, call);
    if (draft.verdict !== 'approve') continue;
    const why = whyNotApprove(
      { detail: current.detail, texts, reached, sideways, repair: current.repair, readOnly },
      call,
      draft,
    );
    if (why.length > 0) {
      announce(text.submit.cannot(call.index + 1, why));
      return;
    }
  }
  const submission = submissionFor(current.detail, current.drafts, current.repair);
  if (!submission.ok) announce(submission.refusal.text);
  else if (releases(submission.value)) proposeDecision(current, submission.value);
  else void send(submission.value);
}

/** Leaves a form or an armed state: decides nothing. True when there was something to leave. */
export function leave(): boolean {
  if (useDecision.getState().busy) return false;
  const proposed = useControl.getState().proposed;
  withdraw();
  const wasMany = useBulk.getState().leave();
  if (mode().kind === 'idle' && !proposed && !wasMany) return false;
  setMode(IDLE);
  focusCard();
  return true;
}

function mark(current: Current, verdict: Said): void {
  if (!current.call) return;
  useDecision.getState().editDraft(current.itemId, current.call, { verdict });
  announce(text.batch.marked(current.call.index + 1, verdict));
}

/** The approval of the one thing in front, as a proposal. The draft stays as it is: nothing is decided yet. */
function proposeOne(current: Current): void {
  const { detail, call, draft, drafts, repair } = current;
  const said: CallDraft = { ...draft, verdict: 'approve' };
  const submission =
    call === null
      ? stepSubmission(detail, said, repair)
      : submissionFor(detail, { ...drafts, [draftKey(call)]: said }, repair);
  if (submission.ok) proposeDecision(current, submission.value);
  else announce(submission.refusal.text);
}

/** With what the page has not shown yet: main keeps it, and the approve control says it (I12). */
function proposeDecision({ detail, open, base }: Current, submission: Submission): void {
  const { texts, reached } = useRun.getState();
  const approved = submission.verdicts.filter(({ verdict }) => verdict === 'approve').map(({ index }) => index);
  const unread = open
    .filter(({ index }) => approved.includes(index))
    .map((call) => ({ index: call.index, fields: unreadFields({ detail, texts, reached }, call) }))
    .filter(({ fields }) => fields.length > 0);
  void sendByControl(submission, unread, base);
}

/** Marks in a batch, or sends what releases nothing. */
function decide(current: Current, verdict: Said): void {
  const { detail, itemId, call, repair } = current;
  if (current.batch) {
    mark(current, verdict);
    leave();
    return;
  }
  if (call === null) useDecision.getState().editStep(itemId, { verdict });
  else useDecision.getState().editDraft(itemId, call, { verdict });
  const { drafts, stepDrafts } = useDecision.getState();
  const submission =
    call === null
      ? stepSubmission(detail, { ...current.draft, ...stepDrafts[itemId], verdict }, repair)
      : submissionFor(detail, drafts[itemId], repair);
  if (submission.ok) void send(submission.value);
  else announce(submission.refusal.text);
}
