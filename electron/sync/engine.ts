import type { Refusal } from '../../shared/refusal.js';

/**
 * The shared engine as the protocol sees it: five methods, so that another engine can follow without touching the
 * protocol. Revisions are the engine's own: positive, one total order over all keys, never reused within one `EngineLife`.
 */
export interface SharedEngine {
  /**
   * Writes over the revision read; 0 = create only, refused while a value or a marker stands there. A null value removes,
   * and leaves a marker. Every move of a head, decision or tombstone goes by here; there is no other write.
   */
  casPut(key: string, value: Uint8Array | null, expected: number): Promise<CasPut>;
  /** What stands under a key now, read from where writes are decided, never from a copy. Throws `EngineAway`. */
  get(key: string): Promise<Stored | null>;
  /** What is stored after a revision, in order, the newest of each key at least; goes on until the signal. Throws `EngineAway`. */
  watch(after: number, signal: AbortSignal): AsyncIterable<Stored>;
  /** Every key that holds a value, with its revision. Throws `EngineAway`. */
  keys(): AsyncIterable<{ key: string; revision: number }>;
  /** Puts bytes under their sha256 (hex) where they are not there yet; gives them back only when they match it. Throws `EngineAway`. */
  readonly blobs: {
    put(sha256: string, bytes: Uint8Array): Promise<void>;
    get(sha256: string): Promise<Uint8Array | null>;
  };
  /** Throws `EngineAway`. */
  life(): Promise<EngineLife>;
}

/** One life of the engine's bucket: another `created` means that it was made anew, and every remembered revision is void. */
export interface EngineLife {
  /** When the bucket was made, as the engine writes it. */
  created: string;
  /** The newest revision; lower than a cursor = restored from a copy. */
  last: number;
}

export interface Stored {
  key: string;
  revision: number;
  /** Null: removed, and this is the marker. */
  value: Uint8Array | null;
  /** The engine's own time of the write, nanoseconds since the epoch: the only clock by which anything expires. */
  at: bigint;
}

export type CasPut =
  | { kind: 'stored'; revision: number }
  /** Somebody wrote since, or is about to: read again. Never "definitely lost" by itself. */
  | { kind: 'conflict' }
  /** No answer came: it may be stored now or later. Only the same token, read back, tells. */
  | { kind: 'ambiguous'; text: string }
  /** It was not written and will not be: no right, too large, full. */
  | { kind: 'refused'; refusal: Refusal };

/** The engine cannot be asked now; everything local goes on. */
export class EngineAway extends Error {
  override readonly name = 'EngineAway';
}
