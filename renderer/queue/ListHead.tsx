import { count } from '../app/format.js';
import { Key } from '../decision/Key.js';
import { text as words } from '../text.js';
import { useQueue } from './queue-store.js';
import { SortChoice } from './SortChoice.js';

/** The heading of the list: what it holds, its order, and in the same place what is new. Its coming moves no row. */
export function ListHead() {
  const state = useQueue((s) => s.state);
  const view = useQueue((s) => s.query.view);
  const merge = useQueue((s) => s.merge);
  const fresh = state?.fresh ?? 0;
  const runs = view === 'needs_me' ? (state?.open ?? 0) : (state?.runs ?? 0);
  return (
    <>
      <header>
        <h2>{words.queue.count(count(runs), runs, view)}</h2>
        {fresh > 0 ? (
          <button type="button" className="new-items" onClick={() => void merge()}>
            {words.queue.fresh(fresh)} <Key action="merge" />
          </button>
        ) : (
          <SortChoice />
        )}
      </header>
      <span className="visually-hidden" role="status">
        {fresh > 0 ? words.queue.freshSaid(fresh) : ''}
      </span>
      <Progress />
      <Soon />
    </>
  );
}

/** The list can be used while it, or the texts for its search, are still being read. */
function Progress() {
  const reading = useQueue((s) => s.state?.reading ?? null);
  const indexing = useQueue((s) => s.state?.indexing ?? null);
  const searching = useQueue((s) => s.query.filter.search.trim() !== '');
  const shown = reading ?? (searching ? indexing : null);
  if (shown === null) return null;
  const said = reading
    ? words.queue.reading(count(reading.done), reading.all === null ? null : count(reading.all))
    : words.queue.indexing(count(shown.done), count(shown.all ?? 0));
  return (
    <p className="list-progress" role="status">
      {said}
      <progress {...(shown.all === null ? {} : { value: shown.done, max: shown.all })} aria-label={said} />
    </p>
  );
}

/** What expires soon is said before it does, and shown at a press. */
function Soon() {
  const soon = useQueue((s) => s.state?.soon);
  const query = useQueue((s) => s.query);
  const setQuery = useQueue((s) => s.setQuery);
  if (!soon || soon.hour === 0 || query.filter.expires === 'hour') return null;
  return (
    <button
      type="button"
      className="soon-line"
      onClick={() => setQuery({ ...query, view: 'needs_me', filter: { ...query.filter, expires: 'hour' } })}
    >
      {words.queue.soon(soon.hour)}
    </button>
  );
}
