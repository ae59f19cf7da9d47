import { create } from 'zustand';
import type { GcStatus, Health } from '../../shared/ipc.js';
import type { Refusal } from '../../shared/refusal.js';
import { Settings } from '../../shared/settings.js';
import { call } from '../bridge.js';
import { text } from '../text.js';

interface SettingsState {
  /** The defaults until the main process has answered; `loaded` says which. */
  settings: Settings;
  loaded: boolean;
  health: Health | null;
  version: string;
  refusal: Refusal | null;
  load(): Promise<void>;
  loadHealth(): Promise<void>;
  /** Writes the whole settings; what main stored is what is shown afterwards. Returns the refusal, if any. */
  save(settings: Settings): Promise<Refusal | null>;
  noteGc(gc: GcStatus): void;
}

export const useSettings = create<SettingsState>()((set, get) => ({
  settings: Settings.parse({}),
  loaded: false,
  health: null,
  version: '',
  refusal: null,
  async load() {
    const [settings, info] = await Promise.all([call('settings:get'), call('app:info')]);
    set(settings.ok ? { settings: settings.value, loaded: true, refusal: null } : { refusal: settings.refusal });
    if (info.ok) set({ version: info.value.version });
  },
  async loadHealth() {
    const health = await call('app:health');
    set(health.ok ? { health: health.value } : { refusal: health.refusal });
  },
  async save(settings) {
    // What was never read is no base to write on: the defaults would take the place of everything.
    if (!get().loaded) return { code: 'not_allowed', text: text.settings.notRead, facts: {} };
    const saved = await call('settings:set', settings);
    if (!saved.ok) return saved.refusal;
    set({ settings: saved.value, loaded: true });
    return null;
  },
  noteGc(gc) {
    const { health } = get();
    if (health) set({ health: { ...health, gc } });
  },
}));
