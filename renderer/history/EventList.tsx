import type { HistoryEvent } from '../../shared/history-event.js';
import { rulesIn } from '../../shared/history-filter.js';
import { when } from '../app/format.js';
import { Marked } from '../run/Marked.js';
import { text as words } from '../text.js';

/** What happened, in order: who, when, what, and in which words. */
export function EventList({ events, label }: { events: readonly HistoryEvent[]; label: string }) {
  if (events.length === 0) return <p className="pane-note faint">{words.history.none}</p>;
  return (
    <ol className="events" aria-label={label}>
      {events.map((event, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a history is only ever appended to
        <li key={i} className={`event ${event.kind}`}>
          <EventLine event={event} />
        </li>
      ))}
    </ol>
  );
}

export function EventLine({ event }: { event: HistoryEvent }) {
  return (
    <>
      <time dateTime={event.at} title={event.at} className="num faint">
        {when(event.at)}
      </time>{' '}
      <span>
        <strong>{words.history.kind(event.kind)}</strong>
        {event.call !== null && <span className="faint"> · {words.journal.call(event.call + 1)}</span>}
        {event.by !== null && (
          <span className="faint">
            {' '}
            · <Marked text={event.by} />
          </span>
        )}
        {rulesIn(event).length > 0 && <span className="tag by-rule">{words.history.byRule}</span>}
      </span>
      {event.text !== '' && (
        <p>
          <Marked text={event.text} />
        </p>
      )}
    </>
  );
}
