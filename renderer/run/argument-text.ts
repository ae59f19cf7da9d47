import type { CallView } from '../../shared/ipc.js';
import type { Refusal } from '../../shared/refusal.js';
import { call as ask } from '../bridge.js';
import { sha256 } from './sha256.js';

/** How much of one call's argument text is here, and whether it is the text that the digest names. */
export type ArgumentText =
  /** The first part only; the rest is fetched when the reviewer asks for it. */
  | { state: 'partial'; text: string }
  | { state: 'loading'; text: string; here?: number }
  /** All of it, and its sha256 is the one the decision will name (I12). */
  | { state: 'whole'; text: string }
  /** All of it, but it is not what the digest names: never approvable. */
  | { state: 'wrong'; text: string }
  | { state: 'refused'; text: string; refusal: Refusal };

/** Up to this many UTF-16 units are fetched without being asked for. */
export const FETCHED_BY_ITSELF = 1024 * 1024;

/** Fetches what is missing slice by slice, tells the progress, and checks the digest at the end. */
export async function fetchWhole(
  itemId: string,
  view: CallView,
  onProgress: (here: number) => void,
): Promise<ArgumentText> {
  let text = view.argumentsText;
  while (text.length < view.argumentsLength) {
    const reply = await ask('run:argument', itemId, view.index, text.length);
    if (!reply.ok) return { state: 'refused', text, refusal: reply.refusal };
    // A slice that adds nothing would never end; the digest check below says that something is missing.
    if (reply.value.from !== text.length || reply.value.text === '') break;
    text += reply.value.text;
    onProgress(text.length);
  }
  const digest = await sha256(text);
  return { state: digest === view.argumentsSha256 ? 'whole' : 'wrong', text };
}
