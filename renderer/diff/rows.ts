import type { DiffLine } from '../decision/diff.js';

/** One row of a difference; `before` and `after` are line numbers, null where the side has no such line. */
export type DiffRow =
  | { kind: 'same' | 'del' | 'add'; text: string; before: number | null; after: number | null }
  /** Lines that are the same on both sides, folded. */
  | { kind: 'folded'; lines: DiffRow[] };

/** The two sides of one row, side by side. */
export interface SidePair {
  before: { number: number; text: string; changed: boolean } | null;
  after: { number: number; text: string; changed: boolean } | null;
}

/** So many equal lines stay around a change. */
const AROUND = 3;
const WORTH_FOLDING = 4;

export function numbered(lines: readonly DiffLine[]): Extract<DiffRow, { text: string }>[] {
  let before = 0;
  let after = 0;
  return lines.map(({ kind, text }) => {
    if (kind !== 'add') before += 1;
    if (kind !== 'del') after += 1;
    return { kind, text, before: kind === 'add' ? null : before, after: kind === 'del' ? null : after };
  });
}

/** Long runs of equal lines become one row that can be unfolded. */
export function folded(lines: readonly DiffLine[]): DiffRow[] {
  const rows = numbered(lines);
  const found: DiffRow[] = [];
  for (let from = 0; from < rows.length; ) {
    let to = from;
    while (rows[to]?.kind === 'same') to += 1;
    if (to === from) {
      found.push(...rows.slice(from, from + 1));
      from += 1;
      continue;
    }
    const head = from === 0 ? from : from + AROUND;
    const tail = to === rows.length ? to : to - AROUND;
    const middle = rows.slice(head, Math.max(head, tail));
    if (middle.length < WORTH_FOLDING) found.push(...rows.slice(from, to));
    else found.push(...rows.slice(from, head), { kind: 'folded', lines: middle }, ...rows.slice(tail, to));
    from = to;
  }
  return found;
}

/** Lines that went out beside those that came in for them. */
export function sideBySide(rows: readonly Extract<DiffRow, { text: string }>[]): SidePair[] {
  const pairs: SidePair[] = [];
  const side = (row: (typeof rows)[number], number: number | null): SidePair['before'] =>
    number === null ? null : { number, text: row.text, changed: row.kind !== 'same' };
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (row === undefined) break;
    if (row.kind === 'same') {
      pairs.push({ before: side(row, row.before), after: side(row, row.after) });
      at += 1;
      continue;
    }
    let end = at;
    while (rows[end] !== undefined && rows[end]?.kind !== 'same') end += 1;
    const out = rows.slice(at, end).filter(({ kind }) => kind === 'del');
    const into = rows.slice(at, end).filter(({ kind }) => kind === 'add');
    for (let i = 0; i < Math.max(out.length, into.length); i++) {
      const [left, right] = [out[i], into[i]];
      pairs.push({ before: left ? side(left, left.before) : null, after: right ? side(right, right.after) : null });
    }
    at = end;
  }
  return pairs;
}
