import { readJsonText } from '../../shared/json.js';
import { prettyLines } from '../run/pretty.js';

export interface DiffLine {
  kind: 'same' | 'del' | 'add';
  text: string;
}

/** Beyond this many differing lines a side, the middle is shown as all out and all in. */
const MOST = 1_500;

/** JSON laid out over lines with its tokens kept; any other text as its own lines. */
export function linesOf(text: string): string[] {
  const read = readJsonText(text);
  return read.ok ? prettyLines(read.text, read.root, 'as_written') : text.split('\n');
}

/** Differences between two argument texts, by lines of the layout; by raw text when only blanks differ. */
export function diffTexts(before: string, after: string): DiffLine[] {
  const diff = diffLines(linesOf(before), linesOf(after));
  const differs = diff.some((line) => line.kind !== 'same');
  return differs || before === after ? diff : diffLines(before.split('\n'), after.split('\n'));
}

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let tail = 0;
  while (
    tail < before.length - start &&
    tail < after.length - start &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(before.slice(0, start)),
    ...middle(before.slice(start, before.length - tail), after.slice(start, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ];
}

/** Longest common subsequence over what is left between equal ends. */
function middle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const out = (lines: readonly string[], kind: DiffLine['kind']): DiffLine[] => lines.map((text) => ({ kind, text }));
  if (before.length > MOST || after.length > MOST) return [...out(before, 'del'), ...out(after, 'add')];
  const width = after.length + 1;
  const length = new Uint16Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      length[i * width + j] =
        before[i] === after[j]
          ? (length[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(length[(i + 1) * width + j] ?? 0, length[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    const b = before[i];
    const a = after[j];
    if (b !== undefined && b === a) {
      lines.push({ kind: 'same', text: b });
      i += 1;
      j += 1;
    } else if (
      b !== undefined &&
      (a === undefined || (length[(i + 1) * width + j] ?? 0) >= (length[i * width + j + 1] ?? 0))
    ) {
      lines.push({ kind: 'del', text: b });
      i += 1;
    } else if (a !== undefined) {
      lines.push({ kind: 'add', text: a });
      j += 1;
    }
  }
  return lines;
}
