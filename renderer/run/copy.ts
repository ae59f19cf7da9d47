import { announce } from '../app/focus.js';
import { note } from '../app/toast-store.js';
import { text } from '../text.js';

/** Puts the real text on the clipboard, and says whether it worked. */
export async function copyText(real: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(real);
    announce(text.copied);
  } catch (error) {
    note(text.notCopied(String(error)), 'refused');
  }
}
