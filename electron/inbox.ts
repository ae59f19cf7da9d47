import { type FSWatcher, watch } from 'node:fs';
import type { Settings } from '../shared/settings.js';
import { type Arrival, takeIn } from './checkpoints/intake.js';
import { nodeInboxDisk } from './inbox/disk.js';
import type { InboxEvent } from './inbox/event.js';
import { Inbox, type InboxRecord, type InboxSettings } from './inbox/inbox.js';
import type { Clock } from './ports.js';
import type { KvStore } from './store/contract.js';
import { guarded } from './store/refusal.js';

export type { InboxEvent } from './inbox/event.js';

const SETTLE_MS = 300;
const PATIENCE_MS = 3000;
const RETRY_MS = 5000;
/** Watching may miss changes or not work at all; this is the longest that a file waits then. */
const POLL_MS = 2000;
/** Many changes at once are one look. */
const GATHER_MS = 20;
/** Thousands of arrivals must not be thousands of tellings: each makes the window list everything anew. */
const TELL_MS = 250;

export interface InboxOptions extends Pick<InboxSettings, 'takeIn'> {
  /** What arrived, in order; the first at once, and many together when many come. */
  onArrival(events: readonly InboxEvent[]): void;
  /** A look that failed as a whole, such as an inbox that is no folder; it is tried again. */
  onFault(error: unknown): void;
  disk?: InboxSettings['disk'];
  settleMs?: number;
  patienceMs?: number;
  retryMs?: number;
  pollMs?: number;
  tellMs?: number;
}

/**
 * Watches `inbox/` of a data folder and takes in what is published there: one record a file, a folder is a source. A
 * file goes from the inbox only when the store has it durably, or when it lies in `refused/`. Runs in the one window
 * that owns the folder (H11). Returns what ends it; a look that is on its way ends first.
 */
export function watchInbox(dataFolder: string, options: InboxOptions): () => Promise<void> {
  const { settleMs = SETTLE_MS, patienceMs = PATIENCE_MS, retryMs = RETRY_MS, pollMs = POLL_MS } = options;
  const { takeIn, onArrival, onFault, disk = nodeInboxDisk, tellMs = TELL_MS } = options;
  let untold: InboxEvent[] = [];
  let toldAt = Number.NEGATIVE_INFINITY;
  const tell = (): void => {
    if (untold.length === 0) return;
    const events = untold;
    untold = [];
    toldAt = performance.now();
    onArrival(events);
  };
  const inbox = new Inbox(dataFolder, {
    takeIn,
    onArrival: (event) => {
      untold.push(event);
      if (performance.now() - toldAt >= tellMs) tell();
    },
    disk,
    settleMs,
    patienceMs,
    retryMs,
    now: () => performance.now(),
  });
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | null = null;
  let due = Number.POSITIVE_INFINITY;
  let looking: Promise<void> | null = null;
  let again = false;
  let ended = false;

  const lookIn = (ms: number): void => {
    const at = performance.now() + ms;
    if (ended || at >= due) return;
    if (timer) clearTimeout(timer);
    due = at;
    timer = setTimeout(start, ms);
  };

  const start = (): void => {
    due = Number.POSITIVE_INFINITY;
    timer = null;
    if (ended) return;
    // One look at a time: what changes meanwhile is seen by the next.
    if (looking !== null) {
      again = true;
      return;
    }
    looking = look().finally(() => {
      looking = null;
      if (again) lookIn(GATHER_MS);
      again = false;
    });
  };

  const look = async (): Promise<void> => {
    try {
      const soon = await inbox.look();
      lookIn(soon ? settleMs : pollMs);
    } catch (error) {
      onFault(error);
      lookIn(retryMs);
    }
    tell();
    follow(watchers, inbox.folders, () => lookIn(GATHER_MS));
  };

  lookIn(0);
  return async () => {
    ended = true;
    if (timer) clearTimeout(timer);
    await looking;
    follow(watchers, [], () => undefined);
  };
}

/** Watches exactly these folders; one that cannot be watched is seen by polling. */
function follow(watchers: Map<string, FSWatcher>, folders: readonly string[], changed: () => void): void {
  for (const [folder, watcher] of watchers) {
    if (folders.includes(folder)) continue;
    watcher.close();
    watchers.delete(folder);
  }
  for (const folder of folders) {
    if (watchers.has(folder)) continue;
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', () => {
        watcher.close();
        watchers.delete(folder);
      });
      watchers.set(folder, watcher);
    } catch {
      // No watch left in the system, or the folder went: polling goes on.
    }
  }
}

/** Takes inbox records into a store: they continue here, unless the settings of their source say otherwise (H13). */
export function inboxIntake(store: KvStore, clock: Clock, settings: () => Settings): InboxSettings['takeIn'] {
  return ({ bytes, source, name }: InboxRecord) => {
    const route = settings().sources.find((one) => one.name === source)?.route ?? 'here';
    const arrival: Arrival = { bytes, source, name, route, via: 'inbox' };
    return guarded(() => takeIn(store, clock, arrival));
  };
}
