import { expect, it } from 'vitest';
import { windowOptions } from '../../electron/window.js';

it('shuts the page in', () => {
  expect(windowOptions('/preload.cjs', { width: 800, height: 600 }, true)).toMatchObject({
    width: 800,
    height: 600,
    show: false,
    webPreferences: {
      preload: '/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      // With no Node anywhere it only brings the preload script into the approve control's frame.
      nodeIntegrationInSubFrames: true,
      webSecurity: true,
      allowRunningInsecureContent: false,
      webviewTag: false,
    },
  });
});

it('turns no protection off by a name that is not listed above', () => {
  const { webPreferences } = windowOptions('/preload.cjs', { width: 800, height: 600 }, false);
  const loosening = ['enableBlinkFeatures', 'plugins', 'experimentalFeatures'] as const;
  expect(loosening.filter((name) => webPreferences?.[name])).toEqual([]);
});
