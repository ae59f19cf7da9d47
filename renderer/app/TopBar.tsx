import { useEffect, useState } from 'react';
import { Key } from '../decision/Key.js';
import { Filters } from '../queue/Filters.js';
import { isFiltering } from '../queue/filter.js';
import { useQueue } from '../queue/queue-store.js';
import { said } from '../run/said.js';
import { useSettings } from '../settings/settings-store.js';
import { text as words } from '../text.js';
import { focusList, SEARCH_ID } from './focus.js';
import { pickFiles } from './intake.js';
import { useUi } from './ui-store.js';

export function TopBar() {
  const filter = useQueue((s) => s.query.filter);
  const setFilter = useQueue((s) => s.setFilter);
  const { filters, goTo } = useUi();
  return (
    <header className="top">
      <div className="brand">
        <span className="brand-mark" aria-hidden="true" />
        Holdpoint
      </div>
      <label className="search">
        <span className="visually-hidden">{words.search}</span>
        <input
          id={SEARCH_ID}
          type="search"
          placeholder={words.search}
          value={filter.search}
          onFocus={() => goTo('queue')}
          onChange={(event) => setFilter({ ...filter, search: event.target.value })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            if (event.key === 'Escape') setFilter({ ...filter, search: '' });
            focusList();
          }}
        />
        <Key action="search" />
      </label>
      <div className="chips">
        <button
          type="button"
          className="chip"
          aria-pressed={filter.effect === 'destructive'}
          onClick={() => setFilter({ ...filter, effect: filter.effect === 'destructive' ? null : 'destructive' })}
        >
          {words.filter.destructive}
        </button>
        <button
          type="button"
          className="chip"
          aria-pressed={filter.expires === 'day'}
          onClick={() => setFilter({ ...filter, expires: filter.expires === 'day' ? null : 'day' })}
        >
          {words.filter.expiresToday}
        </button>
        <button
          type="button"
          className="chip"
          aria-expanded={filters}
          onClick={() => useUi.setState({ filters: !filters })}
        >
          {isFiltering(filter) ? words.filter.some : words.filter.all}
        </button>
      </div>
      {filters && <Filters />}
      <Connection />
      <button type="button" className="btn quiet open-file" onClick={() => void pickFiles()}>
        {words.intake.open}
      </button>
      <button
        type="button"
        className="btn quiet help-button"
        aria-label={words.help.title}
        onClick={() => useUi.setState({ help: true })}
      >
        ?
      </button>
    </header>
  );
}

/** Whether there is a network, and how much was decided and has not moved yet. */
function Connection() {
  const waiting = useSettings((s) => s.health?.decidedNotExecuted ?? 0);
  const readOnly = useSettings((s) => s.health?.readOnly ?? null);
  const goTo = useUi((s) => s.goTo);
  const [online, setOnline] = useState(() => navigator.onLine);
  useEffect(() => {
    const update = (): void => setOnline(navigator.onLine);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return (
    <span className="connection" role="status">
      {readOnly !== null && (
        <button type="button" className="link warn" title={said(readOnly)} onClick={() => goTo('settings')}>
          {words.readOnly}
        </button>
      )}
      {!online && (
        <>
          <span className="dot" aria-hidden="true" /> {words.offline}
        </>
      )}
      {waiting > 0 && <span>{words.decidedNotExecuted(waiting)}</span>}
    </span>
  );
}
