import type { Message, NormalRecord, PendingCall, ReadRefusal, System } from '../../shared/checkpoint.js';
import type { Decision } from '../../shared/decision.js';
import type { JsonNode } from '../../shared/json.js';
import type { Outcome } from '../../shared/refusal.js';

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
}
