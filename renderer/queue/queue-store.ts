import { create } from 'zustand';
import { type Filter, NO_FILTER, PAGE_ROWS, type QueueQuery, type Sort, type View } from '../../shared/queue.js';
import type { QueueItem, QueuePage, QueuePlace, QueueState } from '../../shared/queue-rows.js';
import type { Refusal } from '../../shared/refusal.js';
import { call } from '../bridge.js';

/** A list that nobody has touched for this long may be built anew by itself. */
export const IDLE_MS = 5_000;
/** A search is asked for when so long nothing more was typed. */
const TYPING_MS = 60;
/** So many pages are kept beside those on screen. */
const MOST_PAGES = 12;

interface QueueStore {
  query: QueueQuery;
  state: QueueState | null;
  /** Items by place, as far as they were fetched. */
  items: ReadonlyMap<number, QueueItem>;
  loaded: boolean;
  refusal: Refusal | null;
  selected: string | null;
  /** Its place, as far as it is known; -1: not in the list. */
  at: number;
  /** Places on screen. */
  seen: { from: number; to: number };
  /** Pointer over the list, or keyboard focus in it. */
  held: { pointer: boolean; focus: boolean };
  lastUsed: number;
  /** When the list last rebuilt itself: a click just after it was meant for another row. */
  movedAt: number;
  /** Asks for the list the first time, later for what has become of it. */
  load(): Promise<void>;
  setView(view: View): void;
  setFilter(filter: Filter): void;
  setSort(sort: Sort): void;
  setQuery(query: QueueQuery): void;
  /** Selects an item; its place is looked up where it is not on screen. */
  select(id: string | null): void;
  /** Moves the selection by rows; `first` and `last` jump. */
  move(by: number | 'first' | 'last'): void;
  /** Selects the next row that needs a person; false when there is none. */
  selectNextOpen(): Promise<boolean>;
  /** Fetches what of these places is not here yet. */
  see(from: number, to: number): void;
  /** Opens or closes what is folded at a place. */
  fold(at: number): Promise<void>;
  hold(held: Partial<QueueStore['held']>): void;
  /** Builds the list anew: on demand, or by itself when it is idle. */
  merge(): Promise<void>;
  mergeWhenIdle(): Promise<void>;
}

export const idOf = (item: QueueItem | undefined): string | null => (item?.kind === 'run' ? item.row.id : null);

export const useQueue = create<QueueStore>()((set, get) => {
  let typing: ReturnType<typeof setTimeout> | undefined;
  let shows = 0;

  /**
   * Asks for the list of the query; what was asked for before it, and comes later, is not taken. When nobody asked, the
   * moment in which the rows move is noted with them.
   */
  async function show(byItself = false): Promise<void> {
    clearTimeout(typing);
    const mine = ++shows;
    const reply = await call('queue:show', get().query);
    if (mine !== shows) return;
    if (!reply.ok) {
      set({ refusal: reply.refusal, loaded: true });
      return;
    }
    const { state, page } = reply.value;
    const moved = byItself ? { movedAt: performance.now() } : {};
    set({ state, items: itemsOf(page), loaded: true, refusal: null, ...moved });
    await findSelected();
  }

  /** Where the selected item stands in a list that was just built. */
  async function findSelected(): Promise<void> {
    const { selected, items, state } = get();
    const here = [...items].find(([, item]) => idOf(item) === selected && selected !== null);
    set({ at: here ? here[0] : -1 });
    if (here || selected === null || state === null || state.items <= items.size) return;
    const reply = await call('queue:where', state.list, selected);
    if (reply.ok && reply.value && get().selected === selected) takePlace(reply.value, state.list);
  }

  function takePlace({ at, item }: QueuePlace, list: number): void {
    if (get().state?.list !== list) return;
    set((now) => ({ at, items: new Map(now.items).set(at, item) }));
  }

  function takePage(page: QueuePage): void {
    if (get().state?.list !== page.list) return;
    set((now) => {
      const items = new Map(now.items);
      for (const [at, item] of itemsOf(page)) items.set(at, item);
      return { items: trimmed(items, now.seen) };
    });
  }

  const asked = new Set<string>();
  async function fetchPage(from: number): Promise<void> {
    const list = get().state?.list;
    const name = `${list} ${from}`;
    if (list === undefined || asked.has(name)) return;
    asked.add(name);
    const reply = await call('queue:rows', list, from, PAGE_ROWS);
    asked.delete(name);
    if (reply.ok) takePage(reply.value);
  }

  /** The pages on screen, as they are now; what is not on screen is fetched when it comes there. */
  async function renew(list: number): Promise<void> {
    const { seen, state } = get();
    const last = Math.min(Math.max(seen.to, PAGE_ROWS - 1), Math.max((state?.items ?? 0) - 1, 0));
    const pages: number[] = [];
    for (let from = pageOf(seen.from); from <= last; from += PAGE_ROWS) pages.push(from);
    const replies = await Promise.all(pages.map((from) => call('queue:rows', list, from, PAGE_ROWS)));
    if (get().state?.list !== list) return;
    const items = new Map<number, QueueItem>();
    for (const reply of replies) if (reply.ok) for (const [at, item] of itemsOf(reply.value)) items.set(at, item);
    // A row of equal ones may show another of them by now; the selection goes with the place.
    const { at, selected, items: before } = get();
    const kept = before.get(at);
    if (kept && !items.has(at)) items.set(at, kept);
    set({ items });
    if (at >= 0 && selected !== null && idOf(items.get(at)) !== selected) set({ at: -1 });
  }

  return {
    query: { view: 'needs_me', sort: 'risk', filter: NO_FILTER, fold: true },
    state: null,
    items: new Map(),
    loaded: false,
    refusal: null,
    selected: null,
    at: -1,
    seen: { from: 0, to: 0 },
    held: { pointer: false, focus: false },
    lastUsed: Number.NEGATIVE_INFINITY,
    movedAt: Number.NEGATIVE_INFINITY,
    async load() {
      const list = get().state?.list;
      if (list === undefined) return show();
      const reply = await call('queue:state', list);
      // Another list was asked for meanwhile, or the other side began anew.
      if (!reply.ok) return reply.refusal.code === 'not_found' ? show() : set({ refusal: reply.refusal });
      if (get().state?.list !== list) return;
      set({ state: reply.value, refusal: null });
      // An empty list has nothing that could move.
      if (reply.value.items === 0 && reply.value.fresh > 0) return show(true);
      await renew(list);
      await get().mergeWhenIdle();
    },
    setView: (view) => get().setQuery({ ...get().query, view }),
    setSort: (sort) => get().setQuery({ ...get().query, sort }),
    setFilter(filter) {
      const typed = filter.search !== get().query.filter.search;
      if (!typed) return get().setQuery({ ...get().query, filter });
      set({ query: { ...get().query, filter } });
      clearTimeout(typing);
      typing = setTimeout(() => void show(), TYPING_MS);
    },
    setQuery(query) {
      set({ query, seen: { from: 0, to: 0 } });
      void show();
    },
    select(id) {
      const { items, state } = get();
      const here = id === null ? undefined : [...items].find(([, item]) => idOf(item) === id);
      set({ selected: id, at: here ? here[0] : -1, lastUsed: performance.now() });
      if (id !== null && !here && state !== null) void findSelected();
    },
    move(by) {
      const { state, at } = get();
      const last = (state?.items ?? 0) - 1;
      if (last < 0) return;
      const to = by === 'first' ? 0 : by === 'last' ? last : at < 0 ? 0 : Math.min(Math.max(at + by, 0), last);
      void selectAt(to);
    },
    async selectNextOpen() {
      const { state, selected } = get();
      if (state === null) return false;
      const reply = await call('queue:next', state.list, selected);
      if (!reply.ok || !reply.value || get().state?.list !== state.list) return false;
      takePlace(reply.value, state.list);
      set({ selected: idOf(reply.value.item), lastUsed: performance.now() });
      return true;
    },
    see(from, to) {
      const { state, items } = get();
      if (get().seen.from !== from || get().seen.to !== to) set({ seen: { from, to } });
      if (state === null) return;
      const last = Math.min(to, state.items - 1);
      for (let page = pageOf(from); page <= last; page += PAGE_ROWS)
        if (anyMissing(items, Math.max(from, page), Math.min(last, page + PAGE_ROWS - 1))) void fetchPage(page);
    },
    async fold(at) {
      const { state, selected } = get();
      if (state === null) return;
      const reply = await call('queue:fold', state.list, at);
      if (!reply.ok || get().state?.list !== state.list) return;
      set({ state: reply.value, lastUsed: performance.now() });
      await renew(state.list);
      if (selected !== null) await findSelected();
    },
    hold(held) {
      set((now) => ({ held: { ...now.held, ...held }, lastUsed: performance.now() }));
    },
    async merge() {
      set({ lastUsed: performance.now() });
      await show();
    },
    async mergeWhenIdle() {
      const { held, lastUsed, state } = get();
      const inUse = held.pointer || held.focus || performance.now() - lastUsed < IDLE_MS;
      if (inUse || state === null || (state.tidy && state.fresh === 0)) return;
      await show(true);
    },
  };

  /** Selects what stands at a place, once it is here. */
  async function selectAt(to: number): Promise<void> {
    const known = get().items.get(to);
    if (known?.kind === 'run') {
      set({ selected: known.row.id, at: to, lastUsed: performance.now() });
      return;
    }
    // A line that can be opened; no run is in front of anybody while it is selected.
    if (known?.kind === 'old') return set({ selected: null, at: to, lastUsed: performance.now() });
    const list = get().state?.list;
    await fetchPage(pageOf(to));
    if (get().state?.list === list && get().items.has(to)) await selectAt(to);
  }
});

const pageOf = (at: number): number => Math.floor(at / PAGE_ROWS) * PAGE_ROWS;

const itemsOf = (page: QueuePage): Map<number, QueueItem> =>
  new Map(page.items.map((item, index) => [page.from + index, item]));

function anyMissing(items: ReadonlyMap<number, QueueItem>, from: number, to: number): boolean {
  for (let at = from; at <= to; at += 1) if (!items.has(at)) return true;
  return false;
}

/** Lets go of what is far from the screen. */
function trimmed(items: Map<number, QueueItem>, seen: { from: number; to: number }): Map<number, QueueItem> {
  if (items.size <= MOST_PAGES * PAGE_ROWS) return items;
  const near = (MOST_PAGES / 2) * PAGE_ROWS;
  return new Map([...items].filter(([at]) => at >= seen.from - near && at <= seen.to + near));
}
