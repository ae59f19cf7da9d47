import type { Insight } from '../../shared/insight.js';
import { EFFECTS, type Effect } from '../../shared/tool-table.js';
import { span } from '../app/format.js';
import { text as words } from '../text.js';

const dayMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** `2026-03-02` as `Mar 2`. */
export function shortDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return dayMonth.format(new Date(year, month - 1, date));
}

/** Bounds in seconds as words: `up to 1 min`, `1 min to 10 min`, `over 3 d`. */
export function bucketNames(bounds: readonly (number | null)[]): string[] {
  const time = (bound: number | null | undefined): string | null =>
    bound === null || bound === undefined ? null : span(bound * 1000);
  return bounds.map((bound, i) => words.insight.bucket(time(bound), time(bounds[i - 1])));
}

/** All decided calls of each effect class, in the order of the classes. */
export function byClass(tools: Insight['tools']): { effect: Effect; all: number }[] {
  return EFFECTS.map((effect) => ({
    effect,
    all: tools
      .filter((one) => one.effect === effect)
      .reduce((sum, one) => sum + one.approved + one.edited + one.rejected + one.answered, 0),
  }));
}
