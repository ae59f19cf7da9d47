import { characterName } from './character-name.js';

/** A piece of text to show: as it is, or as a visible mark in place of a character nobody would see (I10). */
export type Segment = { kind: 'plain'; text: string } | { kind: 'mark'; codePoint: number; name: string };

/**
 * Characters that are invisible, reorder the line or steer a terminal: Cc (but \n and \t), Cf, Zl, Zp, Co, Cs, Cn, and
 * the ignorable ones outside these, such as variation selectors, which can carry a hidden message. So are the blanks
 * that look like a space and are none: Zs but U+0020, the Braille blank and the object replacement character. One variation
 * selector right after an emoji is how it is written, and is left alone. Letters of any script are never marked.
 */
const HIDDEN =
  /(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F]|((?![\n\t ])[\p{Zs}\u2800\uFFFC\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}])/gu;

export function hasHidden(text: string): boolean {
  return marks(text).next().done === false;
}

/** Nothing is dropped: the pieces joined, with each mark as its character, are the text. */
export function segments(text: string): Segment[] {
  const pieces: Segment[] = [];
  let from = 0;
  for (const { at, character } of marks(text)) {
    if (at > from) pieces.push({ kind: 'plain', text: text.slice(from, at) });
    const codePoint = character.codePointAt(0) ?? 0;
    pieces.push({ kind: 'mark', codePoint, name: characterName(codePoint) });
    from = at + character.length;
  }
  if (from < text.length) pieces.push({ kind: 'plain', text: text.slice(from) });
  return pieces;
}

function* marks(text: string): Generator<{ at: number; character: string }> {
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[1];
    if (character !== undefined) yield { at: match.index, character };
  }
}
