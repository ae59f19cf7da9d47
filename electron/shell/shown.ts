import { segments } from '../../shared/hidden-text.js';

/** Longer than this is cut in the middle of a question; its length is told. */
const LONGEST = 300;

/**
 * Text from outside within a native question: in quotes, on one line, with nothing in it that would not be seen. `longest`:
 * what stands whole; whoever asks for more sees to it that the whole question can be read.
 */
export function shown(text: string, longest = LONGEST): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}… (${text.length} characters)` : text;
  const marked = segments(cut)
    .map((piece) => (piece.kind === 'plain' ? piece.text : `[U+${piece.codePoint.toString(16).toUpperCase()}]`))
    .join('');
  return `“${marked.replace(/\n/g, '[line feed]').replace(/\t/g, '[tab]')}”`;
}
