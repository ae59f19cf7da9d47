import { type Refusal, refused } from '../shared/refusal.js';
import { KEPT_WHOLE } from './checkpoints/keys.js';
import { locateDataFolder, openDataFolder } from './data-folder.js';
import type { Engine } from './engine/contract.js';
import { makeEngine } from './engine/make-engine.js';
import { isStoreHere } from './engine/store-here.js';
import { thisProcess } from './identity.js';
import { notMoved } from './keep/not-moved.js';
import { followSettings } from './settings-file.js';
import { followKeyFile, knownKeys } from './signing/key-file.js';
import { openStore } from './store/file-store.js';
import { storeRefusal } from './store/refusal.js';
import { systemClock, systemIds } from './system-clock.js';

export type { HandOver } from './checkpoints/handover.js';
export type { Engine, Suspended, SuspendOptions } from './engine/contract.js';
export type { Inspection } from './engine/inspection.js';

export interface EngineOptions {
  /** The data folder; without it the rules of `holdpoint --data` hold (H11). */
  dataFolder?: string | undefined;
  /** Who this is, for the history: the agent's own name. */
  name?: string | undefined;
  /** False: nothing is made, and where no store is, `not_found` is refused. True is the default. */
  make?: boolean | undefined;
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

/** Opens the engine on a data folder, and makes that when there is none, unless told not to. Throws EngineRefused. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const located = locateDataFolder(options.dataFolder);
  if (!located.ok) throw new EngineRefused(located.refusal);
  const { make = true } = options;
  const opened = openDataFolder(located.value, { make });
  const folder = opened.ok ? notMoved(opened.value) : opened;
  if (!folder.ok) throw new EngineRefused(folder.refusal);
  if (!make) await needStore(folder.value.store);
  const settings = followSettings(folder.value.settings);
  const me = thisProcess(options.name ?? 'agent');
  const store = await openStore(folder.value.store, { keepAll: KEPT_WHOLE }).catch((error: unknown) => {
    const refusal = storeRefusal(error);
    throw refusal.ok ? error : new EngineRefused(refusal.refusal);
  });
  const ownKey = followKeyFile(folder.value.path);
  const known = () => knownKeys(ownKey(), settings().settings);
  return makeEngine({ folder: folder.value, store, settings, clock: systemClock(), ids: systemIds(), me, known });
}

/** A store that vanished, or a slip in the path, must not become a new and empty store. */
async function needStore(path: string): Promise<void> {
  if (await isStoreHere(path)) return;
  const text = `There is no store in ${path}. The window makes it, and so does "holdpoint suspend".`;
  throw new EngineRefused(refused('not_found', text, { path }).refusal);
}
