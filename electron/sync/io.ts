import { z } from 'zod';
import { Fate } from '../../shared/fate.js';
import type { SharedEngine } from './engine.js';
import type { Plans } from './plans.js';
import type { SharedHead } from './protocol/head.js';
import type { Cursor, Known } from './protocol/plan-pull.js';
import { SharedRecord, type Verify } from './protocol/record.js';

/** One decision on its way; kept for good. Only once this is durable, "queued" is shown. */
export const OutboxEntry = z.strictObject({
  v: z.literal(1),
  record: SharedRecord,
  /** Digest of the record that its author looked at. */
  digest: z.string(),
  /** `sent`: its record stands under its own key in the engine. */
  phase: z.enum(['queued', 'sent']),
  fate: Fate,
  /** The revision of the head that its author looked at, or by which the fate was told; an older read changes nothing. */
  toldBy: z.number().int(),
});
export type OutboxEntry = z.infer<typeof OutboxEntry>;

/** The right to continue one run, as its claimer notes it: durable before it is asked for. */
export const Intent = z.strictObject({
  v: z.literal(1),
  token: z.string(),
  /** `lost`: somebody else has it. `closed`: settled in the engine. */
  phase: z.enum(['intent', 'started', 'answered', 'lost', 'closed']),
});
export type Intent = z.infer<typeof Intent>;

/** What must outlive the process. A write is durable when it returns. */
export interface SyncFiles {
  outbox(): Promise<OutboxEntry[]>;
  /** Null removes nothing: there was no such entry, or the change says that it stays as it is. */
  changeOutbox(decisionId: string, change: (entry: OutboxEntry) => OutboxEntry | null): Promise<void>;
  known(id: string): Promise<Known | null>;
  /** Null from the change: it stays as it is. Asked again when somebody else wrote meanwhile. */
  changeKnown(id: string, change: (known: Known | null) => Known | null): Promise<void>;
  /** By id, the revision of what is known and not gone. */
  allKnown(): Promise<Map<string, number>>;
  /** Another engine: every revision known is 0, every open decision is to be sent again from its record on. */
  forgetRevisions(): Promise<void>;
  cursor(): Promise<Cursor | null>;
  saveCursor(cursor: Cursor): Promise<void>;
  intent(id: string): Promise<Intent | null>;
  saveIntent(id: string, intent: Intent): Promise<void>;
}

/** What carrying the protocol out needs from outside. */
export interface SyncIo {
  engine: SharedEngine;
  files: SyncFiles;
  plans: Plans;
  verify: Verify;
  /** Who this is, for tombstones and claims. */
  me: string;
  /** RFC 3339, for showing only. */
  now(): string;
  newToken(): string;
  /** The epoch of the engine as it was read last. */
  epoch(): number;
  /** Takes in what became known of a run, before it is noted as known: a crash in between does it again. */
  apply(id: string, known: Known): Promise<void>;
  /** The digest of the body that a head names, read and verified; null when it is not there or not what it says. */
  bodyDigest(head: SharedHead): Promise<string | null>;
  /** Called between durable writes and acts of the engine; a crash test ends the process in it. */
  at?(point: string): void | Promise<void>;
}
