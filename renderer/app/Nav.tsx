import { useQueue } from '../queue/queue-store.js';
import { countViews, VIEWS } from '../queue/views.js';
import { text as words } from '../text.js';
import { useNow } from './clock.js';
import { count } from './format.js';
import { type Page, useUi } from './ui-store.js';

/** Places with their counts; the same predicate fills them and the list. */
export function Nav() {
  const { view, setView, rows } = useQueue();
  const { page, goTo } = useUi();
  const now = useNow(30_000);
  const counts = countViews(rows, now);
  return (
    <nav className="nav" aria-label={words.nav}>
      {VIEWS.map((one) => (
        <button
          key={one}
          type="button"
          className={counts[one] > 0 ? `to-${one} some` : `to-${one}`}
          aria-current={page === 'queue' && view === one ? 'page' : undefined}
          onClick={() => {
            setView(one);
            goTo('queue');
          }}
        >
          {words.view[one]} <b className="num">{count(counts[one])}</b>
        </button>
      ))}
      <hr />
      {(['history', 'insight', 'settings'] satisfies Page[]).map((one) => (
        <button key={one} type="button" aria-current={page === one ? 'page' : undefined} onClick={() => goTo(one)}>
          {words.page[one]}
        </button>
      ))}
    </nav>
  );
}
