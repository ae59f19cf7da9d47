/** One row of a numbered text. A long line goes over several rows; only its first row carries the number. */
export interface TextRow {
  number: number | null;
  text: string;
  /** Where the row begins in the whole text, in UTF-16 units. */
  at: number;
  /** False when the line goes on in the next row. */
  ends: boolean;
  /** Set when the row stands for this many blank lines. */
  blankLines?: number;
}

/** A part of a text that is laid out at one time. */
export interface TextPage {
  start: number;
  end: number;
  /** Number of the line that it begins in. */
  line: number;
  /** False when it begins in the middle of a line. */
  fresh: boolean;
}

const ROW_UNITS = 1_000;
const MANY_BLANK = 5;
/** A page ends with the line that takes it over one of these, or in the middle of a longer line. */
const PAGE_UNITS = 256 * 1024;
const PAGE_LINES = 10_000;

/** Where a text is cut into pages: one pass, whatever its size. Nearly every text is one page. */
export function pagesOf(text: string): TextPage[] {
  const pages: TextPage[] = [];
  let page: TextPage = { start: 0, end: 0, line: 1, fresh: true };
  let line = 1;
  const cut = (at: number, fresh: boolean): void => {
    pages.push({ ...page, end: at });
    page = { start: at, end: at, line, fresh };
  };
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next + 1;
    while (end - page.start > PAGE_UNITS * 2) {
      const limit = Math.max(at, page.start) + PAGE_UNITS;
      // Never between the halves of a surrogate pair.
      cut(/[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit, false);
    }
    if (next !== -1) line += 1;
    if (next !== -1 && end < text.length && (end - page.start >= PAGE_UNITS || line - page.line >= PAGE_LINES))
      cut(end, true);
    at = end;
  }
  pages.push({ ...page, end: text.length });
  return pages;
}

/** Rows of one page; runs of more than five blank lines become one row with their count. */
export function rowsOf(text: string, page: TextPage): TextRow[] {
  const rows: TextRow[] = [];
  let at = page.start;
  let number = page.line;
  // The newline that ends a page belongs to it; the line after it is the next page's first.
  const closed = page.end < text.length && text.charAt(page.end - 1) === '\n';
  const lines = text.slice(page.start, closed ? page.end - 1 : page.end).split('\n');
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? '';
    const blank = blankRun(lines, i);
    if (blank > MANY_BLANK) {
      const run = lines.slice(i, i + blank).join('\n');
      rows.push({ number, text: run, at, ends: true, blankLines: blank });
      at += run.length + 1;
      number += blank;
      i += blank - 1;
      continue;
    }
    const isFirst = i > 0 || page.fresh;
    const isWhole = i < lines.length - 1 || closed || page.end === text.length;
    rows.push(...splitLine(line, at, isFirst ? number : null, isWhole));
    at += line.length + 1;
    number += 1;
  }
  return rows;
}

function blankRun(lines: readonly string[], from: number): number {
  let count = 0;
  while (from + count < lines.length && (lines[from + count] ?? '').trim() === '') count += 1;
  return count;
}

function splitLine(line: string, at: number, number: number | null, isWhole: boolean): TextRow[] {
  if (line.length <= ROW_UNITS) return [{ number, text: line, at, ends: isWhole }];
  const rows: TextRow[] = [];
  for (let from = 0; from < line.length; ) {
    let to = Math.min(from + ROW_UNITS, line.length);
    // Never between the halves of a surrogate pair.
    if (to < line.length && /[\uD800-\uDBFF]/.test(line.charAt(to - 1))) to -= 1;
    const ends = to === line.length && isWhole;
    rows.push({ number: from === 0 ? number : null, text: line.slice(from, to), at: at + from, ends });
    from = to;
  }
  return rows;
}
