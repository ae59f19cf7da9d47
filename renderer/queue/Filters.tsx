import { useEffect, useRef } from 'react';
import { AGES, type Filter, NO_FILTER, SOON } from '../../shared/queue.js';
import { STATUSES } from '../../shared/states.js';
import { EFFECTS } from '../../shared/tool-table.js';
import { useUi } from '../app/ui-store.js';
import { said } from '../run/said.js';
import { text as words } from '../text.js';
import { Choice } from './Choice.js';
import { useQueue } from './queue-store.js';
import { SaveView } from './SavedViews.js';

/** All filters of the list, opened by its key or from the top bar. */
export function Filters() {
  const query = useQueue((s) => s.query);
  const setFilter = useQueue((s) => s.setFilter);
  const setQuery = useQueue((s) => s.setQuery);
  const sources = useQueue((s) => s.state?.sources ?? NONE);
  const tools = useQueue((s) => s.state?.tools ?? NONE);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.querySelector('select')?.focus(), []);
  const { filter, fold } = query;
  const change = (part: Partial<Filter>): void => setFilter({ ...filter, ...part });
  const repeatable = filter.repeatable === null ? null : filter.repeatable ? 'yes' : 'no';
  return (
    <section ref={panel} className="filters" aria-label={words.filter.title}>
      <Choice
        label={words.filter.effect}
        value={filter.effect}
        options={EFFECTS}
        word={(effect) => words.effect[effect]}
        onChange={(effect) => change({ effect })}
      />
      <Choice
        label={words.filter.source}
        value={filter.source}
        options={sources}
        word={said}
        onChange={(source) => change({ source })}
      />
      <Choice
        label={words.filter.tool}
        value={filter.tool}
        options={tools}
        word={said}
        onChange={(tool) => change({ tool })}
      />
      <Choice
        label={words.filter.status}
        value={filter.status}
        options={STATUSES}
        word={(status) => words.status[status]}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={words.filter.repeatable}
        value={repeatable}
        options={YES_NO}
        word={(answer) => words.filter[answer]}
        onChange={(answer) => change({ repeatable: answer === null ? null : answer === 'yes' })}
      />
      <Choice
        label={words.filter.age}
        value={filter.age}
        options={AGES}
        word={(age) => words.filter.ages[age]}
        onChange={(age) => change({ age })}
      />
      <Choice
        label={words.filter.expires}
        value={filter.expires}
        options={SOON}
        word={(soon) => words.filter.soon[soon]}
        onChange={(expires) => change({ expires })}
      />
      <label className="check">
        <input
          type="checkbox"
          checked={fold}
          onChange={(event) => setQuery({ ...query, fold: event.target.checked })}
        />
        {words.filter.fold}
      </label>
      <button type="button" className="btn" onClick={() => setFilter(NO_FILTER)}>
        {words.filter.clear}
      </button>
      <button type="button" className="btn quiet" onClick={() => useUi.setState({ filters: false })}>
        {words.close}
      </button>
      <SaveView />
    </section>
  );
}

const NONE: readonly string[] = [];
const YES_NO = ['yes', 'no'] as const;
