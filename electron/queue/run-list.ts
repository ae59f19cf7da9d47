import { DAY_MS, type QueueQuery, WEEK_MS } from '../../shared/queue.js';
import { isInView, needsMe, passes } from './belongs.js';
import type { Entry } from './entry.js';
import { comparing } from './order.js';

/** Rows that ask the same, in one row; opened, the first stands as its heading and the others under it. */
export interface Group {
  members: readonly Entry[];
  open: boolean;
}
/** Where what is older than a week begins. */
export interface OldOnes {
  entries: readonly Item[];
  runs: number;
  open: boolean;
}
export type Item =
  | { kind: 'run'; entry: Entry; inside: boolean }
  | { kind: 'group'; group: Group }
  | { kind: 'old'; old: OldOnes };

/** Says of an item whether the search finds it. */
export type Finds = (entry: Entry) => boolean;

let lists = 0;

/**
 * A list that does not move under the hand: order and members are fixed when it is built. What changes keeps its place with
 * its new state, what leaves keeps it too, and what comes waits until the list is built anew.
 */
export class RunList {
  readonly id = ++lists;
  readonly query: QueueQuery;
  readonly #finds: Finds;
  #items: Item[];
  readonly #members: readonly Entry[];

  constructor(entries: Iterable<Entry>, query: QueueQuery, finds: Finds, now: number) {
    this.query = query;
    this.#finds = finds;
    const members: Entry[] = [];
    for (const entry of entries) {
      if (!this.belongs(entry, now)) continue;
      members.push(entry);
      entry.listed = this.id;
    }
    members.sort(comparing(query.sort, now));
    this.#members = members;
    this.#items = foldOld(query.fold ? foldEqual(members) : members.map(alone), query, now);
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** So many runs, folded or not. */
  get members(): readonly Entry[] {
    return this.#members;
  }

  belongs(entry: Entry, now: number, finds: Finds = this.#finds): boolean {
    const { view, filter } = this.query;
    return isInView(entry, view, now) && passes(entry, filter, now) && finds(entry);
  }

  /** The run that an item shows: of equal ones the first that still needs somebody. */
  shown(item: Item, now: number): Entry | null {
    if (item.kind === 'old') return null;
    if (item.kind === 'run') return item.entry;
    const { members, open } = item.group;
    const [first] = members;
    return (open ? first : (members.find((entry) => needsMe(entry, now)) ?? first)) ?? null;
  }

  /** Opens or closes what is folded at a place. */
  toggle(at: number): void {
    const item = this.#items[at];
    if (item?.kind === 'group') {
      const { group } = item;
      const inside = group.members.slice(1).map((entry): Item => ({ kind: 'run', entry, inside: true }));
      if (group.open) this.#items.splice(at + 1, inside.length);
      else this.#items.splice(at + 1, 0, ...inside);
      group.open = !group.open;
    } else if (item?.kind === 'old') {
      item.old.open = !item.old.open;
      // Copied, not spread: there may be more than a call takes arguments.
      this.#items = item.old.open
        ? this.#items.slice(0, at + 1).concat(item.old.entries)
        : this.#items.slice(0, at + 1);
      if (!item.old.open) for (const one of item.old.entries) if (one.kind === 'group') one.group.open = false;
    }
  }

  /** The place of a run, -1 when it is not here or folded away. */
  where(id: string, now: number): number {
    const exact = this.#items.findIndex((item) => this.shown(item, now)?.id === id);
    if (exact >= 0) return exact;
    return this.#items.findIndex(
      (item) => item.kind === 'group' && !item.group.open && item.group.members.some((entry) => entry.id === id),
    );
  }

  /** The runs that the row of this one stands for: of equal ones that are folded all, else itself. */
  standingFor(entry: Entry, now: number): readonly Entry[] {
    const item = this.#items.find((one) => this.shown(one, now) === entry);
    return item?.kind === 'group' && !item.group.open ? item.group.members : [entry];
  }

  /** All members that ask for the same one tool, in the same class. */
  like({ tools, effect }: Entry): readonly Entry[] {
    const [tool] = tools;
    if (tool === undefined || tools.some((one) => one !== tool)) return [];
    return this.#members.filter((one) => one.effect === effect && one.tools.every((name) => name === tool));
  }

  /** The place of the next run after `from` (wrapping round) for which a person still has to do something; -1: none. */
  next(from: string | null, now: number): number {
    const at = from === null ? -1 : this.where(from, now);
    const count = this.#items.length;
    // The place itself comes first: equal calls that are folded there may wait still.
    for (let step = 0; step < count; step += 1) {
      const place = (Math.max(at, 0) + step) % count;
      const item = this.#items[place];
      const entry = item === undefined ? null : this.shown(item, now);
      if (entry !== null && entry.id !== from && needsMe(entry, now)) return place;
    }
    return -1;
  }

  /** True when all that is here still belongs here. */
  isTidy(now: number, finds: Finds): boolean {
    return this.#members.every((entry) => !entry.gone && this.belongs(entry, now, finds));
  }
}

const alone = (entry: Entry): Item => ({ kind: 'run', entry, inside: false });

function foldEqual(members: readonly Entry[]): Item[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of members) {
    if (entry.asks === null) continue;
    const group = groups.get(entry.asks);
    if (group) group.push(entry);
    else groups.set(entry.asks, [entry]);
  }
  const items: Item[] = [];
  for (const entry of members) {
    const equal = entry.asks === null ? undefined : groups.get(entry.asks);
    if (equal === undefined || equal.length === 1) items.push(alone(entry));
    else if (equal[0] === entry) items.push({ kind: 'group', group: { members: equal, open: false } });
  }
  return items;
}

/** What is old folds into one line at the end, and does not vanish; what presses, and what was asked for, stays. */
function foldOld(items: Item[], { view, sort, filter }: QueueQuery, now: number): Item[] {
  if (sort === 'oldest' || filter.age !== null || filter.search.trim() !== '') return items;
  if (view !== 'needs_me' && view !== 'finished' && view !== 'other') return items;
  const isOldOne = (entry: Entry): boolean => {
    if (entry.status === 'unknown_outcome' || entry.status === 'held') return false;
    return now - (entry.decided || entry.taken) >= WEEK_MS && entry.expires - now > DAY_MS;
  };
  const isOld = (item: Item): boolean =>
    item.kind === 'run' ? isOldOne(item.entry) : item.kind === 'group' && item.group.members.every(isOldOne);
  const old = items.filter(isOld);
  if (old.length === 0 || old.length === items.length) return items;
  const runs = old.reduce((sum, item) => sum + (item.kind === 'group' ? item.group.members.length : 1), 0);
  return [...items.filter((item) => !isOld(item)), { kind: 'old', old: { entries: old, runs, open: false } }];
}
