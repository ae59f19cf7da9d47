import type { HistoryEvent } from '../../shared/history-event.js';
import { DECIDERS, ENDINGS, type HistoryFilter, SAID, toolsOf } from '../../shared/history-filter.js';
import { text as words } from '../text.js';
import { dayOf, nextDayOf, startOf } from './days.js';

const t = words.history;

interface Props {
  /** What can be chosen comes from these. */
  events: readonly HistoryEvent[];
  filter: HistoryFilter;
  change(filter: HistoryFilter): void;
}

/** Who, verdict, tool, ending and time; what is left open lets all through. */
export function HistoryFilters({ events, filter, change }: Props) {
  const people = distinct(events.flatMap(({ by }) => (by === null ? [] : [by])));
  const tools = distinct(events.flatMap(toolsOf));
  const put = (part: Partial<Record<keyof HistoryFilter, string | undefined>>): void => {
    const next = Object.fromEntries(Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined));
    change(next as HistoryFilter);
  };
  return (
    <section className="event-filters" aria-label={t.filters}>
      <Choice
        label={t.by}
        value={filter.by}
        options={people.map((name) => [name, name])}
        choose={(by) => put({ by })}
      />
      <Choice
        label={t.verdict}
        value={filter.verdict}
        options={SAID.map((one) => [one, t.said[one]])}
        choose={(verdict) => put({ verdict })}
      />
      <Choice
        label={t.decider}
        value={filter.decider}
        options={DECIDERS.map((one) => [one, t.deciders[one]])}
        choose={(decider) => put({ decider })}
      />
      <Choice
        label={t.tool}
        value={filter.tool}
        options={tools.map((name) => [name, name])}
        choose={(tool) => put({ tool })}
      />
      <Choice
        label={t.ending}
        value={filter.ending}
        options={ENDINGS.map((one) => [one, t.kind(one)])}
        choose={(ending) => put({ ending })}
      />
      <Day label={t.since} value={dayOf(filter.since)} choose={(day) => put({ since: startOf(day) })} />
      <Day label={t.until} value={dayOf(filter.until, -1)} choose={(day) => put({ until: nextDayOf(day) })} />
      <button type="button" className="btn" onClick={() => change({})}>
        {t.clear}
      </button>
    </section>
  );
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, name: string])[];
  choose(value: string | undefined): void;
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select
        value={value ?? ''}
        onChange={(event) => choose(event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">{t.any}</option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Day({ label, value, choose }: { label: string; value: string; choose(day: string): void }) {
  return (
    <label>
      {label}
      <input type="date" value={value} onChange={(event) => choose(event.target.value)} />
    </label>
  );
}

const distinct = (names: readonly string[]): string[] => [...new Set(names)].sort();
