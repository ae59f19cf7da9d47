import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useNow } from '../app/clock.js';
import { LIST_ID } from '../app/focus.js';
import { openCard } from '../app/run-action.js';
import { useBulk } from '../bulk/bulk-store.js';
import { extendMarks } from '../bulk/marks.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';
import { FoldLine } from './FoldLine.js';
import { ListHead } from './ListHead.js';
import { QueueRow, rowDomId } from './QueueRow.js';
import { useQueue } from './queue-store.js';

const VIRTUAL_ABOVE = 150;
const ROW_HEIGHT = 54;
/** Rows beyond the edges that are in the page already. */
const OVERSCAN = 10;

/** The list: one stop for the keyboard, its rows are options; it never moves under the hand. */
export function Queue() {
  const { state, items, selected, at, query, loaded, refusal, select, move, hold, see, fold } = useQueue();
  const marks = useBulk((s) => s.marks);
  const now = useNow(15_000);
  const scroller = useRef<HTMLDivElement>(null);
  const count = state?.items ?? 0;
  const list = state?.list ?? 0;
  const isVirtual = count > VIRTUAL_ABOVE;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
    enabled: isVirtual,
  });
  const shown = isVirtual ? virtual.getVirtualItems() : [];
  const [from, to] = isVirtual ? [shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0] : [0, Math.max(0, count - 1)];

  // A list that goes away is held by nobody.
  useEffect(() => () => hold({ pointer: false, focus: false }), [hold]);

  // Whatever comes on screen is fetched; a list that was built anew is another one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (count > 0) see(from, to);
  }, [from, to, count, list, see]);

  // Only a change of selection scrolls, and only as far as needed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that move must not scroll the list
  useEffect(() => {
    if (at < 0) return;
    if (isVirtual) virtual.scrollToIndex(at, { align: 'auto' });
    else document.getElementById(rowDomId(at))?.scrollIntoView?.({ block: 'nearest' });
  }, [selected, selected === null ? at : null]);

  const row = (index: number) => {
    const item = items.get(index);
    if (item?.kind === 'old')
      return (
        <FoldLine
          key="old"
          item={item}
          index={index}
          count={count}
          selected={selected === null && at === index}
          onToggle={() => void fold(index)}
        />
      );
    return item ? (
      <QueueRow
        key={item.row.id}
        item={item}
        index={index}
        count={count}
        selected={item.row.id === selected}
        marked={marks.size === 0 ? null : marks.has(item.row.id)}
        now={now}
        onSelect={select}
        onOpen={openCard}
        onFold={fold}
      />
    ) : (
      <div key={index} className="row coming" aria-hidden="true" />
    );
  };

  return (
    <section
      className="list"
      aria-label={words.queue.label(words.view[query.view])}
      onPointerEnter={() => hold({ pointer: true })}
      onPointerLeave={() => hold({ pointer: false })}
    >
      <ListHead />
      {refusal && (
        <p className="refused" role="alert">
          <Marked text={refusal.text} />
        </p>
      )}
      <div
        ref={scroller}
        id={LIST_ID}
        className="rows"
        data-testid="queue"
        data-list={list}
        role="listbox"
        tabIndex={0}
        aria-label={words.queue.label(words.view[query.view])}
        aria-activedescendant={at >= 0 ? rowDomId(at) : undefined}
        onFocus={() => hold({ focus: true })}
        onBlur={() => hold({ focus: false })}
        onKeyDown={(event) => {
          const turn = { ArrowRight: true, ArrowLeft: false }[event.key];
          const item = items.get(at);
          const folded = item?.kind === 'old' ? item : item?.same;
          if (turn !== undefined && folded && folded.shown !== turn) {
            event.preventDefault();
            void fold(at);
          }
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
          const jump = { Home: 'first', End: 'last' }[event.key];
          if (by === undefined && jump === undefined) return;
          event.preventDefault();
          if (by !== undefined && event.shiftKey && Math.abs(by) === 1) void extendMarks(by > 0 ? 1 : -1);
          else if (by !== undefined) move(by);
          else move(jump === 'first' ? 'first' : 'last');
        }}
      >
        {isVirtual ? (
          <div className="virtual-space" style={{ height: virtual.getTotalSize() }}>
            {shown.map((item) => (
              <div
                key={item.key}
                className="virtual-row"
                role="presentation"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                {row(item.index)}
              </div>
            ))}
          </div>
        ) : (
          Array.from({ length: count }, (_, index) => row(index))
        )}
        {count === 0 && (
          // A list of options must have one: that there is nothing is said as the only one, and cannot be taken.
          <div className="empty-note" role="option" tabIndex={-1} aria-disabled="true" aria-selected="false">
            {loaded && !state?.reading ? words.queue.empty[query.view] : words.loading}
          </div>
        )}
      </div>
    </section>
  );
}
