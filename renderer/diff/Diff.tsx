import { Fragment, useMemo, useState } from 'react';
import { DIFF_MODES, type DiffMode, useUi } from '../app/ui-store.js';
import type { DiffLine } from '../decision/diff.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { type DiffRow, folded, type SidePair, sideBySide } from './rows.js';

/** Laid out at one time; the rest on demand. */
const PAGE = 1_500;
type Line = Extract<DiffRow, { text: string }>;

/** A difference, unified or side by side, as the reviewer last chose; long runs of equal lines fold. */
export function Diff({ lines, label }: { lines: readonly DiffLine[]; label: string }) {
  const mode = useUi((s) => s.diffMode);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [most, setMost] = useState(PAGE);
  const rows = useMemo(() => folded(lines), [lines]);
  const shown = rows.slice(0, most);
  const blocks = blocksOf(shown, open);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={`diff ${mode}`} aria-label={label} tabIndex={0} data-exact>
      {blocks.map((block) =>
        block.kind === 'folded' ? (
          <button
            key={`f${block.at}`}
            type="button"
            className="link unfold"
            data-gutter
            onClick={() => setOpen(new Set([...open, block.at]))}
          >
            {words.diff.same(block.lines)}
          </button>
        ) : (
          <Fragment key={block.at}>
            {mode === 'side_by_side'
              ? sideBySide(block.rows).map((pair, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: rows of one difference never move
                  <Pair key={i} pair={pair} />
                ))
              : block.rows.map((row, i) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: see above
                  <Unified key={i} row={row} />
                ))}
          </Fragment>
        ),
      )}
      {rows.length > most && (
        <button type="button" className="link unfold" data-gutter onClick={() => setMost(most + PAGE)}>
          {words.diff.more(rows.length - most)}
        </button>
      )}
    </section>
  );
}

/** Which way differences are shown; the key does the same. */
export function DiffModes() {
  const mode = useUi((s) => s.diffMode);
  return (
    <fieldset className="diff-modes" aria-label={words.diff.mode}>
      {DIFF_MODES.map((one: DiffMode) => (
        <button
          key={one}
          type="button"
          className="link"
          aria-pressed={mode === one}
          onClick={() => useUi.setState({ diffMode: one })}
        >
          {words.diff.modes[one]}
        </button>
      ))}
    </fieldset>
  );
}

type Block = { kind: 'rows'; at: number; rows: Line[] } | { kind: 'folded'; at: number; lines: number };

/** Rows that stand together, between folds that are still closed. */
function blocksOf(rows: readonly DiffRow[], open: ReadonlySet<number>): Block[] {
  const blocks: Block[] = [];
  const put = (at: number, more: readonly Line[]): void => {
    const last = blocks.at(-1);
    if (last?.kind === 'rows') last.rows.push(...more);
    else blocks.push({ kind: 'rows', at, rows: [...more] });
  };
  rows.forEach((row, at) => {
    if (row.kind !== 'folded') put(at, [row]);
    else if (open.has(at))
      put(
        at,
        row.lines.filter((line): line is Line => line.kind !== 'folded'),
      );
    else blocks.push({ kind: 'folded', at, lines: row.lines.length });
  });
  return blocks;
}

function Unified({ row }: { row: Line }) {
  return (
    <div className={row.kind} data-line="ends">
      <span className="sign" data-gutter>
        <span className="num" aria-hidden="true">
          {row.after ?? row.before}
        </span>
        <span aria-hidden="true">{words.diff.sign[row.kind]}</span>
        {row.kind !== 'same' && <span className="visually-hidden">{words.diff[row.kind]}</span>}
      </span>
      <Marked text={row.text} reveal />
    </div>
  );
}

function Pair({ pair }: { pair: SidePair }) {
  return (
    <div className="pair">
      <Half side={pair.before} kind="del" />
      <Half side={pair.after} kind="add" />
    </div>
  );
}

function Half({ side, kind }: { side: SidePair['before']; kind: 'del' | 'add' }) {
  if (side === null) return <div className="half none" />;
  return (
    <div className={`half ${side.changed ? kind : 'same'}`} data-line="ends">
      <span className="sign" data-gutter>
        <span className="num" aria-hidden="true">
          {side.number}
        </span>
        {side.changed && <span className="visually-hidden">{words.diff[kind]}</span>}
      </span>
      <Marked text={side.text} reveal />
    </div>
  );
}
