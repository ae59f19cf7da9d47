/** One line of the result. With a limit it is an aim that is met or missed; without one it is said and judged by nobody. */
export interface Row {
  name: string;
  value: number;
  unit: 'x' | 'syncs' | 'opens' | 'MB' | 'ms' | 's';
  /** Met when the value is at most (or, with `atLeast`, at least) this; `exactly`: when it is this. */
  limit?: number;
  rule?: 'atMost' | 'atLeast' | 'exactly';
  /** What the value was made of, and anything a reader should know. */
  facts?: Record<string, number | string>;
}

const rows: (Row & { met: boolean | null })[] = [];
const round = (value: number): number => Math.round(value * 1000) / 1000;

function isMet({ value, limit, rule = 'atMost' }: Row): boolean | null {
  if (limit === undefined) return null;
  if (rule === 'exactly') return value === limit;
  return rule === 'atMost' ? value <= limit : value >= limit;
}

/** Prints one row as a JSON line, and keeps it for the table. A value that is no number was not measured: a missed aim. */
export function report(row: Row): void {
  const facts = Object.entries(row.facts ?? {}).map(([name, fact]) => [
    name,
    typeof fact === 'number' ? round(fact) : fact,
  ]);
  const said = { ...row, value: round(row.value), facts: Object.fromEntries(facts), met: isMet(row) };
  rows.push(said);
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

/** The table and the closing line; false when an aim was missed. */
export function closing(seconds: number): boolean {
  const sign = { atMost: '≤', atLeast: '≥', exactly: '=' };
  const cells = rows.map(({ name, value, unit, limit, rule = 'atMost', met }) => [
    name,
    Number.isFinite(value) ? `${value} ${unit}` : 'not measured',
    limit === undefined ? '' : `${sign[rule]} ${limit}`,
    met === null ? '' : met ? 'met' : 'MISSED',
  ]);
  const widths = [0, 1, 2, 3].map((n) => Math.max(...cells.map((row) => row[n]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  process.stdout.write(`\n${cells.map(line).join('\n')}\n`);
  const aims = rows.filter(({ met }) => met !== null);
  const missed = aims.filter(({ met }) => met === false);
  const names = missed.length === 0 ? '' : `: ${missed.map(({ name }) => name).join('; ')}`;
  process.stdout.write(
    `\nbench: ${aims.length - missed.length} aims met, ${missed.length} missed${names} (${Math.round(seconds)} s)\n`,
  );
  return missed.length === 0;
}
