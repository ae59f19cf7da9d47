import type { CallView, RunDetail } from '../../shared/ipc.js';
import type { ArgumentText } from '../run/argument-text.js';
import { type ApproveFacts, whyNotApprove, whyNotApproveStep, whyNotRetry } from './approvable.js';
import type { Mode } from './decision-store.js';
import { type CallDraft, type Drafts, draftOf, NO_DRAFT } from './drafts.js';
import { type Ask, askOf, decidesStep, openCalls } from './open-calls.js';

/** What is in front of the reviewer, and what may be done with it. Built the same way for the page and for an act. */
export interface Current {
  itemId: string;
  detail: RunDetail;
  /** What is asked of the reviewer: only a `verdict` is ever called approving. */
  ask: Ask;
  /** Null: the verdict is on the step. */
  call: CallView | null;
  draft: CallDraft;
  drafts: Drafts | undefined;
  repair: boolean;
  open: CallView[];
  /** Several open calls: verdicts are collected, then submitted as one. */
  batch: boolean;
  /** The call in front still needs a verdict; a settled one is shown and takes none. */
  callOpen: boolean;
  destructive: boolean;
  /** The call is made elsewhere: its result is asked for, no approval. */
  needsResult: boolean;
  whyNotApprove: string[];
  /** Names what is shown: what a decision was made for. */
  base: string;
  /** `base`, and the dialog that stands over it. */
  shown: string;
}

export interface CurrentFacts {
  detail: RunDetail;
  at: number;
  texts: Readonly<Record<number, ArgumentText>>;
  reached: ReadonlySet<string>;
  sideways: string | null;
  mode: Mode;
  drafts: Readonly<Record<string, Drafts>>;
  stepDrafts: Readonly<Record<string, CallDraft>>;
  repair: Readonly<Record<string, boolean>>;
  readOnly: string | null;
}

export function currentOf(facts: CurrentFacts): Current | null {
  const { detail } = facts;
  const ask = askOf(detail);
  if (ask === null) return null;
  const itemId = detail.row.id;
  const open = openCalls(detail);
  const onStep = decidesStep(detail);
  const shownCall = onStep ? null : (detail.calls[facts.at] ?? null);
  const drafts = facts.drafts[itemId];
  const draft = shownCall ? draftOf(drafts, shownCall) : (facts.stepDrafts[itemId] ?? NO_DRAFT);
  const approve: ApproveFacts = { ...facts, repair: facts.repair[itemId] ?? false };
  const base = baseOf(detail, shownCall, draft);
  return {
    itemId,
    detail,
    ask,
    call: shownCall,
    draft,
    drafts,
    repair: approve.repair,
    open,
    batch: open.length > 1,
    callOpen: shownCall === null || open.includes(shownCall),
    destructive: shownCall?.facts.effect === 'destructive',
    needsResult: shownCall?.needs === 'result',
    whyNotApprove: whyNot(ask, approve, shownCall, draft),
    base,
    shown: `${base}\n${dialogOf(facts.mode, shownCall)}`,
  };
}

function whyNot(ask: Ask, facts: ApproveFacts, call: CallView | null, draft: CallDraft): string[] {
  if (ask === 'retry') return whyNotRetry(facts);
  return call ? whyNotApprove(facts, call, draft) : whyNotApproveStep(facts);
}

/** Everything that a decision is made for. Any difference is another content: it arms anew (C97). */
function baseOf(detail: RunDetail, call: CallView | null, draft: CallDraft): string {
  const { binding, row, warnings, approveBlocked, goesOn, retry } = detail;
  return JSON.stringify([
    row.id,
    row.status,
    row.route,
    binding,
    call && [
      call.index,
      call.name,
      call.argumentsSha256,
      call.sentAs,
      call.facts,
      call.warnings.map((w) => [w.code, w.path]),
    ],
    warnings.map((w) => [w.code, w.path]),
    approveBlocked,
    draft.editedArguments,
    draft.typesChanged,
    draft.answer.file?.sha256,
    goesOn,
    retry,
  ]);
}

/** A dialog over the card has a grace time of its own; arming the harmless class opens none. */
function dialogOf(mode: Mode, call: CallView | null): string {
  if (mode.kind === 'armed') return call?.facts.effect === 'destructive' ? 'confirm' : '';
  return mode.kind === 'idle' ? '' : mode.kind;
}
