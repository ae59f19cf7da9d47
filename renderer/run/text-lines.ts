/** One row of a numbered text. A long line goes over several rows; only its first row carries the number. */
export interface TextRow {
  number: number | null;
  text: string;
  /** False when the line goes on in the next row. */
  ends: boolean;
  /** Set when the row stands for this many blank lines. */
  blankLines?: number;
}

const ROW_UNITS = 1_000;
const MANY_BLANK = 5;

/** Rows for lines of text; runs of more than five blank lines become one row with their count. */
export function rowsOf(lines: readonly string[]): TextRow[] {
  const rows: TextRow[] = [];
  for (let at = 0; at < lines.length; at++) {
    const blank = blankRun(lines, at);
    if (blank > MANY_BLANK) {
      rows.push({ number: at + 1, text: lines.slice(at, at + blank).join('\n'), ends: true, blankLines: blank });
      at += blank - 1;
    } else {
      rows.push(...splitLine(lines[at] ?? '', at + 1));
    }
  }
  return rows;
}

function blankRun(lines: readonly string[], from: number): number {
  let count = 0;
  while (from + count < lines.length && (lines[from + count] ?? '').trim() === '') count += 1;
  return count;
}

function splitLine(line: string, number: number): TextRow[] {
  if (line.length <= ROW_UNITS) return [{ number, text: line, ends: true }];
  const rows: TextRow[] = [];
  for (let from = 0; from < line.length; ) {
    let to = Math.min(from + ROW_UNITS, line.length);
    // Never between the halves of a surrogate pair.
    if (to < line.length && /[\uD800-\uDBFF]/.test(line.charAt(to - 1))) to -= 1;
    rows.push({ number: from === 0 ? number : null, text: line.slice(from, to), ends: to === line.length });
    from = to;
  }
  return rows;
}
