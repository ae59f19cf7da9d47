import { join } from 'node:path';
import { app, BrowserWindow, dialog, powerMonitor, session } from 'electron';
import { maskSecrets } from '../../shared/mask.js';
import { listAssets, serveApp, serveApprove } from '../app-protocol.js';
import { pathsIn } from '../command-line.js';
import { broadcast, registerApprove, registerIpc } from '../ipc.js';
import { startWorker } from '../worker/host.js';
import { type AttentionCare, payAttention } from './attention.js';
import { choseAnotherFolder } from './choose-folder.js';
import { CRASH_PATH, crashPage } from './crash-page.js';
import { guardContents, guardSession } from './guards.js';
import type { Holdpoint, Shell } from './holdpoint.js';
import { HIDDEN } from './login-item.js';
import { openMainWindow, type WindowPlan } from './main-window.js';
import { showMenu } from './menu.js';
import { APP_URL, isApproveControl, isSameOrigin } from './origin.js';
import { windowSystem } from './window-system.js';

const log = (text: string): void => console.error(`holdpoint: ${maskSecrets(text)}`);

/** Says why, where it can be read without a window too, and ends. */
function giveUp(title: string, text: string): void {
  log(`${title}: ${text}`);
  dialog.showErrorBox(title, text);
  app.exit(1);
}

/** Closing has at most this long, in milliseconds; nothing that was acknowledged depends on it. */
const CLOSING_TIME = 5000;

function closeOnQuit(holdpoint: Holdpoint): void {
  let closing = false;
  app.on('will-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    const late = new Promise<void>((done) => {
      setTimeout(done, CLOSING_TIME);
    });
    void Promise.race([holdpoint.close(), late])
      .catch((cause: unknown) => log(`closing failed: ${String(cause)}`))
      .finally(() => app.exit());
  });
}

/** Opens the window, or brings the open one to the front. */
function front(plan: WindowPlan): void {
  const [window] = BrowserWindow.getAllWindows();
  if (!window) return void openMainWindow(plan);
  if (window.isMinimized()) window.restore();
  if (!window.isVisible()) window.show();
  window.focus();
}

/** The life of the one window, from `ready` to quit. `dist` is the folder of the built application. */
export function runWindow({ dist, args }: { dist: string; args: readonly string[] }): void {
  const pageUrl = (!app.isPackaged && process.env['HOLDPOINT_DEV_URL']) || APP_URL;
  const early = pathsIn(args, process.cwd());
  /** Paths that come before the application is ready wait for it. */
  let openFiles = (paths: readonly string[]): void => void early.push(...paths);

  let attention: AttentionCare | null = null;
  let wanted: string | null = null;
  const shell: Shell = {
    broadcast(channel) {
      broadcast(channel);
      if (channel === 'settings:changed') attention?.settingsChanged();
      // A snooze, a review rule or another ttl changes what waits, too.
      attention?.runsChanged();
    },
    log,
    system: {
      ...windowSystem,
      takeWanted: async () => {
        const item = wanted;
        wanted = null;
        return item;
      },
      attentionProblems: async () => (await attention?.problems()) ?? [],
    },
  };

  async function start(): Promise<void> {
    guardSession(session.defaultSession);
    serveApp(listAssets(join(dist, 'renderer'), { [CRASH_PATH]: crashPage(pageUrl) }));
    serveApprove(listAssets(join(dist, 'approve')), pageUrl);
    const worker = {
      file: join(dist, 'main/worker.js'),
      argv: process.argv,
      shell,
      gone: (text: string) => giveUp('Holdpoint stopped', text),
    };
    let started = await startWorker(worker);
    while (!started.ok && (await choseAnotherFolder(started.refusal))) started = await startWorker(worker);
    if (!started.ok) return giveUp('Holdpoint cannot start', started.refusal.text);
    const holdpoint = started.value;
    registerIpc(holdpoint.answer, (sender) => sender.top && isSameOrigin(sender.url, pageUrl), log);
    registerApprove(holdpoint.answer, (sender) => isApproveControl(sender, pageUrl), log);
    closeOnQuit(holdpoint);
    powerMonitor.on('resume', () => holdpoint.woke());
    openFiles = (paths) => {
      if (paths.length > 0) holdpoint.openFiles(paths);
    };
    openFiles(early);
    const preload = join(dist, 'preload/preload.cjs');
    const plan = { pageUrl, preload, log, sessionEnds: () => void holdpoint.close() };
    const chosen = (channel: 'menu:back-up' | 'menu:bring-in') => (): void => {
      front(plan);
      broadcast(channel);
    };
    showMenu((paths) => openFiles(paths), { backUp: chosen('menu:back-up'), bringIn: chosen('menu:bring-in') });
    app.on('second-instance', () => front(plan));
    app.on('activate', () => front(plan));
    attention = await payAttention({
      settings: () => holdpoint.attention(),
      news: () => holdpoint.news(),
      isInFront: () => BrowserWindow.getFocusedWindow() !== null,
      show(item) {
        wanted = item;
        front(plan);
        broadcast('app:wanted');
      },
      log,
    });
    attention.runsChanged();
    app.on('will-quit', () => attention?.close());
    // Without a tray there would be no way back to a window that was never opened.
    if (!args.includes(HIDDEN) || !attention.hasTray()) front(plan);
  }

  // What nobody caught leaves a state that nobody knows; what matters is on the disk, so a new start is the safe way on.
  process.on('uncaughtException', (error) => giveUp('Holdpoint stopped', error.message));
  process.on('unhandledRejection', (cause) => log(`a failure that nobody handled: ${String(cause)}`));
  app.on('web-contents-created', (_event, contents) => guardContents(contents, pageUrl));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' && !attention?.hasTray()) app.quit();
  });
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openFiles([path]);
  });
  app.on('second-instance', (_event, _argv, folder, data) =>
    openFiles(pathsIn((data as { args: string[] }).args, folder)),
  );

  // Not awaited at the top of a module: Electron holds `ready` back until its entry has been evaluated.
  void app
    .whenReady()
    .then(start)
    .catch((cause: unknown) => giveUp('Holdpoint cannot start', String(cause)));
}
