import type { CallEntry, Journal } from '../../shared/journal.js';
import { type KvStore, StoreCorrupt } from '../store/contract.js';
import { bytesDigest } from './digest.js';

/** A larger answer lies beside the journal, written once, so that no later move writes it again. Bytes of UTF-8. */
export const RESULT_LIMIT = 64 * 1024;
/** What the journal keeps of it, for lists and histories. UTF-16 units. */
const START = 2000;

/**
 * Puts the large answers of a journal beside it, durable before the journal names them: a crash in between leaves a
 * payload that nothing names, and the sweep takes it. Returns the journal as it is to be written.
 */
export async function withResultsAside(store: KvStore, journal: Journal): Promise<Journal> {
  const calls = await Promise.all(journal.calls.map((entry) => aside(store, entry)));
  const loop = await Promise.all(journal.loop.map((entry) => aside(store, entry)));
  return { ...journal, calls, loop };
}

async function aside<T extends CallEntry>(store: KvStore, entry: T): Promise<T> {
  const { result } = entry;
  // A character takes three bytes at most.
  if (result === undefined || entry.resultAt !== undefined || result.length * 3 <= RESULT_LIMIT) return entry;
  const bytes = new TextEncoder().encode(result);
  // Half a surrogate pair has no UTF-8: such a text stays where it keeps every unit.
  if (bytes.length <= RESULT_LIMIT || new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) !== result)
    return entry;
  const sha256 = await store.putPayload(bytes);
  return { ...entry, result: startOf(result), resultAt: { sha256, size: bytes.length, length: result.length } };
}

/** The whole answer of a call, '' where it has none. Throws StoreCorrupt when the payload is missing or altered. */
export async function wholeResult(store: KvStore, entry: CallEntry | undefined): Promise<string> {
  const at = entry?.resultAt;
  if (at === undefined) return entry?.result ?? '';
  const bytes = await store.getPayload(at.sha256);
  if (bytes === null) throw new StoreCorrupt(`The answer of ${entry?.name}, payload ${at.sha256}, is missing.`);
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** Whether a call's answer is this text, without reading it back. */
export function isResult(entry: CallEntry, text: string): boolean {
  if (entry.resultAt === undefined) return entry.result === text;
  return entry.resultAt.length === text.length && entry.resultAt.sha256 === bytesDigest(new TextEncoder().encode(text));
}

/** The payloads that a journal names. */
export const resultsOf = (journal: Journal): string[] =>
  [...journal.calls, ...journal.loop].flatMap(({ resultAt }) => (resultAt === undefined ? [] : [resultAt.sha256]));

const startOf = (text: string): string =>
  text.slice(0, /[\uD800-\uDBFF]$/.test(text.slice(0, START)) ? START - 1 : START);
