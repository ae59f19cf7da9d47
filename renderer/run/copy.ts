import { hiddenCharacters } from '../../shared/hidden-text.js';
import { maskSpans } from '../../shared/mask.js';
import { secretSpans } from '../../shared/secret-spans.js';
import { announce } from '../app/focus.js';
import { note } from '../app/toast-store.js';
import { text } from '../text.js';

/**
 * Puts the real text on the clipboard, and says whether it worked. The copy command comes first: it needs the click
 * only, while the clipboard interface asks for a permission that the application denies to every page.
 */
export async function copyText(real: string, said: string = text.copied): Promise<void> {
  if (copyByCommand(real)) {
    announce(said);
    return;
  }
  try {
    await navigator.clipboard.writeText(real);
    announce(said);
  } catch (error) {
    note(text.notCopied(String(error)), 'refused');
  }
}

/** The same with the secrets masked, and says so. What nobody would see is in the copy as it is in the text. */
export async function copyMasked(real: string): Promise<void> {
  const secrets = secretSpans(real);
  const hidden = hiddenCharacters(real, 10_000).length;
  await copyText(maskSpans(real, secrets), text.copiedWith(secrets.length, hidden));
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
