export interface TextPlace {
  /** Byte offset in the UTF-8 form of the text. */
  offset: number;
  /** 1-based; a line ends at \n. */
  line: number;
  /** 1-based, in UTF-16 units. */
  column: number;
}

/** Places of several ascending UTF-16 offsets, in one pass over the text. */
export function placesOf(text: string, ascending: readonly number[]): TextPlace[] {
  const places: TextPlace[] = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  let at = 0;
  for (const target of ascending) {
    for (; at < target && at < text.length; at++) {
      const unit = text.charCodeAt(at);
      // A surrogate pair is four bytes: two for each half.
      offset += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
      if (unit === 0x0a) {
        line += 1;
        lineStart = at + 1;
      }
    }
    places.push({ offset, line, column: at - lineStart + 1 });
  }
  return places;
}
