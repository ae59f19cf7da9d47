import { announce } from '../app/focus.js';
import { note } from '../app/toast-store.js';
import { text } from '../text.js';

/**
 * Puts the real text on the clipboard, and says whether it worked. The copy command comes first: it needs the click
 * only, while the clipboard interface asks for a permission that the application denies to every page.
 */
export async function copyText(real: string): Promise<void> {
  if (copyByCommand(real)) {
    announce(text.copied);
    return;
  }
  try {
    await navigator.clipboard.writeText(real);
    announce(text.copied);
  } catch (error) {
    note(text.notCopied(String(error)), 'refused');
  }
}

function copyByCommand(real: string): boolean {
  let copied = false;
  const onCopy = (event: ClipboardEvent): void => {
    event.clipboardData?.setData('text/plain', real);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  document.addEventListener('copy', onCopy, { capture: true, once: true });
  const ran = typeof document.execCommand === 'function' && document.execCommand('copy');
  document.removeEventListener('copy', onCopy, { capture: true });
  return ran && copied;
}
