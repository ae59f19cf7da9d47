import type { Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Longer texts are shown as written. */
const LONGEST = 16 * 1024;
/** More of one kind than an honest text has: what is built to make a reader of it slow or deep. */
const MOST: readonly (readonly [RegExp, number])[] = [
  [/\[/g, 400],
  [/</g, 400],
  [/[*_~]/g, 2_000],
  [/`/g, 1_000],
  [/\|/g, 2_000],
  [/&/g, 1_000],
];
/** Deep quotes and lists, rows of very many cells, blank lines that would be swallowed, keys over many lines. */
const UNFIT = /^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])){12}|^(?:[^|\n]*\|){60}|^[ \t]{60}|\n(?:[ \t]*\n){6}|-----BEGIN /m;

/** The parts of a text that is Markdown; null where it is shown as written instead. */
export function markdownOf(text: string): Root | null {
  if (text.length > LONGEST || UNFIT.test(text)) return null;
  if (MOST.some(([sign, most]) => (text.match(sign)?.length ?? 0) > most)) return null;
  try {
    return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  } catch {
    // What its reader gives up on is shown as it is.
    return null;
  }
}
