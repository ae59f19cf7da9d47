import type { BrowserWindowConstructorOptions } from 'electron';
import type { Bounds } from './shell/bounds.js';

/** The one set of window options; every window is made with it. Sizes are in device-independent pixels. */
export function windowOptions(preload: string, bounds: Bounds, dark: boolean): BrowserWindowConstructorOptions {
  return {
    title: 'Holdpoint',
    ...bounds,
    minWidth: 640,
    minHeight: 480,
    show: false,
    backgroundColor: dark ? '#0f1318' : '#f6f7f9',
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      // Brings the preload script, and no Node, into the approve control's frame: it is how that frame gets its bridge.
      nodeIntegrationInSubFrames: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      // A reviewer may look elsewhere while a run goes on; what the page shows then must not lag behind.
      backgroundThrottling: false,
    },
  };
}
