import type { SuspensionKey } from '../../shared/decision.js';
import type { HistoryEvent } from '../../shared/history-event.js';
import type { ImportRow } from '../../shared/import-row.js';
import type { RunDetail } from '../../shared/ipc.js';
import type { Outcome } from '../../shared/refusal.js';
import type { RunRow } from '../../shared/run-row.js';
import type { HandOver } from '../checkpoints/handover.js';
import type { AwaitOptions } from './await-decision.js';
import type { GcOptions, GcResult } from './collect-garbage.js';
import type { DoctorReport } from './finding.js';
import type { Inspection } from './inspection.js';

export interface SuspendOptions {
  /** Where the run comes from; letters, digits, `_`, `.` and `-`. */
  source?: string | undefined;
  /** Why it stopped, for the reviewer. */
  reason?: string | undefined;
  /** The window continues it; without this the agent does, unless the settings of the source say otherwise (H13). */
  continueHere?: boolean | undefined;
  /** The name of the file it came from. */
  name?: string | undefined;
}

export interface Suspended {
  outcome: 'taken_in' | 'already_known';
  suspension: SuspensionKey;
  /** Names exactly this suspension, for the other calls. */
  run: string;
  /** Set for a record that is kept beside its checkpoint: what it is. */
  beside?: string;
}

/**
 * What an agent can do (H11): put runs in, read, wait, and report what it did. Nothing here decides, and nothing writes settings. `run` is
 * any id of a run; `RUN#2` is its second suspension. Expected refusals are values; faults of the machine are thrown.
 */
export interface Engine {
  dataFolder: { path: string; said: string };
  /** Why defaults hold instead of the settings; null when all is well. */
  settingsWarning(): string | null;
  inspect(bytes: Uint8Array): Inspection;
  suspend(bytes: Uint8Array, options?: SuspendOptions): Promise<Outcome<Suspended>>;
  /** `ended` adds what the GC removed. */
  list(options?: { ended?: boolean }): Promise<Outcome<RunRow[]>>;
  show(run: string): Promise<Outcome<RunDetail>>;
  await(run: string, options: AwaitOptions): Promise<Outcome<HandOver>>;
  start(run: string, call: number, options: { token: string }): Promise<Outcome<null>>;
  report(
    run: string,
    call: number,
    options: { token: string } & ({ result: string } | { error: string }),
  ): Promise<Outcome<null>>;
  complete(run: string, options: { token: string; answer?: string | undefined }): Promise<Outcome<null>>;
  withdraw(run: string): Promise<Outcome<null>>;
  gc(options?: GcOptions): Promise<Outcome<GcResult>>;
  history(run?: string): Promise<Outcome<HistoryEvent[]>>;
  /** The whole history, run by run and each in order; throws what the store throws. */
  eachHistory(): AsyncIterable<HistoryEvent[]>;
  /** Brings the runs of a backup in, or says what it would do; see docs/BACKUP.md. */
  importBackup(
    path: string,
    options?: { dryRun?: boolean; update?: readonly string[] },
  ): Promise<Outcome<{ rows: ImportRow[] }>>;
  doctor(): Promise<DoctorReport>;
  close(): Promise<void>;
}
