import { noteRefusal } from '../app/toast-store.js';
import { call as ask } from '../bridge.js';

/** Fetches what is missing of a text, piece by piece; null, and a note of why, when it cannot be had. */
export async function fetchRest(
  channel: 'run:message' | 'run:result',
  itemId: string,
  index: number,
  { text, length }: { text: string; length: number },
): Promise<string | null> {
  let whole = text;
  while (whole.length < length) {
    const reply = await ask(channel, itemId, index, whole.length);
    if (!reply.ok) {
      noteRefusal(reply.refusal);
      return null;
    }
    if (reply.value.text === '') break;
    whole += reply.value.text;
  }
  return whole;
}
