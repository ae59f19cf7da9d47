import { DECIDERS, ENDINGS, HistoryFilter, SAID } from '../../shared/history-filter.js';
import { parseTime } from '../../shared/time.js';
import { type Call, maybeText, UsageError } from './command.js';

export const FILTER_OPTIONS = {
  by: { type: 'string' },
  verdict: { type: 'string' },
  tool: { type: 'string' },
  decider: { type: 'string' },
  ending: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  search: { type: 'string' },
} as const;

export const FILTER_USAGE = `[--by NAME] [--verdict ${SAID.join('|')}] [--tool NAME] [--decider ${DECIDERS.join('|')}] [--ending ${ENDINGS.join('|')}] [--since TIME] [--until TIME] [--search WORDS]`;

/** The filter that the options say. Throws UsageError for a value that none of them takes. */
export function filterOf(call: Call): HistoryFilter {
  const given: Record<string, string> = {};
  for (const name of Object.keys(FILTER_OPTIONS)) {
    const value = maybeText(call, name);
    if (value !== undefined) given[name] = name === 'since' || name === 'until' ? instant(name, value) : value;
  }
  const filter = HistoryFilter.safeParse(given);
  if (filter.success) return filter.data;
  const [issue] = filter.error.issues;
  throw new UsageError(
    `--${String(issue?.path[0])} takes no ${JSON.stringify(given[String(issue?.path[0])])}: ${issue?.message}`,
  );
}

/** An RFC 3339 time, or a date, which is its first instant in UTC. */
export function instant(option: string, value: string): string {
  const text = /^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00Z` : value;
  if (parseTime(text).ok) return text;
  throw new UsageError(
    `--${option} takes a date or an RFC 3339 time, such as 2026-07-20T10:00:00Z; not ${JSON.stringify(value)}`,
  );
}
