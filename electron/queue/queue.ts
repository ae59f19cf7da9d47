import { MOST_BULK } from '../../shared/bulk.js';
import type { QueueQuery } from '../../shared/queue.js';
import { DAY_MS, HOUR_MS, PAGE_ROWS } from '../../shared/queue.js';
import type { QueueItem, QueuePage, QueuePlace, QueueState } from '../../shared/queue-rows.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';
import { parseSuspension, suspensionText } from '../checkpoints/keys.js';
import { itemId } from '../checkpoints/rows.js';
import { countIn, needsMe, noCounts } from './belongs.js';
import { commonest } from './commonest.js';
import type { Entry } from './entry.js';
import type { RunIndex } from './run-index.js';
import { type Finds, type Item, RunList } from './run-list.js';

/** Finds entries by words; how far it is with reading them. */
export interface Search {
  find(search: string): Promise<Finds>;
  readonly indexing: { done: number; all: number } | null;
}

/** What the list is made from. */
export type Listed = Pick<RunIndex, 'entries' | 'size' | 'get' | 'rowOf' | 'now' | 'refresh'>;

export interface QueueWhen {
  /** The index has been read once. */
  read: Promise<void>;
  /** What was written until now is in the index. */
  caughtUp(): Promise<void>;
}

/** How long the first list waits for the index to be read, in milliseconds; then it shows what there is. */
const WAIT_MS = 2_000;

/**
 * The list of the window: the order of one moment, kept until the next is asked for. Everything that filters, orders,
 * counts and searches happens here; the page gets rows by place.
 */
/** So many new items are named; the rest is counted. */
const MOST_NEWS = 20;

export class Queue {
  readonly #index: Listed;
  readonly #search: Search;
  readonly #when: QueueWhen;
  #list: RunList | null = null;
  /** What needed a person when `news` was asked last; null before the first time. */
  #told: ReadonlySet<string> | null = null;
  /** What the index is being read to, as told to the window. */
  reading: QueueState['reading'] = { done: 0, all: null };

  constructor(index: Listed, search: Search, when: QueueWhen) {
    this.#index = index;
    this.#search = search;
    this.#when = when;
  }

  async show(query: QueueQuery): Promise<{ state: QueueState; page: QueuePage }> {
    if (this.reading !== null)
      await Promise.race([this.#when.read, new Promise((r) => setTimeout(r, WAIT_MS).unref())]);
    await this.#when.caughtUp();
    const finds = await this.#search.find(query.filter.search);
    this.#index.refresh();
    const list = new RunList(this.#index.entries(), query, finds, this.#index.now());
    this.#list = list;
    return { state: this.#stateOf(list, finds), page: this.#pageOf(list, 0, PAGE_ROWS) };
  }

  state(id: number): Promise<Outcome<QueueState>> {
    return this.#on(id, async (list) => {
      this.#index.refresh();
      const finds = await this.#search.find(list.query.filter.search);
      return accepted(this.#stateOf(list, finds));
    });
  }

  rows(id: number, from: number, count: number): Promise<Outcome<QueuePage>> {
    return this.#on(id, async (list) => accepted(this.#pageOf(list, from, Math.min(count, PAGE_ROWS))));
  }

  fold(id: number, at: number): Promise<Outcome<QueueState>> {
    return this.#on(id, async (list) => {
      list.toggle(at);
      return this.state(id);
    });
  }

  where(id: number, item: string): Promise<Outcome<QueuePlace | null>> {
    return this.#on(id, async (list) => accepted(this.#placeOf(list, list.where(item, this.#index.now()))));
  }

  next(id: number, from: string | null): Promise<Outcome<QueuePlace | null>> {
    return this.#on(id, async (list) => {
      this.#index.refresh();
      return accepted(this.#placeOf(list, list.next(from, this.#index.now())));
    });
  }

  /** Runs to be marked with one: those its row stands for, or all in the list of the same tool and class. */
  marks(id: number, item: string, which: 'row' | 'tool'): Promise<Outcome<{ rows: RunRow[]; more: number }>> {
    return this.#on(id, async (list) => {
      this.#index.refresh();
      const now = this.#index.now();
      const entry = this.#index.get(item);
      const found = entry === undefined ? [] : which === 'row' ? list.standingFor(entry, now) : list.like(entry);
      const open = found.filter((one) => !one.gone && one.status === 'waiting' && !one.other && needsMe(one, now));
      const rows = open.slice(0, MOST_BULK).map((one) => this.#index.rowOf(one));
      return accepted({ rows, more: open.length - rows.length });
    });
  }

  /** Counts for the footer, badge and tray: of everything, whatever the list shows. */
  async totals(): Promise<{ runs: number; unreadable: number; decided: number; needsMe: number }> {
    await this.#when.caughtUp();
    const now = this.#index.now();
    const counts = noCounts();
    for (const entry of this.#index.entries()) countIn(counts, entry, now);
    const { unreadable, decided, needs_me } = counts;
    return { runs: this.#index.size, unreadable, decided, needsMe: needs_me };
  }

  /** The latest hold of the same run, where it is a later one. */
  async successor(item: string): Promise<string | null> {
    await this.#when.caughtUp();
    const entry = this.#index.get(item);
    const key = entry ? parseSuspension(entry.name) : null;
    let latest: string | null = null;
    for (let seq = (key?.seq ?? 0) + 1; key !== null; seq += 1) {
      const later = itemId(suspensionText({ ...key, seq }));
      if (this.#index.get(later) === undefined) break;
      latest = later;
    }
    return latest;
  }

  /**
   * How much needs a person now, by the list's own predicate, and what of it was not there when this was asked last; at the
   * first time nothing is new. For badge, tray and notifications.
   */
  async news(): Promise<{ count: number; fresh: { id: string; tools: string[] }[]; more: number }> {
    // While it is being read, what is there already is no news.
    await this.#when.read;
    await this.#when.caughtUp();
    this.#index.refresh();
    const now = this.#index.now();
    const before = this.#told;
    const told = new Set<string>();
    const fresh: { id: string; tools: string[] }[] = [];
    let more = 0;
    for (const entry of this.#index.entries()) {
      if (!needsMe(entry, now)) continue;
      told.add(entry.id);
      if (before === null || before.has(entry.id)) continue;
      if (fresh.length < MOST_NEWS) fresh.push({ id: entry.id, tools: [...entry.tools] });
      else more += 1;
    }
    this.#told = told;
    return { count: told.size, fresh, more };
  }

  async #on<T>(id: number, act: (list: RunList) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    await this.#when.caughtUp();
    const list = this.#list;
    if (list?.id !== id) return refused('not_found', 'The list was built anew meanwhile.');
    return act(list);
  }

  #placeOf(list: RunList, at: number): QueuePlace | null {
    const item = list.items[at];
    return item ? { at, item: this.#itemOf(list, item) } : null;
  }

  #pageOf(list: RunList, from: number, count: number): QueuePage {
    return { list: list.id, from, items: list.items.slice(from, from + count).map((item) => this.#itemOf(list, item)) };
  }

  #itemOf(list: RunList, item: Item): QueueItem {
    const now = this.#index.now();
    if (item.kind === 'old') return { kind: 'old', runs: item.old.runs, shown: item.old.open };
    const entry = list.shown(item, now) as Entry;
    const row = this.#index.rowOf(entry);
    if (item.kind === 'run') return { kind: 'run', row, inside: item.inside };
    const { members, open: shown } = item.group;
    const open = members.filter((one) => needsMe(one, now)).length;
    return { kind: 'run', row, same: { count: members.length, open, shown }, inside: false };
  }

  #stateOf(list: RunList, finds: Finds): QueueState {
    const now = this.#index.now();
    const counts = noCounts();
    const soon = { hour: 0, day: 0 };
    const [sources, tools] = [commonest(), commonest()];
    let fresh = 0;
    for (const entry of this.#index.entries()) {
      countIn(counts, entry, now);
      sources.add(entry.source);
      for (const tool of entry.tools) tools.add(tool);
      if (entry.listed !== list.id && list.belongs(entry, now, finds)) fresh += 1;
      if (entry.expires - now < DAY_MS && needsMe(entry, now)) {
        soon.day += 1;
        if (entry.expires - now < HOUR_MS) soon.hour += 1;
      }
    }
    return {
      list: list.id,
      items: list.items.length,
      runs: list.members.length,
      open: list.members.filter((entry) => needsMe(entry, now)).length,
      fresh,
      tidy: list.isTidy(now, finds),
      counts,
      soon,
      sources: sources.names(),
      tools: tools.names(),
      reading: this.reading,
      indexing: this.#search.indexing,
    };
  }
}
