import { Postings } from './postings.js';

/** Shorter words are looked for at the beginning of a part, or as a whole one: they are in nearly everything. */
const INSIDE_FROM = 3;
/** A longer part is kept in pieces that overlap, so that what is looked for is found in one of them. */
const PIECE = 64;
const OVERLAP = 24;
/** Of one record, so many different parts count. */
const MOST_PARTS = 50_000;

/**
 * Which documents hold which parts of text. A word finds every document with a part that contains it. Documents are
 * numbered in the order in which they come; one that is dropped is not found any more.
 */
export class SearchIndex {
  readonly #parts = new Map<string, number>();
  readonly #texts: string[] = [];
  readonly #postings: Postings[] = [];
  #count = 0;
  #dropped = new Set<number>();
  /** The last words and the parts that contain them: a longer word is looked for among these. */
  #before: { word: string; parts: number[] } | null = null;

  /** So many numbers are in use, dropped ones included. */
  get count(): number {
    return this.#count;
  }

  get dropped(): ReadonlySet<number> {
    return this.#dropped;
  }

  get parts(): readonly string[] {
    return this.#texts;
  }

  postingsOf(part: number): Postings | undefined {
    return this.#postings[part];
  }

  /** Adds a document of these parts (see `partsOf`); returns its number. */
  add(parts: Iterable<string>): number {
    const doc = this.#count++;
    const seen = new Set<string>();
    for (const part of parts) {
      for (const piece of part.length <= PIECE ? [part] : piecesOf(part)) {
        if (seen.has(piece)) continue;
        if (seen.size >= MOST_PARTS) return doc;
        seen.add(piece);
        this.#postingsFor(piece).add(doc);
      }
    }
    return doc;
  }

  drop(doc: number): void {
    if (doc < this.#count) this.#dropped.add(doc);
  }

  /** Puts in what was saved. */
  load(count: number, parts: readonly string[], postings: readonly Postings[]): void {
    this.#count = count;
    for (const [at, part] of parts.entries()) {
      const one = postings[at];
      if (one === undefined) continue;
      this.#parts.set(part, this.#texts.length);
      this.#texts.push(part);
      this.#postings.push(one);
    }
  }

  /** Calls back with each document that holds the word, some of them more than once. */
  find(word: string, each: (doc: number) => void): void {
    for (const part of this.#partsWith(word))
      this.#postings[part]?.forEach((doc) => {
        if (!this.#dropped.has(doc)) each(doc);
      });
  }

  #partsWith(word: string): number[] {
    if (word.length === 1) {
      const exact = this.#parts.get(word);
      return exact === undefined ? [] : [exact];
    }
    const fits = (text: string): boolean => (word.length < INSIDE_FROM ? text.startsWith(word) : text.includes(word));
    const before = this.#before;
    const parts: number[] = [];
    if (before !== null && before.word.length >= INSIDE_FROM && word.startsWith(before.word)) {
      for (const part of before.parts) if (fits(this.#texts[part] ?? '')) parts.push(part);
    } else {
      for (let part = 0; part < this.#texts.length; part += 1) if (fits(this.#texts[part] ?? '')) parts.push(part);
    }
    this.#before = { word, parts };
    return parts;
  }

  #postingsFor(part: string): Postings {
    const known = this.#parts.get(part);
    const postings = known === undefined ? undefined : this.#postings[known];
    if (postings !== undefined) return postings;
    const made = new Postings();
    this.#parts.set(part, this.#texts.length);
    this.#texts.push(part);
    this.#postings.push(made);
    this.#before = null;
    return made;
  }
}

function* piecesOf(part: string): Iterable<string> {
  for (let from = 0; from < part.length; from += PIECE - OVERLAP) {
    yield part.slice(from, from + PIECE);
    if (from + PIECE >= part.length) return;
  }
}
