import type { SuspensionKey } from '../../shared/decision.js';

/**
 * What a writer says on its output once the store has acknowledged it. Pipes are written at once, so what the parent
 * has read was acknowledged before the writer was killed.
 */
export type Ack =
  | { t: 'ready' }
  /** Revision of a key; `id` names the value, null is a tombstone. */
  | { t: 'value'; key: string; revision: number; id: string | null }
  /** Several written at once, each by itself. */
  | { t: 'values'; values: { key: string; revision: number; id: string }[] }
  | { t: 'payload'; sha256: string }
  | { t: 'taken'; run: number }
  | { t: 'decided'; run: number; decisionId: string }
  | { t: 'decided together'; decisions: { run: number; decisionId: string }[] }
  | { t: 'claimed'; run: number; token: string }
  | { t: 'started'; run: number; token: string }
  | { t: 'reported'; run: number; token: string; text: string }
  | { t: 'completed'; run: number; token: string }
  | { t: 'resumed'; run: number }
  | { t: 'listed'; keys: number }
  | { t: 'thinned'; gone: number }
  | { t: 'tidied'; gone: number }
  | { t: 'reaped'; count: number }
  /** The disk could not say: the write holds or not, and nothing was dispatched on it. */
  | { t: 'in doubt'; text: string }
  /** A typed error while something is wrong with the disk. */
  | { t: 'refused'; name: string; text: string }
  /** The acts that meet the fault are done; then those after it. */
  | { t: 'paused' }
  | { t: 'over' }
  /** Something that no trial expects. */
  | { t: 'fault'; text: string };

/** What one writer is to do. */
export interface WriterPlan {
  root: string;
  ledger: string;
  name: string;
  seed: number;
  /** The first run of this round; both writers of a round work on the same ones. */
  base: number;
  /** Ends itself at this change of the disk, counted from when it is ready; 0 = never. */
  killAt: number;
  killHow: 'before' | 'half' | 'after';
  /** Ends in good order after so many acts; 0 = never. */
  acts: number;
}

/** What a writer does that lives through a fault of its disk and goes on. */
export interface SteadyPlan {
  root: string;
  ledger: string;
  name: string;
  seed: number;
  base: number;
  /** Acts while something is wrong; 0 = until it is killed. */
  acts: number;
  /** Milliseconds that it rests at most between two acts. */
  restMs: number;
  /** Takes all file handles there are before it acts. */
  withoutHandles: boolean;
  /** Never does one of the two syncs: the trial must find that out. */
  skipSync: 'file' | 'folder' | null;
}

/** Bucket of the plain values. */
export const PLAIN = 'plain';

/** Each run by its number. */
export function runKey(run: number): SuspensionKey {
  return { system: 'klieo', source: 'local', seq: 1, runId: `01K0QZ6V5M3H8D7N2B4C${String(run).padStart(6, '0')}` };
}

/** Runs that were taken in long ago, so that a sweep may reap them while nobody has decided. */
export const isOld = (run: number): boolean => run % 5 === 4;
/** Runs whose own agent claims them; the others go on in the writer itself. */
export const isHandedOver = (run: number): boolean => run % 2 === 0;
