import type { Keyboard } from '../decision/guard.js';
import { LIST_ID } from './focus.js';

/** Who has the keyboard now, read from the focused element. */
export function keyboardOwner(element: Element | null): Keyboard {
  if (element === null || element === document.body) return 'page';
  if (isTextField(element)) return 'text';
  if (element.closest('[role="menu"], [data-menu], select') !== null) return 'menu';
  if (element.closest(`#${LIST_ID}`) !== null) return 'list';
  if (element.closest('button, a[href], summary, input, [role="button"]') !== null) return 'control';
  return 'page';
}

function isTextField(element: Element): boolean {
  if (element instanceof HTMLTextAreaElement) return true;
  if (element instanceof HTMLElement && element.isContentEditable) return true;
  return element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(element.type);
}
