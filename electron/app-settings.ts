import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import Store from 'electron-store';
import { Settings } from '../shared/settings.js';

/** The settings file of one data folder, in the main process. */
export interface SettingsFile {
  get(): Settings;
  set(next: Settings): Settings;
  /** What was wrong with the file found at start; the file itself is kept aside under another name. */
  setAside: string | null;
}

/**
 * The settings of the application, in `settings.json` of the data folder; the main process alone writes them (H11).
 * A file that cannot be read does not stop the start: it is renamed, never wiped, and defaults hold.
 */
export function openSettings(dataFolder: string): SettingsFile {
  const setAside = keepAsideWhenBroken(join(dataFolder, 'settings.json'));
  const file = new Store<{ settings: unknown }>({ name: 'settings', cwd: dataFolder, clearInvalidConfig: false });
  const get = (): Settings => Settings.parse(file.get('settings') ?? {});
  return {
    get,
    set(next) {
      file.set('settings', Settings.parse(next));
      return get();
    },
    setAside,
  };
}

function keepAsideWhenBroken(path: string): string | null {
  if (!existsSync(path)) return null;
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const settings = typeof value === 'object' && value !== null && 'settings' in value ? value.settings : {};
    Settings.parse(settings);
    return null;
  } catch (error) {
    const aside = `${path.slice(0, -'.json'.length)}.unreadable-${Date.now()}.json`;
    renameSync(path, aside);
    return `The settings could not be read (${error instanceof Error ? error.message.slice(0, 300) : String(error)}); they are kept as ${aside}, and defaults hold.`;
  }
}
