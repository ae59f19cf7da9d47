import { type Attached, MAX_ATTACHED_BYTES, tooLargeToAttach } from '../../shared/draft.js';
import type { CallView } from '../../shared/ipc.js';
import type { Outcome } from '../../shared/refusal.js';
import { refused } from '../../shared/refusal.js';
import { call as ask } from '../bridge.js';
import { text } from '../text.js';
import { useDecision } from './decision-store.js';
import { type CallDraft, draftOf } from './drafts.js';

/** Changes the result of a call. What was marked as answered was another one: it is marked anew. */
export function changeAnswer(itemId: string, call: CallView, change: Partial<CallDraft['answer']>): void {
  const { drafts, editDraft } = useDecision.getState();
  const { answer, verdict } = draftOf(drafts[itemId], call);
  editDraft(itemId, call, { answer: { ...answer, ...change }, ...(verdict === 'answer' && { verdict: null }) });
}

/** Puts a file in the place of what was typed, or takes it away: what was typed is still there then. */
export function changeFile(itemId: string, call: CallView, file: Attached | null): void {
  const { file: _, ...typed } = draftOf(useDecision.getState().drafts[itemId], call).answer;
  const { verdict } = draftOf(useDecision.getState().drafts[itemId], call);
  const answer = file === null ? typed : { ...typed, file };
  useDecision.getState().editDraft(itemId, call, { answer, ...(verdict === 'answer' && { verdict: null }) });
}

/** Asks for a file in the system's own dialog; null when the person cancelled. */
export const pickFile = (): Promise<Outcome<Attached | null>> => ask('answer:pick');

/** The file that was dropped on the form: one, whole, as text. */
export async function droppedFile(transfer: DataTransfer): Promise<Outcome<Attached | null>> {
  const [file, second] = transfer.files;
  if (file === undefined) return refused('bad_request', text.intake.noFile);
  if (second !== undefined) return refused('bad_request', text.answer.oneFile);
  if (transfer.items[0]?.webkitGetAsEntry?.()?.isDirectory) return refused('bad_request', text.answer.folder);
  if (file.size > MAX_ATTACHED_BYTES) return tooLargeToAttach(file.name, file.size);
  try {
    return await ask('answer:bytes', file.name, new Uint8Array(await file.arrayBuffer()));
  } catch (cause) {
    return refused('bad_request', text.intake.unreadable(String(cause)));
  }
}
