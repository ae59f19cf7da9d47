import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { useNow } from '../app/clock.js';
import { LIST_ID } from '../app/focus.js';
import { openCard } from '../app/run-action.js';
import { Key } from '../decision/Key.js';
import { text as words } from '../text.js';
import { QueueRow, rowDomId } from './QueueRow.js';
import { useQueue } from './queue-store.js';

const VIRTUAL_ABOVE = 150;
const ROW_HEIGHT = 54;

/** The list: one stop for the keyboard, its rows are options; it never moves under the hand. */
export function Queue() {
  const { list, selected, view, loaded, refusal, select, move, hold, merge } = useQueue();
  const now = useNow(15_000);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = list.shown;
  const isVirtual = rows.length > VIRTUAL_ABOVE;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 10,
    enabled: isVirtual,
  });
  const at = rows.findIndex((row) => row.id === selected);

  // A list that goes away is held by nobody.
  useEffect(() => () => hold({ pointer: false, focus: false }), [hold]);

  // Only a change of selection scrolls, and only as far as needed.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that move must not scroll the list
  useEffect(() => {
    if (at < 0) return;
    if (isVirtual) virtual.scrollToIndex(at, { align: 'auto' });
    else document.getElementById(rowDomId(at))?.scrollIntoView?.({ block: 'nearest' });
  }, [selected]);

  const row = (index: number) => {
    const item = rows[index];
    return item ? (
      <QueueRow
        key={item.id}
        row={item}
        index={index}
        count={rows.length}
        selected={item.id === selected}
        now={now}
        onSelect={() => select(item.id)}
        onOpen={openCard}
      />
    ) : null;
  };

  return (
    <section
      className="list"
      aria-label={words.queue.label(words.view[view])}
      onPointerEnter={() => hold({ pointer: true })}
      onPointerLeave={() => hold({ pointer: false })}
    >
      <header>
        <h2>
          {words.queue.count(view === 'needs_me' ? rows.filter((one) => one.needsPerson).length : rows.length, view)}
        </h2>
        {/* In the heading's own line, so that its coming moves no row. */}
        {list.fresh.length > 0 ? (
          <button type="button" className="new-items" onClick={merge}>
            {words.queue.fresh(list.fresh.length)} <Key action="merge" />
          </button>
        ) : (
          <span className="faint">{words.queue.order(view)}</span>
        )}
      </header>
      <span className="visually-hidden" role="status">
        {list.fresh.length > 0 ? words.queue.freshSaid(list.fresh.length) : ''}
      </span>
      {refusal && (
        <p className="refused" role="alert">
          {refusal.text}
        </p>
      )}
      <div
        ref={scroller}
        id={LIST_ID}
        className="rows"
        data-testid="queue"
        role="listbox"
        tabIndex={0}
        aria-label={words.queue.label(words.view[view])}
        aria-activedescendant={at >= 0 ? rowDomId(at) : undefined}
        onFocus={() => hold({ focus: true })}
        onBlur={() => hold({ focus: false })}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
          const jump = { Home: 'first', End: 'last' }[event.key];
          if (by === undefined && jump === undefined) return;
          event.preventDefault();
          if (by !== undefined) move(by);
          else move(jump === 'first' ? 'first' : 'last');
        }}
      >
        {isVirtual ? (
          <div className="virtual-space" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => (
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
          rows.map((_, index) => row(index))
        )}
        {rows.length === 0 && (
          // A list of options must have one: that there is nothing is said as the only one, and cannot be taken.
          <div className="empty-note" role="option" tabIndex={-1} aria-disabled="true" aria-selected="false">
            {loaded ? words.queue.empty[view] : words.loading}
          </div>
        )}
      </div>
    </section>
  );
}
