import type { Message, NormalRecord, PendingCall, ReadRefusal, System } from '../../shared/checkpoint.js';
import type { Decision } from '../../shared/decision.js';
import type { JsonNode } from '../../shared/json.js';
import type { Outcome, Refusal } from '../../shared/refusal.js';
import type { Neighbour, NeighbourCheck } from './neighbour.js';

export type ReadResult = { ok: true; record: NormalRecord } | { ok: false; refusal: ReadRefusal };

/** Where a continued run stands when it suspends again, completes or is cut short. */
export interface Continued {
  messages: readonly Message[];
  /** null: the step ended without tool calls (K2). */
  pending: readonly Omit<PendingCall, 'argumentsSha256'>[] | null;
  step: number;
  /** RFC 3339 in UTC. */
  createdAt: string;
  /** For a system that continues under a new run id (starweaver, S15). Absent: derived from the record that goes on. */
  newRunId?: string;
  /** For a system that names each of its records. Absent: derived from the new record's content. */
  newCheckpointId?: string;
  /** How the pending calls of the record that goes on ended. Absent: told from the answers' text alone. */
  ended?: readonly EndedCall[];
  /** The run is over with this answer; nothing pends. Absent: it suspended again, or was cut short. */
  completed?: { answer: string };
}

/** What became of one pending call, for systems whose answers say it (starweaver, S14). */
export interface EndedCall {
  index: number;
  how: 'done' | 'failed' | 'rejected';
  /** Of a rejection: why, word for word. */
  reason?: string;
  /** Of a decision: who. */
  by?: string;
}

/** What an agent that claims its run gets (H13). Every member is text, byte for byte. */
export interface HandedOver {
  /** The decision in the system's own form, or null where it has none for this mix. */
  systemDecision: string | null;
  /** The record to resume from. */
  record: string;
  /** Said when `record` is not the original: which calls it leaves out, and how the rejected ones were answered. */
  notes: string[];
  /** The system's own record of this claim, where it keeps one (starweaver S16). */
  claim?: string;
  /** The records beside it as they are once decided, in the system's own form. */
  neighbours?: string[];
}

/** What tells two records of one run apart. */
export interface Lineage {
  /** Its own id, or a digest of a long one; null where the system names none. */
  checkpointId: string | null;
  /** Decimal; null where the system counts none (runifold R1). */
  revision: string | null;
  /** `NormalRecord.order`; null where the record tells none, or was taken in before it was kept. */
  order: string | null;
}

/**
 * `beside`: another checkpoint of the same run, which neither replaces the other. `refused`: the one that came is older.
 * `conflict`: it takes the place of the other all the same (H2), and what the system itself says of that is shown.
 */
export type Succession =
  | { kind: 'supersedes'; conflict?: string }
  | { kind: 'beside' }
  | { kind: 'refused'; refusal: Refusal };

/** Why the system itself will not go on with a record that is in flight (R7). */
export interface Ambiguity {
  refusal: Refusal;
  /** What may happen twice when a person lets it run again; null where nothing here may do so. */
  retry: { turn: number; warning: string } | null;
}

/** What a finished record says came of its run. */
export interface StoredOutcome {
  answer: string;
  facts: { name: string; value: string }[];
}

/** One source system. A new system is one file with this surface, one line in list.ts, and its fixtures. */
export interface CheckpointFormat {
  readonly system: System;
  /** Looks at content only; returns the rule it used, or null when this is not one of its records. */
  detect(root: JsonNode): string | null;
  /** For a system whose file may be one record a line: the text of a file that is no JSON document as a whole. */
  detectLines?(text: string): string | null;
  /** Text in, normal form out. Refuses what the system's own reader refuses (H5). */
  read(bytes: Uint8Array): ReadResult;
  /** Refuses, before anything is written, a decision this system could not take. */
  checkDecision(record: NormalRecord, decision: Decision, options: { wholeBatchOnly: boolean }): Outcome<null>;
  handOver(bytes: Uint8Array, record: NormalRecord, decision: Decision): HandedOver;
  /** The record with its own latch set in the text and nothing else changed (H4, I6). */
  latchedView(bytes: Uint8Array): Uint8Array;
  /** The record one step further, in the system's own wire form. */
  writeContinued(bytes: Uint8Array, continued: Continued): Uint8Array;
  /** True when a run that ended leaves a record of its own, which is then written and kept. */
  readonly keepsFinished?: true;
  /** The run id under which a record goes on, where that is a new one (starweaver S15). */
  nextRunId?(bytes: Uint8Array): string;
  /** Of two records of one run: does `next` take the place of `before`? Absent: what comes later always does. */
  succession?(before: Lineage, next: Lineage): Succession;
  /** Do two records of one checkpoint and revision say the same, whatever their bytes (S19)? Absent: they never do. */
  sameContent?(before: Uint8Array, next: Uint8Array): boolean;
  /**
   * May a next record be written? `known` are all records of the run; asked before the claim, and again with the text
   * that was written.
   */
  mayContinue?(bytes: Uint8Array, known: readonly Uint8Array[], written?: Uint8Array): Outcome<null>;
  /** The system's own name and words for "somebody else has the claim". */
  claimLost?(record: NormalRecord): { upstream: string; text: string };
  /** The system's idempotency key of one call; turn from 1, call from 0 (runifold R9). Null where the record has none. */
  effectKey?(bytes: Uint8Array, at: { turn: number; call: number }): string | null;
  /** Null when nothing of the record is in doubt. */
  ambiguity?(bytes: Uint8Array): Ambiguity | null;
  /** Null for a record that is not finished. */
  storedOutcome?(bytes: Uint8Array): StoredOutcome | null;
  /** A record that belongs beside a checkpoint; null when these bytes are none. */
  neighbour?(bytes: Uint8Array): Outcome<Neighbour> | null;
  /** What the records beside a checkpoint say to deciding and going on; asked before anything is written (S11-S13). */
  withNeighbours?(bytes: Uint8Array, beside: readonly Uint8Array[]): NeighbourCheck;
}
