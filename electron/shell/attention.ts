import { app, globalShortcut, Notification } from 'electron';
import type { Attention } from '../../shared/settings.js';
import { startAtLogin } from './login-item.js';
import { type News, noticeOf } from './notice.js';
import { openTray, type TrayPlan } from './tray.js';

export interface AttentionPlan {
  settings(): Promise<Attention>;
  news(): Promise<News>;
  isInFront(): boolean;
  /** Brings the window to the front, with this item's card, or as it was. */
  show(item: string | null): void;
  log(text: string): void;
}

export interface AttentionCare {
  /** Something changed in the runs: the count is renewed, and what is new is said. */
  runsChanged(): void;
  settingsChanged(): void;
  hasTray(): boolean;
  /** Once what was saved last is in force. */
  problems(): Promise<string[]>;
  close(): void;
}

/** Changes within this time are one look; milliseconds. */
const GATHER = 500;

/** Tray, badge, notifications and the way back from anywhere. All of it only tells; nothing here decides. */
export async function payAttention(plan: AttentionPlan): Promise<AttentionCare> {
  let count = 0;
  let quietUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let again = false;
  let tray: ReturnType<typeof openTray> | null = null;
  let problems: string[] = [];
  let applied = '';
  /** Kept until they are closed: a notification that is collected loses its click. */
  const shown = new Set<Notification>();

  const trayPlan: TrayPlan = {
    open: () => plan.show(null),
    quit: () => app.quit(),
    doNotDisturb(minutes) {
      quietUntil = performance.now() + minutes * 60_000;
      tray?.show(count);
    },
    isDisturbed: () => performance.now() < quietUntil,
  };

  function say(title: string, body: string, item: string | null): void {
    const notification = new Notification({ title, body });
    shown.add(notification);
    notification.on('click', () => plan.show(item));
    for (const end of ['click', 'close'] as const) notification.on(end as 'click', () => shown.delete(notification));
    notification.show();
  }

  async function look(): Promise<void> {
    const [now, settings] = await Promise.all([plan.news(), plan.settings()]);
    const today = new Date();
    const notice = noticeOf(now, {
      settings,
      inFront: plan.isInFront(),
      minute: today.getHours() * 60 + today.getMinutes(),
      disturbed: trayPlan.isDisturbed(),
    });
    count = now.count;
    app.setBadgeCount(count);
    tray?.show(count);
    if (notice && Notification.isSupported()) say(notice.title, notice.body, notice.item);
  }

  async function lookOnce(): Promise<void> {
    timer = undefined;
    if (looking) {
      again = true;
      return;
    }
    looking = true;
    try {
      do {
        again = false;
        await look();
      } while (again);
    } catch (cause) {
      plan.log(`what waits could not be counted: ${String(cause)}`);
    } finally {
      looking = false;
    }
  }

  async function apply(): Promise<void> {
    const { tray: wantsTray, shortcut, atLogin } = await plan.settings();
    const wanted = JSON.stringify({ wantsTray, shortcut, atLogin });
    if (wanted === applied) return;
    const first = applied === '';
    applied = wanted;
    problems = [];
    if (!wantsTray && tray) {
      tray.close();
      tray = null;
    } else if (wantsTray && !tray) tray = makeTray();
    globalShortcut.unregisterAll();
    if (shortcut !== '') noteProblem(registerShortcut(shortcut));
    // At the first look nothing was asked for: what the person set by other means stays.
    if (!first || atLogin) noteProblem(startAtLogin(atLogin));
  }

  function noteProblem(problem: string | null): void {
    if (problem !== null) problems.push(problem);
  }

  function makeTray(): typeof tray {
    try {
      const made = openTray(trayPlan);
      made.show(count);
      return made;
    } catch (cause) {
      noteProblem(`This desktop gave no tray: ${String(cause)}`);
      return null;
    }
  }

  function registerShortcut(keys: string): string | null {
    try {
      return globalShortcut.register(keys, () => plan.show(null))
        ? null
        : `The combination ${keys} is taken by another program, or this desktop gives none away.`;
    } catch {
      return `${keys} is no combination of keys; write for instance CommandOrControl+Alt+H.`;
    }
  }

  /** One after the other: each meets the settings that are in force by then. */
  let applying = Promise.resolve();
  function applyNext(): Promise<void> {
    applying = applying.then(apply).catch((cause: unknown) => {
      plan.log(`the attention settings could not be followed: ${String(cause)}`);
    });
    return applying;
  }

  await applyNext();
  return {
    runsChanged() {
      timer ??= setTimeout(() => void lookOnce(), GATHER).unref();
    },
    settingsChanged: () => void applyNext(),
    hasTray: () => tray !== null,
    problems: async () => {
      await applyNext();
      return problems;
    },
    close() {
      clearTimeout(timer);
      globalShortcut.unregisterAll();
      tray?.close();
      tray = null;
    },
  };
}
