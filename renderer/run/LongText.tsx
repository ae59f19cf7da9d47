import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { text as words } from '../text.js';
import { rowOfWarning } from './jump-row.js';
import { Marked } from './Marked.js';
import { ReachEnd } from './ReachEnd.js';
import { rowsOf, type TextRow } from './text-lines.js';

/** Above this many rows only those near the window's view are in the page. */
const VIRTUAL_ABOVE = 300;
const ROW_HEIGHT = 20;
/** Room for line numbers and edges, and the width of one monospaced character: for a first guess only. */
const EDGES = 64;
const CHARACTER = 7.25;

interface Props {
  lines: readonly string[];
  /** Names the region for a screen reader. */
  label: string;
  /** Bounded regions scroll by themselves; others grow with their text. */
  bounded?: boolean;
  /** Code of a warning that was followed here: the first row that it may mean comes into view. */
  jump?: string | null;
  onReached?: () => void;
}

/** Text of any length with line numbers, wrapped, nothing cut. */
export function LongText({ lines, label, bounded = false, jump = null, onReached }: Props) {
  const rows = useMemo(() => rowsOf(lines), [lines]);
  const pointed = useMemo(() => (jump === null ? -1 : rowOfWarning(jump, rows)), [jump, rows]);
  if (rows.length > VIRTUAL_ABOVE)
    return <VirtualRows rows={rows} label={label} pointed={pointed} onReached={onReached} />;
  const body = rows.map((row, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows of one text never move
    <Row key={i} row={row} pointed={i === pointed} />
  ));
  const end = onReached && <ReachEnd onReached={onReached} />;
  if (!bounded)
    return (
      <div className="long-text" data-exact>
        {body}
        {end}
      </div>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="long-text bounded" aria-label={label} tabIndex={0} data-exact>
      {body}
      {end}
    </section>
  );
}

function VirtualRows({
  rows,
  label,
  pointed,
  onReached,
}: {
  rows: readonly TextRow[];
  label: string;
  pointed: number;
  onReached: (() => void) | undefined;
}) {
  const region = useRef<HTMLElement>(null);
  const [perLine, setPerLine] = useState(64);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => region.current,
    // A good guess keeps the end where it is while rows are measured on the way to it.
    estimateSize: (index) => ROW_HEIGHT * Math.max(1, Math.ceil((rows[index]?.text.length ?? 0) / perLine)),
    overscan: 20,
  });
  useLayoutEffect(() => {
    const width = region.current?.clientWidth ?? 0;
    if (width > 0) setPerLine(Math.max(8, Math.floor((width - EDGES) / CHARACTER)));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: guesses made for another width are thrown away
  useLayoutEffect(() => virtual.measure(), [perLine]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each row that is pointed at
  useEffect(() => {
    if (pointed >= 0) virtual.scrollToIndex(pointed, { align: 'center' });
  }, [pointed]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={region} className="long-text bounded" aria-label={label} tabIndex={0} data-exact>
      <div className="virtual-space" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="virtual-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {row && <Row row={row} pointed={item.index === pointed} />}
            </div>
          );
        })}
      </div>
      {onReached && <ReachEnd onReached={onReached} />}
    </section>
  );
}

function Row({ row, pointed }: { row: TextRow; pointed: boolean }) {
  return (
    <div className={pointed ? 'text-row pointed' : 'text-row'} data-line={row.ends ? 'ends' : 'goes-on'}>
      <span className="gutter" aria-hidden="true" data-gutter>
        {row.number ?? ''}
      </span>
      {row.blankLines === undefined ? (
        <span className="text-row-body">
          <Marked text={row.text} />
        </span>
      ) : (
        <span className="mark folded-run" data-real={row.text}>
          {words.marks.blank_lines(row.blankLines)}
        </span>
      )}
    </div>
  );
}
