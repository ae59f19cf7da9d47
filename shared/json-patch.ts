export interface Patch {
  /** UTF-16 offsets of what is replaced; equal ones insert. */
  start: number;
  end: number;
  replacement: string;
}

/** The text with several spans replaced and nothing else changed. The spans must not overlap. */
export function patchSpans(text: string, patches: readonly Patch[]): string {
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end, replacement } of patches.toSorted((a, b) => a.start - b.start)) {
    if (start < from || end < start) throw new RangeError(`patches overlap at ${start}`);
    pieces.push(text.slice(from, start), replacement);
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces.join('');
}
