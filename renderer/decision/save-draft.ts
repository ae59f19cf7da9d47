import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';
import type { CallDraft } from './drafts.js';

/** Reasons, notes, edits and results are written this long after the last key. */
export const DRAFT_MS = 300;

interface Waiting {
  timer: ReturnType<typeof setTimeout>;
  save(): Promise<void>;
}
const waiting = new Map<string, Waiting>();

/** Keeps what was typed for a call, so that it survives a restart. */
export function saveDraftSoon(itemId: string, index: number, draft: CallDraft): void {
  const key = `${index}\n${itemId}`;
  clearTimeout(waiting.get(key)?.timer);
  const save = async (): Promise<void> => {
    waiting.delete(key);
    const reply = await ask('run:draft', itemId, index, {
      ...(draft.reason !== '' && { reason: draft.reason }),
      ...(draft.note !== '' && { note: draft.note }),
      ...(draft.editedArguments !== null && { editedArguments: draft.editedArguments }),
      ...(draft.typesChanged.length > 0 && { typesChanged: [...draft.typesChanged] }),
      ...(hasAnswer(draft) && { answer: draft.answer }),
    });
    if (!reply.ok) noteRefusal(reply.refusal);
  };
  waiting.set(key, { timer: setTimeout(() => void save(), DRAFT_MS), save });
}

const hasAnswer = ({ answer }: CallDraft): boolean =>
  answer.status !== null || answer.text !== '' || answer.file !== undefined;

/** Writes what is still waiting, now: before a submit, and when the window goes away. */
export async function flushDrafts(): Promise<void> {
  const all = [...waiting.values()];
  for (const { timer } of all) clearTimeout(timer);
  await Promise.all(all.map(({ save }) => save()));
}
