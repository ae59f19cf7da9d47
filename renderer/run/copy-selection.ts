/**
 * What is copied from the page is the real text, not its marks: a mark carries the characters it stands for, and a line
 * of a numbered text ends with its newline.
 */
export function realTextOf(fragment: DocumentFragment): string {
  for (const mark of fragment.querySelectorAll('[data-real]'))
    mark.replaceWith(document.createTextNode(mark.getAttribute('data-real') ?? ''));
  for (const gutter of fragment.querySelectorAll('[data-gutter]')) gutter.remove();
  const lines = [...fragment.querySelectorAll('[data-line]')];
  for (const line of lines.slice(0, -1)) if (line.getAttribute('data-line') === 'ends') line.append('\n');
  return fragment.textContent ?? '';
}

/** Puts the real text of the selection on the clipboard, when marks or numbered lines are in it. */
export function onCopy(event: ClipboardEvent): void {
  const selection = document.getSelection();
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed || !event.clipboardData) return;
  const fragment = selection.getRangeAt(0).cloneContents();
  if (fragment.querySelector('[data-real], [data-line]') === null) return;
  event.clipboardData.setData('text/plain', realTextOf(fragment));
  event.preventDefault();
}
