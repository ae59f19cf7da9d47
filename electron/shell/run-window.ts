import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { app, BrowserWindow, dialog, powerMonitor, session } from 'electron';
import { listAssets, serveApp } from '../app-protocol.js';
import { broadcast, registerIpc } from '../ipc.js';
import { startHoldpoint } from '../wiring.js';
import { CRASH_PATH, crashPage } from './crash-page.js';
import { guardContents, guardSession } from './guards.js';
import type { Holdpoint } from './holdpoint.js';
import { openMainWindow } from './main-window.js';
import { APP_URL, isSameOrigin } from './origin.js';

const log = (text: string): void => console.error(`holdpoint: ${text}`);

/** Arguments that name files; options are Electron's or ours, and deep links carry no file. */
function filesIn(args: readonly string[], folder: string): string[] {
  return args
    .filter((argument) => !argument.startsWith('-'))
    .map((argument) => resolve(folder, argument))
    .filter((path) => existsSync(path));
}

/** Closing has at most this long, in milliseconds; nothing that was acknowledged depends on it. */
const CLOSING_TIME = 5000;

function closeOnQuit(holdpoint: Holdpoint): void {
  let closing = false;
  app.on('will-quit', (event) => {
    if (closing) return;
    closing = true;
    event.preventDefault();
    const late = new Promise<void>((done) => {
      setTimeout(done, CLOSING_TIME).unref();
    });
    void Promise.race([holdpoint.close(), late])
      .catch((cause: unknown) => log(`closing failed: ${String(cause)}`))
      .finally(() => app.exit());
  });
}

/** The life of the one window: from `ready` to quit. `dist` is the folder of the built application. */
export function runWindow({ dist, args }: { dist: string; args: readonly string[] }): void {
  const pageUrl = (!app.isPackaged && process.env['HOLDPOINT_DEV_URL']) || APP_URL;
  const plan = { pageUrl, preload: join(dist, 'preload/preload.cjs'), log };
  const waiting = filesIn(args, process.cwd());
  let hand: (paths: string[]) => void = (paths) => waiting.push(...paths);

  function front(): void {
    const [window] = BrowserWindow.getAllWindows();
    if (!window) return void openMainWindow(plan);
    if (window.isMinimized()) window.restore();
    window.focus();
  }

  async function start(): Promise<void> {
    guardSession(session.defaultSession);
    serveApp(listAssets(join(dist, 'renderer'), { [CRASH_PATH]: crashPage(pageUrl) }));
    const started = await startHoldpoint({ broadcast, log });
    if (!started.ok) {
      dialog.showErrorBox('Holdpoint cannot start', started.refusal.text);
      return app.exit(1);
    }
    const holdpoint = started.value;
    registerIpc(holdpoint.handlers, (sender) => sender.top && isSameOrigin(sender.url, pageUrl), log);
    closeOnQuit(holdpoint);
    powerMonitor.on('resume', () => holdpoint.woke());
    hand = (paths) => paths.length > 0 && holdpoint.openFiles(paths);
    hand(waiting);
    app.on('second-instance', front);
    app.on('activate', front);
    openMainWindow(plan).on('session-end', () => void holdpoint.close());
  }

  app.on('web-contents-created', (_event, contents) => guardContents(contents, pageUrl));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    hand([path]);
  });
  app.on('second-instance', (_event, _argv, folder, data) => hand(filesIn((data as { args: string[] }).args, folder)));

  // Not awaited at the top of a module: Electron holds `ready` back until its entry has been evaluated.
  app
    .whenReady()
    .then(start)
    .catch((cause: unknown) => {
      log(`could not start: ${String(cause)}`);
      dialog.showErrorBox('Holdpoint cannot start', String(cause));
      app.exit(1);
    });
}
