import type { Sort } from '../../shared/queue.js';
import { needsMe } from './belongs.js';
import type { Entry } from './entry.js';

type Compare = (a: Entry, b: Entry) => number;

const OPEN: Readonly<Record<Sort, Compare>> = {
  risk: (a, b) => b.effect - a.effect || before(a.expires, b.expires) || a.created - b.created,
  time_left: (a, b) => before(a.expires, b.expires) || b.effect - a.effect || a.created - b.created,
  oldest: (a, b) => a.taken - b.taken || a.created - b.created,
  newest: (a, b) => b.taken - a.taken || b.created - a.created,
};

/** Infinities are equal. */
const before = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Open questions first in any order: what may have run already, then what was objected to, then what waits. */
function urgency(entry: Entry, now: number): number {
  if (entry.status === 'unknown_outcome') return 0;
  if (entry.status === 'held') return 1;
  return needsMe(entry, now) ? 2 : 3;
}

const latest = (entry: Entry): number => entry.decided || entry.taken || entry.created;

/** Ties end at the item's name, so that an order is one order. `now` in milliseconds. */
export function comparing(sort: Sort, now: number): Compare {
  const open = OPEN[sort];
  return (a, b) => {
    const [first, second] = [urgency(a, now), urgency(b, now)];
    if (first !== second) return first - second;
    const rest = first === 3 ? (sort === 'oldest' ? latest(a) - latest(b) : latest(b) - latest(a)) : open(a, b);
    return rest || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  };
}
