import type { Outcome } from '../shared/refusal.js';
import type { Settings } from '../shared/settings.js';
import type { WindowSystem } from './shell/holdpoint.js';

/** The settings as the working thread has them: what the main process stored last. */
export interface SettingsStore {
  get(): Settings;
  /**
   * Resolves with what was stored, once it is on the disk; rejects, and nothing has changed, when it could not be.
   * Refused with `not_allowed` when it would weaken safety and the person, asked natively, declined.
   */
  set(next: Settings): Promise<Outcome<Settings>>;
  setAside: string | null;
}

/** Opens the settings of a data folder: the main process alone writes them (H11), this thread keeps what it answered. */
export async function keptSettings(system: WindowSystem['settings'], dataFolder: string): Promise<SettingsStore> {
  const { settings: found, setAside } = await system.openSettings(dataFolder);
  let settings = found;
  return {
    get: () => settings,
    async set(next) {
      const stored = await system.storeSettings(next);
      if (stored.ok) settings = stored.value;
      return stored;
    },
    setAside,
  };
}
