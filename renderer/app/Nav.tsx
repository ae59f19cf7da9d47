import { VIEWS } from '../../shared/queue.js';
import { useQueue } from '../queue/queue-store.js';
import { SavedViews } from '../queue/SavedViews.js';
import { text as words } from '../text.js';
import { count } from './format.js';
import { type Page, useUi } from './ui-store.js';

/** Places with their counts; the same predicate fills them and the list. */
export function Nav() {
  const view = useQueue((s) => s.query.view);
  const setView = useQueue((s) => s.setView);
  const counts = useQueue((s) => s.state?.counts);
  const { page, goTo } = useUi();
  return (
    <nav className="nav" aria-label={words.nav}>
      {VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          className={(counts?.[one] ?? 0) > 0 ? `to-${one} some` : `to-${one}`}
          aria-current={page === 'queue' && view === one ? 'page' : undefined}
          onClick={() => {
            setView(one);
            goTo('queue');
          }}
        >
          {words.view[one]} <b className="num">{counts ? count(counts[one]) : ''}</b>
        </button>
      ))}
      <SavedViews />
      <hr />
      {(['history', 'insight', 'settings'] satisfies Page[]).map((one) => (
        <button key={one} type="button" aria-current={page === one ? 'page' : undefined} onClick={() => goTo(one)}>
          {words.page[one]}
        </button>
      ))}
    </nav>
  );
}
