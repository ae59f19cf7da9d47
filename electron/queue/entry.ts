import type { RunRow } from '../../shared/run-row.js';
import { needsPerson, type Status } from '../../shared/states.js';
import { EFFECTS } from '../../shared/tool-table.js';

/** One item of the list, as much of it as order, filters and counts ask for. Times are milliseconds since the epoch. */
export interface Entry {
  readonly id: string;
  /** The store's key, or the name of what cannot be read. */
  readonly name: string;
  /** Its number in the search index. */
  readonly doc: number;
  /** The store's own copy of what the index keeps of its head; '' for what cannot be read: then `row` is all there is. */
  head: string;
  deleted: boolean;
  row: RunRow | null;
  status: Status;
  /** A person has something to do here, snoozed or not. */
  open: boolean;
  other: boolean;
  /** Index in EFFECTS. */
  effect: number;
  repeatable: boolean;
  source: string;
  tools: readonly string[];
  created: number;
  taken: number;
  /** Infinity: never. */
  expires: number;
  decided: number;
  snoozedUntil: number;
  by: string;
  note: string;
  /** Equal for rows that ask the same of the same source, the same way; null: stands alone. */
  asks: string | null;
  /** When it may become another one by the clock alone. */
  due: number;
  /** The list that it stands in, folded or not. */
  listed: number;
  gone: boolean;
}

const NEVER = Number.POSITIVE_INFINITY;
const time = (text: string | null, absent: number): number => (text === null ? absent : Date.parse(text));

export function makeEntry(id: string, name: string, doc: number): Entry {
  return {
    id,
    name,
    doc,
    head: '',
    deleted: false,
    row: null,
    status: 'unreadable',
    open: false,
    other: false,
    effect: 0,
    repeatable: false,
    source: '',
    tools: [],
    created: 0,
    taken: 0,
    expires: NEVER,
    decided: 0,
    snoozedUntil: 0,
    by: '',
    note: '',
    asks: null,
    due: NEVER,
    listed: 0,
    gone: false,
  };
}

export interface More {
  repeatable: boolean;
  asks: string | null;
  /** The same text once, however many rows have it. */
  share<T extends string>(text: T): T;
  shareAll(texts: readonly string[]): readonly string[];
  now: number;
}

/** Takes over what a row says: so list, counts and card never differ, for there is one rule that makes rows. */
export function takeRow(entry: Entry, row: RunRow, { repeatable, asks, share, shareAll, now }: More): void {
  entry.status = row.status;
  entry.open = needsPerson(row.status);
  entry.other = row.other === true;
  entry.effect = EFFECTS.indexOf(row.effect);
  entry.repeatable = repeatable;
  entry.source = share(row.source);
  entry.tools = shareAll(row.tools);
  entry.created = time(row.createdAt, 0);
  entry.taken = time(row.takenInAt ?? row.createdAt, 0);
  entry.expires = time(row.expiresAt, NEVER);
  entry.decided = time(row.decidedAt, 0);
  entry.snoozedUntil = time(row.snoozedUntil, 0);
  entry.by = share(row.decidedBy ?? '');
  entry.note = row.status === 'waiting' ? share(row.classification ?? '') : row.note;
  entry.asks = row.status === 'waiting' && !row.other && asks !== null ? `${entry.source} ${asks}` : null;
  entry.due = Math.min(...[entry.expires, entry.snoozedUntil].filter((at) => at > now), NEVER);
}
