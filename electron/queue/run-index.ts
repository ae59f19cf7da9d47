import type { RunRow } from '../../shared/run-row.js';
import { classOf } from '../checkpoints/facts.js';
import type { HeadMeta } from '../checkpoints/head.js';
import { DECISIONS, DESK, HEADS, JOURNALS, NEIGHBOURS, parseSuspension, runText } from '../checkpoints/keys.js';
import { continuedMark, continuesMark, itemId, rowFrom, type WaitingOf } from '../checkpoints/rows.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { type Entry, makeEntry, takeRow } from './entry.js';
import { Sharing } from './sharing.js';

export interface IndexParts {
  store: Pick<KvStore, 'keysPage' | 'head'>;
  ports: Pick<Ports, 'clock' | 'settings'>;
  waiting: WaitingOf;
  /** A row as this window's own process knows better: cut short, or being continued. */
  asSeenHere(row: RunRow, journalMeta: string): RunRow;
  /** What cannot be read, wherever it lies. */
  unreadable(): Promise<readonly RunRow[]>;
  /** An entry's text may be another one than it was, or it is gone. */
  toSearch(entry: Entry, digest: string | null): void;
}

/** In the order in which they are read: what a head's row is made of comes before it. */
export const BUCKETS = [DECISIONS, JOURNALS, DESK, NEIGHBOURS, HEADS] as const;
export type Bucket = (typeof BUCKETS)[number];

const PAGE = 1024;
/** An unreported call becomes unknown by the clock alone; looked at again this often, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Every item of the list, kept up to date from what the store tells. Holds what order and filters ask for, and no
 * payload; a whole row is made when it is shown, by the one rule of rows.ts.
 */
export class RunIndex {
  readonly #parts: IndexParts;
  readonly #entries = new Map<string, Entry>();
  readonly #metas: Readonly<Record<Exclude<Bucket, typeof HEADS>, Map<string, string>>> = {
    [DECISIONS]: new Map(),
    [JOURNALS]: new Map(),
    [DESK]: new Map(),
    [NEIGHBOURS]: new Map(),
  };
  /** Marks of suspensions that a later one says it continues. */
  readonly #continued = new Set<string>();
  /** Claimed: what they are depends on what this process does, too. */
  readonly #claimed = new Set<Entry>();
  readonly #sharing = new Sharing();
  #repeatable = new Map<string, boolean>();
  #settings = '';
  #due = Number.POSITIVE_INFINITY;
  #docs = 0;

  constructor(parts: IndexParts) {
    this.#parts = parts;
    this.#settings = this.#settingsThatCount();
  }

  entries(): Iterable<Entry> {
    return this.#entries.values();
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** When something may change by the clock alone, in milliseconds since the epoch; Infinity: nothing. */
  get due(): number {
    return this.#due;
  }

  /** Reads a whole bucket from the store's index, giving way to other work between pages. */
  async readAll(bucket: Bucket, progress?: (done: number) => void): Promise<void> {
    // The first time there is nothing that could have gone.
    const before = new Set(this.#keysOf(bucket));
    const options = { tombstones: bucket === HEADS, all: true };
    let done = 0;
    for (let cursor: string | null = null; ; ) {
      const page = await this.#parts.store.keysPage(bucket, cursor, PAGE, options);
      for (const { key, meta, deleted } of page.heads) {
        before.delete(key);
        this.#take(bucket, key, meta, deleted);
      }
      done += page.heads.length;
      progress?.(done);
      if (page.next === null) break;
      cursor = page.next;
    }
    for (const key of before) this.#forget(bucket, key);
  }

  /** Reads some keys anew, from the files. */
  async readKeys(bucket: Bucket, keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      // A key that cannot be trusted is listed with what cannot be read.
      const head = await this.#parts.store.head(bucket, key).catch(() => null);
      if (head === null || (head.deleted && bucket !== HEADS)) this.#forget(bucket, key);
      else this.#take(bucket, key, head.meta, head.deleted);
    }
  }

  /** Lists anew what cannot be read. */
  async readUnreadable(): Promise<void> {
    const rows = await this.#parts.unreadable();
    const ids = new Set(rows.map((row) => row.id));
    for (const entry of this.#entries.values()) if (entry.head === '' && !ids.has(entry.id)) this.#remove(entry);
    for (const row of rows) {
      const entry = this.#entries.get(row.id) ?? this.#add(row.id, row.runId);
      if (entry.row?.note === row.note) continue;
      entry.row = row;
      this.#accept(entry, row, null);
    }
  }

  /** Looks again at what the clock, the settings or this process may have changed. */
  refresh(): void {
    const now = this.now();
    const settings = this.#settingsThatCount();
    const all = settings !== this.#settings;
    if (all) {
      this.#settings = settings;
      this.#repeatable = new Map();
    }
    for (const entry of this.#claimed) this.#compute(entry);
    if (!all && now < this.#due) return;
    this.#due = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries.values()) {
      if (all || entry.due <= now) this.#compute(entry);
      this.#due = Math.min(this.#due, entry.due);
    }
  }

  /** The whole row of an entry, as it is now, or as it was last. */
  rowOf(entry: Entry): RunRow {
    const row = entry.row ?? this.#make(entry)?.row;
    if (!row) throw new Error(`nothing is known of ${entry.name}`);
    return row;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Number(this.#parts.ports.clock.now() / 1_000_000n);
  }

  #settingsThatCount(): string {
    const { tools, gc, sources } = this.#parts.ports.settings();
    return JSON.stringify([tools, gc, sources]);
  }

  #keysOf(bucket: Bucket): string[] {
    if (bucket !== HEADS) return [...this.#metas[bucket].keys()];
    return [...this.#entries.values()].filter((entry) => entry.head !== '').map((entry) => entry.name);
  }

  #take(bucket: Bucket, key: string, meta: string, deleted: boolean): void {
    if (bucket !== HEADS) {
      const metas = this.#metas[bucket];
      if (metas.get(key) === meta) return;
      metas.set(key, meta);
      this.#computeBeside(bucket, key);
      return;
    }
    const known = this.#entries.get(itemId(key));
    if (known && known.head === meta && known.deleted === deleted) return;
    const entry = known ?? makeEntry(itemId(key), key, this.#docs++);
    entry.head = meta;
    entry.deleted = deleted;
    if (!known) this.#entries.set(entry.id, entry);
    this.#compute(entry);
  }

  #forget(bucket: Bucket, key: string): void {
    if (bucket === HEADS) {
      const entry = this.#entries.get(itemId(key));
      if (entry) this.#remove(entry);
    } else if (this.#metas[bucket].delete(key)) this.#computeBeside(bucket, key);
  }

  #computeBeside(bucket: Exclude<Bucket, typeof HEADS>, key: string): void {
    if (bucket !== NEIGHBOURS) {
      const entry = this.#entries.get(itemId(key));
      if (entry) this.#compute(entry);
      return;
    }
    for (const entry of this.#entries.values()) {
      const suspension = parseSuspension(entry.name);
      if (suspension && runText(suspension) === key) this.#compute(entry);
    }
  }

  #add(id: string, name: string): Entry {
    const entry = makeEntry(id, name, this.#docs++);
    this.#entries.set(id, entry);
    return entry;
  }

  #remove(entry: Entry): void {
    // Where it is on screen it keeps its place, as it was last.
    entry.row ??= this.#make(entry)?.row ?? null;
    entry.gone = true;
    this.#entries.delete(entry.id);
    this.#claimed.delete(entry);
    this.#parts.toSearch(entry, null);
  }

  #make(entry: Entry, bare = false): ReturnType<typeof rowFrom> {
    const { name, head, deleted } = entry;
    const key = parseSuspension(name);
    const metas = this.#metas;
    const journal = metas[JOURNALS].get(name) ?? '';
    const mark = this.#continued.size > 0 ? continuedMark(name) : null;
    const made = rowFrom(
      name,
      {
        head,
        deleted,
        decision: metas[DECISIONS].get(name) ?? '',
        journal,
        desk: metas[DESK].get(name) ?? '',
        beside: (key && metas[NEIGHBOURS].get(runText(key))) ?? '',
        continued: mark !== null && this.#continued.has(mark),
      },
      { ...this.#parts, bare },
    );
    return made && { ...made, row: this.#parts.asSeenHere(made.row, journal) };
  }

  #compute(entry: Entry): void {
    if (entry.head === '') return;
    const made = this.#make(entry, true);
    if (made === null) {
      this.#remove(entry);
      return;
    }
    this.#accept(entry, made.row, made.meta);
    this.#parts.toSearch(entry, entry.deleted ? null : (made.meta?.d ?? null));
    const mark = continuesMark(entry.name, made.meta);
    if (mark !== null && !this.#continued.has(mark)) {
      this.#continued.add(mark);
      for (const other of this.#entries.values()) if (continuedMark(other.name) === mark) this.#compute(other);
    }
  }

  #accept(entry: Entry, row: RunRow, meta: HeadMeta | null): void {
    const now = this.now();
    const { share, shareAll } = this.#sharing;
    const repeatable = row.calls > 0 && row.tools.every((tool) => this.#isRepeatable(row.source, tool));
    takeRow(entry, row, { repeatable, asks: meta?.a ?? null, share, shareAll, now });
    if (row.status === 'handed_over') entry.due = Math.min(entry.due, now + LOOK_AGAIN_MS);
    this.#due = Math.min(this.#due, entry.due);
    if (meta?.l && !entry.deleted && row.status !== 'finished' && row.status !== 'failed') this.#claimed.add(entry);
    else this.#claimed.delete(entry);
  }

  #isRepeatable(source: string, tool: string): boolean {
    const name = `${source} ${tool}`;
    const known = this.#repeatable.get(name);
    if (known !== undefined) return known;
    const { repeatable } = classOf(this.#parts.ports.settings(), source, tool);
    this.#repeatable.set(name, repeatable);
    return repeatable;
  }
}
