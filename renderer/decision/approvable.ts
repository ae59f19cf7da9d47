import { sendable } from '../../shared/arguments.js';
import type { CallView, RunDetail } from '../../shared/ipc.js';
import type { ArgumentText } from '../run/argument-text.js';
import { readArguments } from '../run/fields.js';
import { END, type Place, placeKey, placesOf } from '../run/places.js';
import { text } from '../text.js';
import type { CallDraft } from './drafts.js';
import { checkDraftEdit, confirmedText, editsOf } from './edit.js';
import { toRepair } from './repair.js';

export interface ApproveFacts {
  detail: RunDetail;
  texts: Readonly<Record<number, ArgumentText>>;
  reached: ReadonlySet<string>;
  /** The end of the arguments of which part is out of view sideways now, or null. */
  sideways: string | null;
  /** The reviewer agreed to synthetic answers for calls in the history that have none. */
  repair: boolean;
  /** Why nothing can be written, or null. */
  readOnly: string | null;
}

/** What stands against approving this call now, in words; empty when it may be offered (I12, I5, H8). */
export function whyNotApprove(facts: ApproveFacts, call: CallView, draft: CallDraft): string[] {
  const shown = facts.texts[call.index];
  const reasons = [...whyNotAtAll(facts), ...blocking(call.warnings)];
  if (shown?.state !== 'whole') return unique([...reasons, notWhole(shown)]);
  if (call.needs === 'result') reasons.push(call.question ? text.question.needs : text.approve.needsResult);
  // Of this call alone: the others of its batch may go.
  if (call.sentAs === 'not_sendable' && facts.detail.row.route === 'here') {
    const sent = sendable(shown.text);
    reasons.push(text.approve.notSendable(sent.ok ? '' : sent.reason));
  }
  if (draft.editedArguments !== null) {
    const edit = checkDraftEdit(shown.text, draft.editedArguments, editsOf(call), confirmedText(draft.typesChanged));
    if (!edit.ok) reasons.push(text.approve.badEdit(edit.reason));
  }
  const left = unreached(facts, call, shown.text);
  if (facts.sideways === placeKey(facts.detail.row.id, call, END)) reasons.push(text.approve.sideways);
  if (left.length > 0) reasons.push(text.approve.notReached(left.map((place) => place.field)));
  return unique(reasons);
}

/** The same for a stop without calls. */
export function whyNotApproveStep(facts: ApproveFacts): string[] {
  return unique(whyNotAtAll(facts));
}

/** What stands against letting a turn run again. What the system refuses by default is what the act overrides. */
export function whyNotRetry(facts: ApproveFacts): string[] {
  return unique(whyNotAtAll(facts, facts.detail.retry?.blocked ?? []));
}

export function unreached(facts: Pick<ApproveFacts, 'detail' | 'reached'>, call: CallView, whole: string): Place[] {
  const places = placesOf(facts.detail.row.id, call, whole, readArguments(whole, call.sentAs));
  return places.filter((place) => !facts.reached.has(place.key));
}

/** What main is told is still unread of a call: the fields' names, null for the arguments as a whole (I12). */
export function unreadFields(
  facts: Pick<ApproveFacts, 'detail' | 'reached' | 'texts'>,
  call: CallView,
): (string | null)[] {
  const shown = facts.texts[call.index];
  return shown?.state === 'whole' ? unreached(facts, call, shown.text).map(({ field }) => field) : [null];
}

function whyNotAtAll({ detail, repair, readOnly }: ApproveFacts, blocked = detail.approveBlocked): string[] {
  const reasons = [...blocked, ...blocking(detail.warnings)];
  if (readOnly !== null) reasons.push(readOnly);
  const { calls, answers, any } = toRepair(detail);
  if (any && !repair) reasons.push(text.approve.needsRepair(calls, answers));
  return reasons;
}

function blocking(warnings: RunDetail['warnings']): string[] {
  return warnings.filter((warning) => warning.blocksApproval).map((warning) => warning.text);
}

function notWhole(shown: ArgumentText | undefined): string {
  if (shown?.state === 'wrong') return text.approve.wrongDigest;
  if (shown?.state === 'refused') return text.approve.notLoaded(shown.refusal.text);
  return shown?.state === 'partial' ? text.approve.partial : text.approve.loading;
}

const unique = (reasons: string[]): string[] => [...new Set(reasons)];
