import { create } from 'zustand';
import type { RunRow } from '../../shared/ipc.js';
import type { Refusal } from '../../shared/refusal.js';
import { call } from '../bridge.js';
import { type Filter, matches, NO_FILTER } from './filter.js';
import { build, EMPTY_LIST, isSettled, nextOpen, type StableList, update } from './stable-list.js';
import { isInView, type View } from './views.js';

/** A list that nobody has touched for this long may be built anew by itself. */
export const IDLE_MS = 5_000;

interface QueueState {
  rows: readonly RunRow[];
  loaded: boolean;
  refusal: Refusal | null;
  view: View;
  filter: Filter;
  list: StableList;
  selected: string | null;
  /** Pointer over the list, or keyboard focus in it. */
  held: { pointer: boolean; focus: boolean };
  lastUsed: number;
  /** When the list last rebuilt itself: a click just after it was meant for another row. */
  movedAt: number;
  load(): Promise<void>;
  setView(view: View): void;
  setFilter(filter: Filter): void;
  select(id: string | null): void;
  /** Moves the selection by rows; `first` and `last` jump. */
  move(by: number | 'first' | 'last'): void;
  /** Selects the next row that needs a person; false when there is none. */
  selectNextOpen(): boolean;
  hold(held: Partial<QueueState['held']>): void;
  /** Builds the list anew: on demand, or by itself when it is idle. */
  merge(): void;
  mergeWhenIdle(): void;
}

const belongsTo = (state: Pick<QueueState, 'view' | 'filter'>) => {
  const now = Date.now();
  return (row: RunRow): boolean => isInView(row, state.view, now) && matches(row, state.filter, now);
};

export const useQueue = create<QueueState>()((set, get) => ({
  rows: [],
  loaded: false,
  refusal: null,
  view: 'needs_me',
  filter: NO_FILTER,
  list: EMPTY_LIST,
  selected: null,
  held: { pointer: false, focus: false },
  lastUsed: Number.NEGATIVE_INFINITY,
  movedAt: Number.NEGATIVE_INFINITY,
  async load() {
    const reply = await call('runs:list');
    if (!reply.ok) {
      set({ refusal: reply.refusal, loaded: true });
      return;
    }
    set({ rows: reply.value, loaded: true, refusal: null });
    get().mergeWhenIdle();
  },
  setView(view) {
    set((state) => ({ view, list: build(state.rows, belongsTo({ ...state, view })) }));
  },
  setFilter(filter) {
    set((state) => ({ filter, list: build(state.rows, belongsTo({ ...state, filter })) }));
  },
  select(id) {
    set({ selected: id, lastUsed: performance.now() });
  },
  move(by) {
    const { list, selected } = get();
    const last = list.shown.length - 1;
    if (last < 0) return;
    const at = list.shown.findIndex((row) => row.id === selected);
    const to = by === 'first' ? 0 : by === 'last' ? last : at < 0 ? 0 : Math.min(Math.max(at + by, 0), last);
    get().select(list.shown[to]?.id ?? null);
  },
  selectNextOpen() {
    const next = nextOpen(get().list, get().selected);
    if (next) get().select(next.id);
    return next !== null;
  },
  hold(held) {
    set((state) => ({ held: { ...state.held, ...held }, lastUsed: performance.now() }));
  },
  merge() {
    set((state) => ({ list: build(state.rows, belongsTo(state)), lastUsed: performance.now() }));
  },
  mergeWhenIdle() {
    set((state) => ({ list: update(state.list, state.rows, belongsTo(state)) }));
    const { held, lastUsed, list } = get();
    const inUse = held.pointer || held.focus || performance.now() - lastUsed < IDLE_MS;
    const known = new Set(get().rows.map((row) => row.id));
    if (inUse || (isSettled(list, belongsTo(get())) && list.shown.every((row) => known.has(row.id)))) return;
    set((state) => ({ list: build(state.rows, belongsTo(state)), movedAt: performance.now() }));
  },
}));
