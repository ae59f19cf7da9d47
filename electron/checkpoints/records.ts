import type { NormalRecord } from '../../shared/checkpoint.js';
import { Decision, type SuspensionKey } from '../../shared/decision.js';
import { Journal } from '../../shared/journal.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { CheckpointFormat } from '../formats/format.js';
import { type RecordRead, readRecord } from '../formats/read-record.js';
import { type KvStore, StoreCorrupt } from '../store/contract.js';
import { bytesDigest } from './digest.js';
import { frozen } from './frozen.js';
import { Head, headMeta, readHeadMeta } from './head.js';
import { KeptReadings } from './kept-readings.js';
import { DECISIONS, HEADS, JOURNALS, suspensionText } from './keys.js';
import { readLarge } from './large-originals.js';
import { closedMeta, decisionMeta, journalMeta } from './meta.js';
import { type BesideCheck, checkBeside } from './neighbours.js';
import { resultsOf, withResultsAside } from './results.js';

/** Bytes of each kind whose reading is kept: those of some hundred runs. */
const MOST_KEPT = 2 * 1024 * 1024;

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const utf8 = new TextDecoder('utf-8', { fatal: true });
const decode = (bytes: Uint8Array): unknown => JSON.parse(utf8.decode(bytes));

export interface HeadAt {
  head: Head;
  revision: number;
}

/** A decision key closed by the GC: whoever decides now is told that it expired. */
export interface Closed {
  v: 1;
  closed: 'expired';
  at: string;
}

export type DecisionAt =
  | { kind: 'none'; revision: number | null }
  /** `sha256` of the bytes as they stand in the store. */
  | { kind: 'decision'; decision: Decision; revision: number; sha256: string }
  | { kind: 'closed'; closed: Closed; revision: number };

export interface JournalAt {
  journal: Journal;
  revision: number;
}

/** A suspension with everything that its status, its card and its claim are derived from, read from the files. */
export interface Loaded {
  key: SuspensionKey;
  head: Head;
  /** The store's revision of the head: what a decision is bound to (I3). */
  revision: number;
  bytes: Uint8Array;
  record: NormalRecord;
  format: CheckpointFormat;
  decision: DecisionAt;
  /** The decision was taken back or objected to in an earlier revision, and this one does not say so any more. */
  heldBack: boolean;
  journal: JournalAt | null;
  /** What the records beside it say, where its system has such records. */
  beside: BesideCheck | null;
}

/** Somebody else claimed it before it came in, or beside it, and calls may have run: only a person can say (H4, S17). */
export function cameClaimed({ record, beside }: Pick<Loaded, 'record' | 'beside'>): boolean {
  // A started claim goes together with the end of its run (S17): of one that is finished nothing is in doubt.
  return record.state === 'latched' || (beside?.claim?.state === 'started' && record.state !== 'finished');
}

export async function readHead(store: KvStore, key: SuspensionKey): Promise<HeadAt | null> {
  const entry = await store.get(HEADS, suspensionText(key));
  if (entry === null) return null;
  return { head: heads.of(suspensionText(key), entry.value), revision: entry.revision };
}

const heads = new KeptReadings(MOST_KEPT, (bytes, name): Head => {
  const parsed = Head.safeParse(decode(bytes));
  if (!parsed.success) throw new StoreCorrupt(`${name}: not a head of this version of Holdpoint`);
  return frozen(parsed.data);
});

/** Writes the next head over the revision read; throws CasConflict when it has moved on. */
export async function writeHead(store: KvStore, head: Head, expected: number | null): Promise<number> {
  const payloads = head.original.at === 'payload' ? [head.original.sha256] : [];
  return store.cas(HEADS, suspensionText(head.suspension), encode(head), expected, { meta: headMeta(head), payloads });
}

export async function readDecision(store: KvStore, key: SuspensionKey): Promise<DecisionAt> {
  const entry = await store.get(DECISIONS, suspensionText(key));
  if (entry === null) return { kind: 'none', revision: null };
  return parseDecision(suspensionText(key), entry.value, entry.revision);
}

/**
 * The decision that a claim pinned, by revision and sha256 (null in claims from before it was kept). Throws StoreCorrupt
 * when it is missing, or is not the one that was claimed on.
 */
export async function readPinned(
  store: KvStore,
  key: SuspensionKey,
  revision: number,
  sha256: string | null,
): Promise<DecisionAt> {
  const entry = await store.getRevision(DECISIONS, suspensionText(key), revision);
  if (entry === null) throw new StoreCorrupt(`${suspensionText(key)}: revision ${revision} of the decision is missing`);
  if (sha256 !== null && bytesDigest(entry.value) !== sha256)
    throw new StoreCorrupt(
      `${suspensionText(key)}: revision ${revision} of the decision is not the one that was claimed`,
    );
  return parseDecision(suspensionText(key), entry.value, entry.revision);
}

function parseDecision(name: string, bytes: Uint8Array, revision: number): DecisionAt {
  return { ...decisions.of(name, bytes), revision };
}

type DecisionRead = { kind: 'decision'; decision: Decision; sha256: string } | { kind: 'closed'; closed: Closed };

const decisions = new KeptReadings(MOST_KEPT, (bytes, name): DecisionRead => {
  const value = decode(bytes);
  const decision = Decision.safeParse(value);
  if (decision.success) return { kind: 'decision', decision: frozen(decision.data), sha256: bytesDigest(bytes) };
  if (typeof value === 'object' && value !== null && 'closed' in value && 'at' in value)
    return { kind: 'closed', closed: { v: 1, closed: 'expired', at: String(value.at) } };
  throw new StoreCorrupt(`${name}: not a decision of this version of Holdpoint`);
});

export async function writeDecision(store: KvStore, decision: Decision, expected: number | null): Promise<number> {
  const name = suspensionText(decision.suspension);
  return store.cas(DECISIONS, name, encode(decision), expected, { meta: decisionMeta(decision), payloads: [] });
}

/** Several decisions at once, each over the revision read; one error, or none, for each. */
export async function writeDecisions(
  store: KvStore,
  writes: readonly { decision: Decision; expected: number | null }[],
): Promise<(Error | null)[]> {
  const results = await store.casMany(
    DECISIONS,
    writes.map(({ decision, expected }) => ({
      key: suspensionText(decision.suspension),
      value: encode(decision),
      expected,
      options: { meta: decisionMeta(decision) },
    })),
  );
  return results.map((result) => (typeof result === 'number' ? null : result));
}

export async function closeDecision(
  store: KvStore,
  key: SuspensionKey,
  at: string,
  expected: number | null,
): Promise<number> {
  const closed: Closed = { v: 1, closed: 'expired', at };
  return store.cas(DECISIONS, suspensionText(key), encode(closed), expected, {
    meta: closedMeta(at),
    payloads: [],
  });
}

export async function readJournal(store: KvStore, key: SuspensionKey): Promise<JournalAt | null> {
  const entry = await store.get(JOURNALS, suspensionText(key));
  if (entry === null) return null;
  const parsed = Journal.safeParse(decode(entry.value));
  if (!parsed.success) throw new StoreCorrupt(`${suspensionText(key)}: not a journal of this version of Holdpoint`);
  return { journal: parsed.data, revision: entry.revision };
}

/** Writes the next journal over the revision read, its large answers beside it, and says what was written. */
export async function writeJournal(store: KvStore, next: Journal, expected: number | null): Promise<JournalAt> {
  const journal = await withResultsAside(store, next);
  const name = suspensionText(journal.suspension);
  // On a full disk the outcome of what already happened may use the space kept back for it.
  const options = { meta: journalMeta(journal), payloads: resultsOf(journal), reserve: true };
  return { journal, revision: await store.cas(JOURNALS, name, encode(journal), expected, options) };
}

/** The original bytes, as they were taken in (I6). */
export async function readOriginal(store: KvStore, head: Head): Promise<Uint8Array> {
  if (head.original.at === 'inline') return new TextEncoder().encode(head.original.text);
  const bytes = await store.getPayload(head.original.sha256);
  if (bytes === null) throw missing(head, head.original.sha256);
  return bytes;
}

/** The same, with its normal form. */
async function readOpened(store: KvStore, head: Head): Promise<{ bytes: Uint8Array; read: RecordRead }> {
  if (head.original.at === 'inline') {
    const bytes = new TextEncoder().encode(head.original.text);
    return { bytes, read: inline.of(suspensionText(head.suspension), bytes) };
  }
  const large = await readLarge(store, head.original.sha256);
  if (large === null) throw missing(head, head.original.sha256);
  return large;
}

const inline = new KeptReadings(MOST_KEPT, (bytes): RecordRead => {
  const read = readRecord(bytes);
  if (read.ok) frozen(read.record);
  return read;
});

function missing(head: Head, sha256: string): StoreCorrupt {
  return new StoreCorrupt(`${suspensionText(head.suspension)}: its payload ${sha256} is missing`);
}

/** How a removed run ended; the four endings never share a word. */
function inWords(meta: string): string {
  const end = readHeadMeta(meta)?.end;
  if (!end) return 'This run is gone: its record has been removed.';
  const how = end.status === 'expired' ? 'expired; nobody rejected it' : end.status;
  return `This run is gone: ${how}. The clean-up removed its record at ${end.at}.`;
}

/**
 * `withdrawn` and `objections` are not signed: what an earlier revision of the same decision said must not be gone. Nor
 * may a decision come back after another one took its place.
 */
async function wasHeldBack(store: KvStore, key: SuspensionKey, now: DecisionAt): Promise<boolean> {
  if (now.kind !== 'decision' || now.decision.withdrawn) return false;
  const { decisionId, objections = [] } = now.decision;
  let replaced = false;
  for (let revision = now.revision - 1; revision > 0; revision--) {
    const entry = await store.getRevision(DECISIONS, suspensionText(key), revision);
    const before = entry && parseDecision(suspensionText(key), entry.value, revision);
    if (before?.kind !== 'decision') continue;
    if (before.decision.decisionId !== decisionId) {
      replaced = true;
      continue;
    }
    if (replaced || before.decision.withdrawn || (before.decision.objections?.length ?? 0) > objections.length)
      return true;
  }
  return false;
}

/** Loads one suspension from the files. A missing record refuses: absent never means "first attempt". */
export async function load(store: KvStore, key: SuspensionKey): Promise<Outcome<Loaded>> {
  const name = suspensionText(key);
  // The head comes first: a claim pins the decision that is read after it.
  const at = await readHead(store, key);
  if (at === null) {
    const tombstone = await store.head(HEADS, name);
    return tombstone
      ? refused('tombstone', inWords(tombstone.meta), { meta: tombstone.meta })
      : refused('not_found', `No suspension ${name} in this store.`);
  }
  const { bytes, read } = await readOpened(store, at.head);
  if (!read.ok) return refused('unreadable', read.refusal.text, { read: read.refusal });
  const decision = await readDecision(store, key);
  return accepted({
    key,
    head: at.head,
    revision: at.revision,
    bytes,
    record: read.record,
    format: read.format,
    decision,
    heldBack: await wasHeldBack(store, key, decision),
    journal: await readJournal(store, key),
    beside: await checkBeside(store, key, read.format, bytes),
  });
}
