import type { SuspensionKey } from '../shared/decision.js';
import type { HistoryEvent, RunDetail, RunRow } from '../shared/ipc.js';
import type { Outcome, Refusal } from '../shared/refusal.js';
import type { HandOver } from './checkpoints/handover.js';
import { DECISIONS } from './checkpoints/keys.js';
import { locateDataFolder, openDataFolder } from './data-folder.js';
import type { AwaitOptions } from './engine/await-decision.js';
import type { GcOptions, GcResult } from './engine/collect-garbage.js';
import type { DoctorReport } from './engine/doctor.js';
import { storeRefusal } from './engine/faults.js';
import type { Inspection } from './engine/inspection.js';
import { makeEngine } from './engine/make-engine.js';
import { thisProcess } from './identity.js';
import { followSettings } from './settings-file.js';
import { openStore } from './store/file-store.js';
import { systemClock, systemIds } from './system-clock.js';

export type { HandOver } from './checkpoints/handover.js';
export type { Inspection } from './engine/inspection.js';

export interface EngineOptions {
  /** The data folder; without it the rules of `holdpoint --data` hold (H11). */
  dataFolder?: string | undefined;
  /** Who this is, for the history: the agent's own name. */
  name?: string | undefined;
}

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
  doctor(): Promise<DoctorReport>;
  close(): Promise<void>;
}

/** The data folder or its store could not be opened; `refusal` says why. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.text);
    this.refusal = refusal;
  }
}

/** Opens the engine on a data folder, and makes that when there is none. Throws EngineRefused. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const located = locateDataFolder(options.dataFolder);
  if (!located.ok) throw new EngineRefused(located.refusal);
  const folder = openDataFolder(located.value, { make: true });
  if (!folder.ok) throw new EngineRefused(folder.refusal);
  const settings = followSettings(folder.value.settings);
  const me = thisProcess(options.name ?? 'agent');
  // Claims pin a decision at its revision, so no revision of a decision is ever thinned.
  const store = await openStore(folder.value.store, { keepAll: [DECISIONS] }).catch((error: unknown) => {
    const refusal = storeRefusal(error);
    throw refusal.ok ? error : new EngineRefused(refusal.refusal);
  });
  return makeEngine({ folder: folder.value, store, settings, clock: systemClock(), ids: systemIds(), me });
}
