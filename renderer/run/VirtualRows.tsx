import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { TextRow } from './text-lines.js';

const ROW_HEIGHT = 20;
/** Room for line numbers and edges, and the width of one monospaced character: for a first guess only. */
const EDGES = 64;
const CHARACTER = 7.25;

interface Props {
  rows: readonly TextRow[];
  row: (index: number) => ReactNode;
  label: string;
  /** Comes into view; -1: none. */
  pointed: number;
  end: ReactNode;
}

/** A region of many rows, of which only those near the view are in the page. */
export function VirtualRows({ rows, row, label, pointed, end }: Props) {
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
        {virtual.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            className="virtual-row"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
      {end}
    </section>
  );
}
