import { describe, expect, it } from 'vitest';
import { countIn, isInView, noCounts, passes } from '../../electron/queue/belongs.js';
import { type Entry, makeEntry } from '../../electron/queue/entry.js';
import { comparing } from '../../electron/queue/order.js';
import { type Item, RunList } from '../../electron/queue/run-list.js';
import { DAY_MS, HOUR_MS, NO_FILTER, QueueQuery, VIEWS, WEEK_MS } from '../../shared/queue.js';
import { needsPerson, STATUSES } from '../../shared/states.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const MINUTE = 60_000;
let docs = 0;
const EFFECT = { read_only: 0, changes: 1, destructive: 2 } as const;

function entry(id: string, change: Partial<Omit<Entry, 'effect'>> & { effect?: keyof typeof EFFECT } = {}): Entry {
  const { effect = 'changes', ...rest } = change;
  const status = rest.status ?? 'waiting';
  return {
    ...makeEntry(id, id, docs++),
    status,
    open: needsPerson(status),
    created: NOW - 100 * MINUTE,
    taken: NOW - 100 * MINUTE,
    ...rest,
    effect: EFFECT[effect],
  };
}

const ask = (query: Partial<QueueQuery> = {}): QueueQuery => QueueQuery.parse({ view: 'needs_me', ...query });
const all = () => true;
const list = (entries: Entry[], query: Partial<QueueQuery> = {}, now = NOW) =>
  new RunList(entries, ask(query), all, now);
const nameOf = (one: RunList, item: Item, now = NOW): string => {
  if (item.kind === 'old') return `${item.old.runs} old`;
  const name = one.shown(item, now)?.id ?? '';
  return item.kind === 'group' ? `${name}×${item.group.members.length}` : item.inside ? `  ${name}` : name;
};
const names = (one: RunList, now = NOW): string[] => one.items.map((item) => nameOf(one, item, now));

describe('order and places', () => {
  const rows = () => [
    entry('reads', { effect: 'read_only', expires: NOW + MINUTE }),
    entry('late', { expires: NOW + 90 * MINUTE }),
    entry('soon', { expires: NOW + 10 * MINUTE }),
    entry('wipes', { effect: 'destructive', expires: NOW + 500 * MINUTE }),
    entry('may-have-run', { status: 'unknown_outcome', effect: 'read_only' }),
    entry('old', { created: NOW - 900 * MINUTE, taken: NOW - 900 * MINUTE }),
    entry('new', { created: NOW - 9 * MINUTE, taken: NOW - 9 * MINUTE }),
  ];

  it('unknown outcomes first in any order, then by risk, time left and age', () => {
    const order = (sort: QueueQuery['sort']) =>
      rows()
        .sort(comparing(sort, NOW))
        .map(({ id }) => id);
    expect(order('risk')).toEqual(['may-have-run', 'wipes', 'soon', 'late', 'old', 'new', 'reads']);
    expect(order('time_left')).toEqual(['may-have-run', 'reads', 'soon', 'late', 'wipes', 'old', 'new']);
    expect(order('oldest')[1]).toBe('old');
    expect(order('newest')[1]).toBe('new');
  });

  it('what is over stands latest first, and oldest first where that was asked for', () => {
    const over = [
      entry('a', { status: 'finished', decided: NOW - 9 }),
      entry('b', { status: 'failed', decided: NOW - 1 }),
    ];
    expect(over.sort(comparing('risk', NOW)).map(({ id }) => id)).toEqual(['b', 'a']);
    expect(over.sort(comparing('oldest', NOW)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('one predicate fills count and list; a snoozed row needs nobody until it wakes', () => {
    const snoozed = entry('s', { snoozedUntil: NOW + 5 * MINUTE });
    const entries = [entry('a'), snoozed, entry('b', { status: 'unreadable' }), entry('c', { other: true })];
    const counts = noCounts();
    for (const one of entries) countIn(counts, one, NOW);
    for (const view of VIEWS) expect(counts[view]).toBe(entries.filter((one) => isInView(one, view, NOW)).length);
    expect(counts).toMatchObject({ needs_me: 1, snoozed: 1, unreadable: 1, other: 1, decided: 0 });
    expect(isInView(snoozed, 'needs_me', NOW + 6 * MINUTE)).toBe(true);
  });

  it('every status has a place', () => {
    for (const status of STATUSES) expect(VIEWS.some((view) => isInView(entry('x', { status }), view, NOW))).toBe(true);
  });

  it('filters by source, tool, class, state, repeatability, age and time left', () => {
    const one = entry('x', {
      source: 'ops',
      tools: ['rm', 'ls'],
      effect: 'destructive',
      expires: NOW + 30 * MINUTE,
      taken: NOW - 2 * HOUR_MS,
    });
    const fits = (filter: object, of = one) => passes(of, { ...NO_FILTER, ...filter }, NOW);
    for (const right of [
      { source: 'ops' },
      { tool: 'ls' },
      { effect: 'destructive' },
      { status: 'waiting' },
      { repeatable: false },
      { age: 'day' },
      { age: 'week' },
      { expires: 'hour' },
      { expires: 'day' },
    ])
      expect(fits(right), JSON.stringify(right)).toBe(true);
    for (const wrong of [
      { source: 'op' },
      { tool: 'l' },
      { effect: 'changes' },
      { status: 'held' },
      { repeatable: true },
      { age: 'hour' },
      { age: 'older' },
    ])
      expect(fits(wrong), JSON.stringify(wrong)).toBe(false);
    expect(fits({ expires: 'day' }, entry('never'))).toBe(false);
    expect(fits({ age: 'older' }, entry('old', { taken: NOW - WEEK_MS }))).toBe(true);
  });
});

describe('the list does not move under the hand', () => {
  it('an arrival waits, a change keeps its place with its new state, and so does a row that left', () => {
    const [a, b] = [entry('a', { created: 1 }), entry('b', { created: 2 })];
    const one = list([a, b]);
    const urgent = entry('urgent', { effect: 'destructive' });
    Object.assign(a, { status: 'decided', open: false });
    b.gone = true;
    expect(names(one)).toEqual(['a', 'b']);
    expect(urgent.listed).not.toBe(one.id);
    expect(one.isTidy(NOW, all)).toBe(false);
    expect(names(list([urgent, a]))).toEqual(['urgent']);
  });

  it('the next open row wraps round and never is the same one', () => {
    const [a, b, c] = [entry('a', { created: 1 }), entry('b', { created: 2 }), entry('c', { created: 3 })];
    const one = list([a, b, c]);
    expect(one.next('a', NOW)).toBe(1);
    Object.assign(b, { status: 'decided', open: false });
    expect(one.next('a', NOW)).toBe(2);
    expect(one.next('c', NOW)).toBe(0);
    expect(one.next(null, NOW)).toBe(0);
    Object.assign(c, { snoozedUntil: NOW + HOUR_MS });
    expect(one.next('a', NOW)).toBe(-1);
  });
});

describe('equal calls', () => {
  const equal = (id: string, created: number) => entry(id, { asks: 'ops same', created });
  const made = () => [
    equal('a', 1),
    entry('alone', { created: 2 }),
    equal('b', 3),
    equal('c', 4),
    entry('z', { created: 5 }),
  ];

  it('stand in one row with their number, at the place of the most urgent', () => {
    expect(names(list(made()))).toEqual(['a×3', 'alone', 'z']);
    expect(names(list(made(), { fold: false }))).toEqual(['a', 'alone', 'b', 'c', 'z']);
    expect(list(made()).members).toHaveLength(5);
  });

  it('open under their row and close again, and nothing else changes its order', () => {
    const one = list(made());
    one.toggle(0);
    expect(names(one)).toEqual(['a×3', '  b', '  c', 'alone', 'z']);
    expect(one.where('c', NOW)).toBe(2);
    one.toggle(0);
    expect(names(one)).toEqual(['a×3', 'alone', 'z']);
    expect(one.where('c', NOW)).toBe(0);
  });

  it('each is decided for itself: the row goes on to the next open one, and moves nothing', () => {
    const entries = made();
    const one = list(entries);
    Object.assign(entries[0] ?? {}, { status: 'decided', open: false });
    expect(names(one)).toEqual(['b×3', 'alone', 'z']);
    expect(one.next('a', NOW)).toBe(0);
    Object.assign(entries[2] ?? {}, { status: 'decided', open: false });
    Object.assign(entries[3] ?? {}, { status: 'decided', open: false });
    expect(names(one)).toEqual(['a×3', 'alone', 'z']);
    expect(one.next('c', NOW)).toBe(1);
  });

  it('of another source or asking something else are not equal', () => {
    const other = [equal('a', 1), entry('b', { asks: 'finance same' }), entry('c', { asks: 'ops other' })];
    expect(names(list(other))).toHaveLength(3);
  });
});

describe('old items fold, they do not vanish', () => {
  const old = (id: string, change: Partial<Entry> = {}) =>
    entry(id, { taken: NOW - 8 * DAY_MS, created: 0, ...(change as object) });
  const entries = () => [old('o1'), entry('new'), old('o2')];

  it('in one line at the end with their number, which opens and closes', () => {
    const one = list(entries());
    expect(names(one)).toEqual(['new', '2 old']);
    one.toggle(1);
    expect(names(one)).toEqual(['new', '2 old', 'o1', 'o2']);
    expect(one.where('o2', NOW)).toBe(3);
    one.toggle(1);
    expect(names(one)).toEqual(['new', '2 old']);
    expect(one.members).toHaveLength(3);
  });

  it('but never what presses: an unknown outcome, an objection, what expires soon', () => {
    const presses = [
      old('unknown', { status: 'unknown_outcome' }),
      old('held', { status: 'held' }),
      old('expires', { expires: NOW + HOUR_MS }),
    ];
    expect(names(list([...presses, entry('new')])).sort()).toEqual(['expires', 'held', 'new', 'unknown']);
  });

  it('nor where they were asked for, nor where nothing else is', () => {
    expect(names(list(entries(), { sort: 'oldest' }))).toHaveLength(3);
    expect(names(list(entries(), { filter: { ...NO_FILTER, search: 'x' } }))).toHaveLength(3);
    expect(names(list([old('o1'), old('o2')]))).toEqual(['o1', 'o2']);
  });
});

it('a hundred thousand old ones open and close', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => entry(`o${i}`, { taken: NOW - 9 * DAY_MS, created: i }));
  const one = list([entry('new'), ...many]);
  one.toggle(1);
  expect(one.items).toHaveLength(100_002);
  one.toggle(1);
  expect(one.items).toHaveLength(2);
});
