import { hasHidden, segments } from '../../shared/hidden-text.js';

/** Text of a record for a terminal: characters that nobody would see, or that steer the terminal, become marks (I10). */
export function visible(text: string): string {
  if (!hasHidden(text)) return text;
  return segments(text)
    .map((piece) =>
      piece.kind === 'plain'
        ? piece.text
        : `[U+${piece.codePoint.toString(16).toUpperCase().padStart(4, '0')} ${piece.name}]`,
    )
    .join('');
}

/** The same on one line: a record cannot begin a line of its own. */
export function oneLine(text: string, longest = Number.POSITIVE_INFINITY): string {
  const cut = text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  return visible(cut).replace(/\n/g, '[line feed]').replace(/\t/g, '[tab]');
}

/** Several lines, each set off by the same margin, so that none can pass for one of ours. */
export function block(text: string, margin: string): string {
  return visible(text)
    .split('\n')
    .map((line) => `${margin}${line}`)
    .join('\n');
}

/** Rows as columns, as wide as their widest cell; the last column is as long as it likes. */
export function table(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows
    .map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '))
    .join('\n');
}
