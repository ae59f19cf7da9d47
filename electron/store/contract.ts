/**
 * The key-value contract of the store (DESIGN section 5). It knows buckets, keys and bytes; it knows no checkpoint.
 * A revision counts the writes of one key from 1; it is never used again, not even after a delete.
 */

export interface Entry {
  value: Uint8Array;
  revision: number;
  /** The opaque text given with the write, up to 4096 bytes of UTF-8; '' when none. */
  meta: string;
}

/** What the index keeps of a key. A tombstone keeps its meta and goes on counting. */
export interface Head {
  key: string;
  revision: number;
  meta: string;
  deleted: boolean;
}

/** Where the chain of a key's revisions ends (tombstones included). */
export interface Link {
  revision: number;
  deleted: boolean;
  /** The sha256 that the next revision will name, see `hashOf` of header.ts. */
  hash: string;
}

/** A key whose newest revision cannot be trusted: truncated, altered, forked, or written by a newer Holdpoint (I5). */
export interface Quarantined {
  bucket: string;
  /** The key, or null when not even that can be read. */
  key: string | null;
  /** Path below the store's folder. */
  file: string;
  size: number;
  reason: string;
}

export interface Page {
  heads: Head[];
  /** The first key of the next page (inclusive), or null at the end. */
  next: string | null;
}

export interface WriteOptions {
  meta?: string;
  /**
   * Every payload that the value names, so that each is kept as long as this is the key's newest revision. Left out:
   * whatever looks like a payload's name in the value counts, which takes reading it.
   */
  payloads?: readonly string[];
  /** May use the space kept back for finishing what has begun, such as settling a claimed run. Deletes always may. */
  reserve?: boolean;
}

export interface TidyOptions {
  /** Counts what would go, and changes nothing. */
  dryRun?: boolean;
  /** False leaves payloads alone: for them every record is looked at. */
  payloads?: boolean;
  /** Asked between small steps; may wait, and ends the pass. */
  goOn?(): Promise<boolean>;
}

/** What one pass over old things removed. */
export interface Tidied {
  revisions: number;
  /** Payloads that nothing names: removed, and set aside to be removed by a later pass. */
  payloads: number;
  leaving: number;
  /** Leftovers of writers that died. */
  temps: number;
  /** Why no payload may go now, in words; null when they may. */
  doubt: string | null;
}

export interface CasWrite {
  key: string;
  value: Uint8Array;
  /** As in `cas`. */
  expected: number | null;
  options?: WriteOptions;
}

export interface PageOptions {
  /** Tombstones are listed, too. */
  tombstones?: boolean;
  /** The caller goes on to the last page: the first one may come later, and all of them together sooner. */
  all?: boolean;
}

export interface KvStore {
  get(bucket: string, key: string): Promise<Entry | null>;
  /** Head of a key from the files, tombstones included; null when the key was never written. */
  head(bucket: string, key: string): Promise<Head | null>;
  /** The end of a key's chain, from the files; null when the key was never written. */
  link(bucket: string, key: string): Promise<Link | null>;
  /** One earlier revision, where it is still kept. */
  getRevision(bucket: string, key: string, revision: number): Promise<Entry | null>;
  /** Unconditional write; returns the new revision. */
  put(bucket: string, key: string, value: Uint8Array, options?: WriteOptions): Promise<number>;
  /**
   * Writes only if the newest revision is `expected`; null = the key must be absent (a tombstone counts as absent, and
   * its counting goes on). Throws CasConflict, CasIndeterminate, StoreFull, StoreReadOnly or StoreCorrupt.
   */
  cas(bucket: string, key: string, value: Uint8Array, expected: number | null, options?: WriteOptions): Promise<number>;
  /**
   * Several `cas` on different keys of one bucket: each holds or fails by itself, and the errors are those of `cas`, in the
   * order of the writes. The bytes are synced together, so that a thousand cost far less than a thousand calls.
   */
  casMany(bucket: string, writes: readonly CasWrite[]): Promise<(number | Error)[]>;
  /**
   * Writes a tombstone; with `expected` only over that revision. Returns the tombstone's revision. Nothing is written
   * over a tombstone (unless a new meta is given) or for a key that was never written (then it returns 0).
   */
  delete(bucket: string, key: string, expected?: number, options?: WriteOptions): Promise<number>;
  /** Live keys in ascending order of their encoded key, from `cursor` (inclusive); `tombstones` lists those too. */
  keysPage(bucket: string, cursor: string | null, limit: number, options?: PageOptions): Promise<Page>;
  /**
   * Reads what listing all of a bucket needs, giving way to other work: at once from a snapshot, else from the header of
   * each record. Pages are answered meanwhile, and read what they lack themselves. Tells how many keys are known of how
   * many there are, about ten times a second and at the end.
   */
  prepare(bucket: string, progress?: (known: number, all: number) => void): Promise<void>;
  /** Calls back after any write to the bucket, by any process, at the latest after the poll interval. */
  watch(bucket: string, changed: (keys: readonly string[] | null) => void): () => void;
  /** Stores immutable bytes once under their sha256 (lower-case hex), durable before it returns. */
  putPayload(bytes: Uint8Array): Promise<string>;
  /** null when absent; throws StoreCorrupt when the bytes do not match their name. */
  getPayload(sha256: string): Promise<Uint8Array | null>;
  /** Drops what retention lets go of; returns when it is through, or was told to stop. */
  tidy(options?: TidyOptions): Promise<Tidied>;
  /** What changes when a payload's file does, without reading it; null when absent. */
  payloadStamp(sha256: string): Promise<string | null>;
  quarantined(): Promise<Quarantined[]>;
  /** Reads a quarantined file as it is. */
  readQuarantined(file: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** The revision read is not the newest any more. `actual` null: the key is absent. */
export class CasConflict extends Error {
  override readonly name = 'CasConflict';
  readonly expected: number | null;
  readonly actual: number | null;
  constructor(bucket: string, key: string, expected: number | null, actual: number | null) {
    super(`${bucket}/${JSON.stringify(key)}: expected revision ${expected ?? 'none'}, found ${actual ?? 'none'}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** The disk cannot say whether the write holds: nothing may be dispatched on it. */
export class CasIndeterminate extends Error {
  override readonly name = 'CasIndeterminate';
}
/** No space or no inodes. */
export class StoreFull extends Error {
  override readonly name = 'StoreFull';
}
export class StoreReadOnly extends Error {
  override readonly name = 'StoreReadOnly';
}
/** The key is quarantined, or its bytes do not match what was written. */
export class StoreCorrupt extends Error {
  override readonly name = 'StoreCorrupt';
}
/** The disk failed before anything was published: the key is as it was. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}
/** The folder was written by a newer Holdpoint; nothing in it was changed. */
export class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}
/** A bucket, key or meta that no store takes: the caller's mistake. */
export class StoreBadInput extends Error {
  override readonly name = 'StoreBadInput';
}
