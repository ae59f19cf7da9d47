/** A line that is not blank, and what stands before it. */
export interface Line {
  line: string;
  before: { lines: number; bytes: number };
}

export function linesOf(text: string): Line[] {
  const encoder = new TextEncoder();
  let bytes = 0;
  return text.split('\n').flatMap((line, lines) => {
    const before = { lines, bytes };
    bytes += encoder.encode(line).length + 1;
    return line.trim() === '' ? [] : [{ line, before }];
  });
}
