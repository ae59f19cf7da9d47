import {
  app,
  BrowserWindow,
  dialog,
  type MessageBoxOptions,
  type OpenDialogOptions,
  safeStorage,
  screen,
} from 'electron';
import { openSettings, type SettingsFile } from '../app-settings.js';
import { desktopOf } from './desktop.js';
import { openExternal } from './external-link.js';
import { guardedSettings } from './guarded-settings.js';
import type { Question, WindowSystem } from './holdpoint.js';

let settingsFile: SettingsFile | null = null;

const front = (): BrowserWindow | undefined => BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];

async function ask({ message, detail, yes, no }: Question): Promise<boolean> {
  const options: MessageBoxOptions = {
    type: 'warning',
    message,
    detail,
    buttons: [no, yes],
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  };
  const window = front();
  const { response } = window ? await dialog.showMessageBox(window, options) : await dialog.showMessageBox(options);
  return response === 1;
}

/** Electron, as the thread that does the work may ask for it. */
export const windowSystem: Omit<WindowSystem, 'takeWanted' | 'attentionProblems'> = {
  about: async () => ({
    version: app.getVersion(),
    electron: process.versions.electron ?? '',
    packaged: app.isPackaged,
    platform: process.platform,
  }),
  chooseFiles: async (title, what) => {
    const window = front();
    const several = what === 'several' ? (['multiSelections'] as const) : [];
    const options: OpenDialogOptions = {
      title,
      properties: what === 'folder' ? ['openDirectory', 'createDirectory'] : ['openFile', ...several],
    };
    const chosen = window ? await dialog.showOpenDialog(window, options) : await dialog.showOpenDialog(options);
    return chosen.filePaths;
  },
  choosePlace: async (title, name) => {
    const window = front();
    const options = { title, defaultPath: name };
    const chosen = window ? await dialog.showSaveDialog(window, options) : await dialog.showSaveDialog(options);
    return chosen.canceled || !chosen.filePath ? null : chosen.filePath;
  },
  scale: async () => {
    const [window] = BrowserWindow.getAllWindows();
    if (!window || window.isDestroyed()) return null;
    return screen.getDisplayMatching(window.getBounds()).scaleFactor * window.webContents.getZoomFactor();
  },
  settings: {
    openSettings: async (dataFolder) => {
      settingsFile = openSettings(dataFolder);
      return { settings: settingsFile.get(), setAside: settingsFile.setAside };
    },
    storeSettings: (next) => {
      if (!settingsFile) throw new Error('no settings are open');
      return guardedSettings(settingsFile, next, ask);
    },
  },
  ask,
  openLink: async (address) => {
    const window = front();
    return window ? openExternal(address, desktopOf(window)) : false;
  },
  keys: {
    isEncryptionAvailable: async () => safeStorage.isEncryptionAvailable(),
    encryptString: async (text) => safeStorage.encryptString(text),
    decryptString: async (bytes) => safeStorage.decryptString(Buffer.from(bytes)),
    backend: async () => (process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform),
  },
};
