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

/** What an emoji of several parts may look like: joined pictures, or a black flag with tags behind it. */
const EMOJI_SEQUENCE =
  /\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)+|\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu;
/** What Unicode lists as one emoji. */
const KNOWN_EMOJI = /^\p{RGI_Emoji}$/v;

/** Nothing but printable ASCII, line feeds and tabs: most texts are told by this alone. */
const PLAIN = /^[\n\t\x20-\x7e]*$/;

export function hasHidden(text: string): boolean {
  return marks(text).next().done === false;
}

/** The characters that would not be seen, in order, each as often as it stands; at most `most`. */
export function hiddenCharacters(text: string, most = Number.POSITIVE_INFINITY): number[] {
  const found: number[] = [];
  for (const { character } of marks(text)) {
    if (found.length >= most) break;
    found.push(character.codePointAt(0) ?? 0);
  }
  return found;
}

/** Embeddings, overrides and isolates make a line read in another order than it is sent in. */
export function reordersText(text: string): boolean {
  return /[\u202A-\u202E\u2066-\u2069]/.test(text);
}

/** ESC or its one-character form: what a terminal takes as an order. */
export function steersTerminal(text: string): boolean {
  return text.includes('\u001B') || text.includes('\u009B');
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
  if (PLAIN.test(text)) return;
  const emoji = knownEmoji(text);
  let next = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const character = match[1];
    if (character === undefined) continue;
    while ((emoji[next]?.end ?? Number.POSITIVE_INFINITY) <= match.index) next += 1;
    const inside = emoji[next];
    if (inside === undefined || match.index < inside.start) yield { at: match.index, character };
  }
}

/** Sequences that Unicode lists as one emoji, a family or the flag of Wales: their joiners and tags are no secret. */
function knownEmoji(text: string): { start: number; end: number }[] {
  return [...text.matchAll(EMOJI_SEQUENCE)]
    .filter(([sequence]) => KNOWN_EMOJI.test(sequence))
    .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}
