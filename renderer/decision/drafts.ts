import type { Verdict } from '../../shared/decision.js';
import type { AnswerDraft } from '../../shared/draft.js';
import type { CallView } from '../../shared/ipc.js';

/** What the reviewer means to say about one call; nothing of it is a decision before the submit. */
export interface CallDraft {
  verdict: Verdict['verdict'] | null;
  answer: AnswerDraft;
  reason: string;
  note: string;
  /** Raw JSON text that replaces the arguments, already checked; null: as proposed. */
  editedArguments: string | null;
  /** Changes of type in it that the reviewer confirmed. */
  typesChanged: readonly string[];
}

export const NO_DRAFT: CallDraft = {
  verdict: null,
  answer: { status: null, text: '' },
  reason: '',
  note: '',
  editedArguments: null,
  typesChanged: [],
};

/** Drafts by call: position and digest, so that a verdict never slides onto another call or another text (C07). */
export type Drafts = Readonly<Record<string, CallDraft>>;

export function draftKey(call: Pick<CallView, 'index' | 'argumentsSha256'>): string {
  return `${call.index}:${call.argumentsSha256}`;
}

/** The draft at hand, or what was saved with the record. A saved draft never carries a verdict. */
export function draftOf(drafts: Drafts | undefined, call: CallView): CallDraft {
  const { reason = '', note = '', editedArguments = null, typesChanged = [], answer = NO_DRAFT.answer } = call.draft;
  return drafts?.[draftKey(call)] ?? { ...NO_DRAFT, reason, note, editedArguments, typesChanged, answer };
}
