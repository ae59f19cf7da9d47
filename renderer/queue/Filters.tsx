import { useEffect, useRef } from 'react';
import { EFFECTS } from '../../shared/tool-table.js';
import { useUi } from '../app/ui-store.js';
import { text as words } from '../text.js';
import { NO_FILTER } from './filter.js';
import { useQueue } from './queue-store.js';

/** All filters of the list, opened by its key or from the top bar. */
export function Filters() {
  const { filter, setFilter, rows } = useQueue();
  const first = useRef<HTMLSelectElement>(null);
  useEffect(() => first.current?.focus(), []);
  const sources = [...new Set(rows.map((row) => row.source))].sort();
  return (
    <section className="filters" aria-label={words.filter.title}>
      <label>
        {words.filter.effect}
        <select
          ref={first}
          value={filter.effect ?? ''}
          onChange={(event) =>
            setFilter({ ...filter, effect: EFFECTS.find((effect) => effect === event.target.value) ?? null })
          }
        >
          <option value="">{words.filter.any}</option>
          {EFFECTS.map((effect) => (
            <option key={effect} value={effect}>
              {words.effect[effect]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.filter.source}
        <select
          value={filter.source ?? ''}
          onChange={(event) => setFilter({ ...filter, source: event.target.value === '' ? null : event.target.value })}
        >
          <option value="">{words.filter.any}</option>
          {sources.map((source) => (
            <option key={source} value={source}>
              {source}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input
          type="checkbox"
          checked={filter.expiresToday}
          onChange={(event) => setFilter({ ...filter, expiresToday: event.target.checked })}
        />
        {words.filter.expiresToday}
      </label>
      <button type="button" className="btn" onClick={() => setFilter(NO_FILTER)}>
        {words.filter.clear}
      </button>
      <button type="button" className="btn quiet" onClick={() => useUi.setState({ filters: false })}>
        {words.close}
      </button>
    </section>
  );
}
