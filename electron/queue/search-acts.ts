import type { Wanted } from './search-keeper.js';

/** What the list asks of the thread that searches. */
export type SearchActs = {
  open(store: string, storeId: string, path: string): Promise<void>;
  want(wanted: readonly Wanted[], gone: readonly number[]): void;
  find(words: readonly string[]): Uint8Array[];
  close(): void;
};

/** What that thread tells of itself. */
export type ListActs = {
  progress(done: number, all: number): void;
};
