import { join } from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { windowOptions } from '../window.js';
import { clampBounds, FIRST_BOUNDS } from './bounds.js';
import { recallWindow, rememberWindow } from './bounds-memory.js';
import { crashBudget } from './crash-budget.js';
import { CRASH_PATH } from './crash-page.js';
import { APP_URL } from './origin.js';

export interface WindowPlan {
  /** `app://holdpoint/`, or the development server's address. */
  pageUrl: string;
  preload: string;
  log(text: string): void;
  /** The person logs off or the machine shuts down; only Windows tells. */
  sessionEnds(): void;
}

function load(window: BrowserWindow, url: string, log: (text: string) => void): void {
  window.loadURL(url).catch((cause: unknown) => log(`the page was not loaded: ${String(cause)}`));
}

function reloadAfterCrash(window: BrowserWindow, { pageUrl, log }: WindowPlan): void {
  const mayReload = crashBudget();
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    const again = mayReload(performance.now());
    log(`the page's process ended (${reason}); ${again ? 'loading it again' : 'not loading it again'}`);
    load(window, again ? pageUrl : new URL(CRASH_PATH, APP_URL).href, log);
  });
}

/** Opens the reviewer's window where it was last, shown when its first paint is ready. */
export function openMainWindow(plan: WindowPlan): BrowserWindow {
  const memory = join(app.getPath('userData'), 'window.json');
  const saved = recallWindow(memory);
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  const bounds = clampBounds(saved ?? FIRST_BOUNDS, areas);
  const window = new BrowserWindow(windowOptions(plan.preload, bounds, nativeTheme.shouldUseDarkColors));
  if (saved?.maximized) window.maximize();
  reloadAfterCrash(window, plan);
  window.once('ready-to-show', () => {
    window.show();
    // Shown is not yet focused: until its frame is, the page cannot tell that it has the keyboard.
    window.webContents.focus();
  });
  window.on('close', () => rememberWindow(memory, window.getNormalBounds(), window.isMaximized(), plan.log));
  window.on('session-end', plan.sessionEnds);
  load(window, plan.pageUrl, plan.log);
  return window;
}
