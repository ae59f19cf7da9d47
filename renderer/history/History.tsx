import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { HistoryEvent } from '../../shared/history-event.js';
import { type HistoryFilter, matchesFilter } from '../../shared/history-filter.js';
import { CARD_ID } from '../app/focus.js';
import { shortName } from '../app/format.js';
import { call as ask, listen } from '../bridge.js';
import { Marked } from '../run/Marked.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { EventLine } from './EventList.js';
import { ExportHistory } from './ExportHistory.js';
import { HistoryFilters } from './HistoryFilters.js';

const VIRTUAL_ABOVE = 200;
const LINE = 54;
/** Main sends at most this many suspensions. */
const DEPTH = 2000;

/** Everything that was decided and done, newest first: the order in which main sends it. */
export function History() {
  const [events, setEvents] = useState<readonly HistoryEvent[] | null>(null);
  const [fault, setFault] = useState('');
  const [filter, setFilter] = useState<HistoryFilter>({});
  useEffect(() => {
    const load = async (): Promise<void> => {
      const reply = await ask('history:list');
      if (reply.ok) setEvents(reply.value);
      else setFault(reply.refusal.text);
    };
    void load();
    return listen('runs:changed', () => void load());
  }, []);
  const shown = useMemo(() => (events ?? []).filter((event) => matchesFilter(event, filter)), [events, filter]);
  const search = filter.search ?? '';
  const { search: _, ...chosen } = filter;
  return (
    <main id={CARD_ID} tabIndex={-1} className="page history" data-testid="history" aria-label={words.history.title}>
      <header>
        <h1>{words.history.title}</h1>
        <label>
          <span className="visually-hidden">{words.history.search}</span>
          <input
            type="search"
            placeholder={words.history.search}
            value={search}
            onChange={(event) => setFilter({ ...chosen, ...(event.target.value && { search: event.target.value }) })}
          />
        </label>
        <span className="faint" role="status">
          {events === null ? words.loading : words.history.count(shown.length, events.length)}
        </span>
        <ExportHistory filter={filter} depth={suspensionsIn(events ?? []) >= DEPTH} />
      </header>
      <HistoryFilters events={events ?? []} filter={filter} change={setFilter} />
      {fault !== '' && (
        <p className="refused" role="alert">
          {fault}
        </p>
      )}
      <Lines events={shown} />
    </main>
  );
}

const suspensionsIn = (events: readonly HistoryEvent[]): number =>
  new Set(events.map(({ suspension }) => JSON.stringify(suspension))).size;

function Lines({ events }: { events: readonly HistoryEvent[] }) {
  const region = useRef<HTMLElement>(null);
  const isVirtual = events.length > VIRTUAL_ABOVE;
  const virtual = useVirtualizer({
    count: events.length,
    getScrollElement: () => region.current,
    estimateSize: () => LINE,
    overscan: 10,
    enabled: isVirtual,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={region} className="history-lines" tabIndex={0} aria-label={words.history.events}>
      {!isVirtual &&
        events.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two events may be equal in every field
          <Line key={i} event={event} />
        ))}
      <div className="virtual-space" style={{ height: isVirtual ? virtual.getTotalSize() : 0 }}>
        {virtual.getVirtualItems().map((item) => {
          const event = events[item.index];
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className="virtual-row"
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {event && <Line event={event} />}
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Line({ event }: { event: HistoryEvent }) {
  return (
    <article className={`event ${event.kind}`}>
      <EventLine event={event} />
      {event.suspension && (
        <span className="mono faint" title={said(event.suspension.runId)}>
          <Marked
            text={`${event.suspension.source} · ${shortName(event.suspension.runId)} · ${event.suspension.seq}`}
          />
        </span>
      )}
    </article>
  );
}
