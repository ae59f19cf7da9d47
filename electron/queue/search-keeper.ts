import type { KvStore } from '../store/contract.js';
import { partsOfSuspension } from './search-docs.js';
import { type Doc, loadSearch, saveSearch } from './search-file.js';
import { SearchIndex } from './search-index.js';

/** One entry of the list whose text is to be found: its number there, its name in the store, and what its bytes are. */
export interface Wanted extends Doc {
  entry: number;
}

export interface KeeperParts {
  store: KvStore;
  storeId: string;
  /** Where the index is kept between starts; null: it is not. */
  path: string | null;
  progress(done: number, all: number): void;
}

/** Milliseconds of indexing between two looks at what else is asked. */
const SLICE_MS = 8;
const SAVE_AFTER_MS = 20_000;

/** Keeps the search index in step with the list: reads what is new, one record after the other, and forgets what went. */
export class SearchKeeper {
  readonly #parts: KeeperParts;
  readonly #index: SearchIndex;
  readonly #docs: (Doc | null)[];
  /** Documents by name, and the entry of each (-1: nobody has asked for it yet). */
  readonly #byName = new Map<string, number>();
  readonly #entryOf: number[] = [];
  readonly #docOf = new Map<number, number>();
  readonly #queue = new Map<number, Wanted>();
  #highest = 0;
  #done = 0;
  #all = 0;
  #working = false;
  #dirty = false;
  #saving: NodeJS.Timeout | null = null;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
    const loaded = parts.path === null ? null : loadSearch(parts.path, parts.storeId);
    this.#index = loaded?.index ?? new SearchIndex();
    this.#docs = loaded?.docs ?? [];
    for (const [doc, known] of this.#docs.entries()) if (known) this.#byName.set(known.name, doc);
    this.#entryOf = this.#docs.map(() => -1);
  }

  /** Takes in what the list holds now, and what it holds no more. */
  want(wanted: readonly Wanted[], gone: readonly number[]): void {
    for (const entry of gone) this.#forget(entry);
    for (const one of wanted) {
      this.#highest = Math.max(this.#highest, one.entry);
      const doc = this.#byName.get(one.name);
      if (doc !== undefined && this.#docs[doc]?.digest === one.digest) {
        this.#entryOf[doc] = one.entry;
        this.#docOf.set(one.entry, doc);
      } else {
        if (!this.#queue.has(one.entry)) this.#all += 1;
        this.#queue.set(one.entry, one);
      }
    }
    if (!this.#working) void this.#work();
  }

  /** For each word a set of entries, as bits. */
  find(words: readonly string[]): Uint8Array[] {
    return words.map((word) => {
      const bits = new Uint8Array((this.#highest >> 3) + 1);
      this.#index.find(word, (doc) => {
        const entry = this.#entryOf[doc] ?? -1;
        if (entry >= 0) bits[entry >> 3] = (bits[entry >> 3] ?? 0) | (1 << (entry & 7));
      });
      return bits;
    });
  }

  /** Writes the index down, if anything changed. */
  save(): void {
    if (this.#saving !== null) clearTimeout(this.#saving);
    this.#saving = null;
    if (!this.#dirty || this.#parts.path === null) return;
    this.#dirty = false;
    // Documents that nobody asked for are of records that are gone.
    const docs = this.#docs.map((doc, at) => (this.#entryOf[at] === -1 ? null : doc));
    saveSearch(this.#parts.path, this.#parts.storeId, docs, this.#index);
  }

  #forget(entry: number): void {
    if (this.#queue.delete(entry)) this.#all -= 1;
    const doc = this.#docOf.get(entry);
    this.#docOf.delete(entry);
    if (doc !== undefined) this.#drop(doc);
  }

  #drop(doc: number): void {
    const known = this.#docs[doc];
    if (known && this.#byName.get(known.name) === doc) this.#byName.delete(known.name);
    this.#index.drop(doc);
    this.#docs[doc] = null;
    this.#entryOf[doc] = -1;
    this.#changed();
  }

  async #work(): Promise<void> {
    this.#working = true;
    let start = performance.now();
    for (const [entry, wanted] of this.#queue) {
      this.#queue.delete(entry);
      const parts = await partsOfSuspension(this.#parts.store, wanted.name);
      const old = this.#byName.get(wanted.name);
      if (old !== undefined) this.#drop(old);
      if (parts !== null) this.#add(wanted, parts);
      this.#done += 1;
      if (performance.now() - start > SLICE_MS) {
        this.#parts.progress(this.#done, this.#all);
        await new Promise<void>((resolve) => setImmediate(resolve));
        start = performance.now();
      }
    }
    this.#working = false;
    this.#done = 0;
    this.#all = 0;
    this.#parts.progress(0, 0);
  }

  #add({ entry, name, digest }: Wanted, parts: Iterable<string>): void {
    const doc = this.#index.add(parts);
    this.#docs[doc] = { name, digest };
    this.#entryOf[doc] = entry;
    this.#byName.set(name, doc);
    this.#docOf.set(entry, doc);
    this.#changed();
  }

  #changed(): void {
    this.#dirty = true;
    this.#saving ??= setTimeout(() => {
      this.#saving = null;
      // While much is being read, once at its end.
      if (this.#working) this.#changed();
      else this.save();
    }, SAVE_AFTER_MS).unref();
  }
}
