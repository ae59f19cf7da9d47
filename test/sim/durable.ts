import type { Intent, OutboxEntry } from '../../electron/sync/io.js';
import type { Cursor, Known } from '../../electron/sync/protocol/plan-pull.js';

/** A run that began on a laptop: its own latch, and whether it was handed off. Compared-and-set by revision, like a head. */
export interface LocalRun {
  revision: number;
  digest: string;
  handedOff: { inc: string } | null;
  sent: boolean;
  latch: 'none' | 'taken' | 'started' | 'ended';
  decisionId: string | null;
}

/** What survives a crash. */
export interface Disk {
  outbox: Map<string, OutboxEntry>;
  known: Map<string, Known>;
  cursor: Cursor | null;
  intents: Map<string, Intent>;
  local: Map<string, LocalRun>;
  /** An agent's own runs: the note is durable before the run is sent. */
  own: Map<string, { inc: string; digest: string; sent: boolean; over: boolean }>;
}

export const newDisk = (): Disk => ({
  outbox: new Map(),
  known: new Map(),
  cursor: null,
  intents: new Map(),
  local: new Map(),
  own: new Map(),
});

export interface DiskFaults {
  /** Says that an outbox record is durable before it is. */
  acknowledgesEarly?: boolean;
}
