import type { RunRow } from '../../shared/run-row.js';
import type { Timers } from '../checkpoints/gc-timer.js';
import { HEADS } from '../checkpoints/keys.js';
import type { WaitingOf } from '../checkpoints/rows.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { Queue } from './queue.js';
import { BUCKETS, type Bucket, RunIndex } from './run-index.js';
import type { RunSearch } from './search-link.js';

export interface LivePlan {
  store: Pick<KvStore, 'keysPage' | 'head' | 'watch' | 'prepare'>;
  ports: Pick<Ports, 'clock' | 'settings'>;
  timers: Timers;
  waiting: WaitingOf;
  asSeenHere(row: RunRow, journalMeta: string): RunRow;
  /** Quarantined keys of the store: every file of it is looked at. */
  quarantined(): Promise<readonly RunRow[]>;
  /** Records that were refused. */
  refused(): Promise<readonly RunRow[]>;
  search: RunSearch;
  /** The window is told that the list changed; several changes close together are one. */
  changed(): void;
  log(text: string): void;
}

export interface LiveQueue {
  queue: Queue;
  /** Something changed that no bucket tells of: a record that cannot be read, a runner's doing. */
  touch(): void;
  /** Runs an act of which the window is to see the whole and no part. */
  together<T>(act: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Changes that come within this of each other are told once, in milliseconds; a long run of them at this pace. */
const TOGETHER_MS = 60;
const PACE_MS = 150;
/** A look at every file takes at most this part of the time. */
const LOOK_SHARE = 20;
/** A reading that takes longer than this tells how far it is, in milliseconds. */
const LONG_READING_MS = 400;
/** No timer is set for longer than this. */
const LONGEST_MS = 3600_000;

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  const made: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => {
    made.resolve = resolve;
  });
  return { promise, resolve: () => made.resolve?.() };
}

/** Keeps the list in step with the store, and tells the window in one word when it changed. */
export function openLiveQueue(plan: LivePlan): LiveQueue {
  const { store, timers, search } = plan;
  const index = new RunIndex({ ...plan, unreadable, toSearch: (entry, digest) => search.note(entry, digest) });
  const dirty = new Map<Bucket, Set<string> | 'all'>(BUCKETS.map((bucket) => [bucket, 'all']));
  let readUnreadable = true;
  let working: Promise<void> | null = null;
  let closed = false;

  let telling: unknown = null;
  let lastTold = Number.NEGATIVE_INFINITY;
  let held = 0;
  let tellAfter = false;
  function tell(): void {
    if (held > 0) tellAfter = true;
    if (held > 0 || telling !== null || closed) return;
    const wait = Math.max(TOGETHER_MS, PACE_MS - (performance.now() - lastTold));
    telling = timers.set(wait, () => {
      telling = null;
      lastTold = performance.now();
      plan.changed();
      setAlarm();
    });
  }

  let alarm: unknown = null;
  function setAlarm(): void {
    timers.clear(alarm);
    const left = index.due - index.now();
    if (!closed && left < LONGEST_MS) alarm = timers.set(Math.max(left, 0) + 1, tell);
  }

  const { promise: read, resolve: whenRead } = withResolvers();
  const queue = new Queue(index, search, { read, caughtUp });

  /** What was written before this was asked is in the index when it is done. */
  async function caughtUp(): Promise<void> {
    // The store tells of a write in the next turn of the loop.
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (queue.reading !== null) return;
    while (working !== null) await working;
  }

  let broken: readonly RunRow[] = [];
  let lookAgainAt = Number.NEGATIVE_INFINITY;
  async function unreadable(): Promise<readonly RunRow[]> {
    const start = performance.now();
    if (start >= lookAgainAt) {
      broken = await plan.quarantined();
      const end = performance.now();
      lookAgainAt = end + (end - start) * LOOK_SHARE;
    }
    return [...broken, ...(await plan.refused())];
  }

  function work(): void {
    working ??= catchUp()
      .catch((error: unknown) => {
        // A store that was closed under it has nothing to tell.
        if (!closed) plan.log(`the list could not be read: ${String(error)}`);
      })
      .finally(() => {
        working = null;
        if ((dirty.size > 0 || readUnreadable) && !closed) work();
      });
  }

  /** How many there are is known only when the store has counted; what it reads for that, the list has not to read. */
  const counting = timers.set(LONG_READING_MS, () => {
    if (queue.reading === null || closed) return;
    const count = (_known: number, all: number): void => {
      if (queue.reading !== null) queue.reading = { done: Math.min(index.size, all), all };
    };
    // A fault of the disk is met, and said, by the listing itself.
    store.prepare(HEADS, count).catch(() => undefined);
  });

  async function catchUp(): Promise<void> {
    for (const bucket of BUCKETS) {
      const keys = dirty.get(bucket);
      if (keys === undefined) continue;
      dirty.delete(bucket);
      if (keys === 'all') await index.readAll(bucket, queue.reading && bucket === HEADS ? told : undefined);
      else await index.readKeys(bucket, [...keys]);
    }
    if (queue.reading !== null) {
      queue.reading = null;
      whenRead();
      tell();
    }
    if (readUnreadable) {
      readUnreadable = false;
      await index.readUnreadable();
    }
    tell();
  }

  function told(done: number): void {
    queue.reading = { done, all: queue.reading?.all ?? null };
    tell();
  }

  const unwatch = BUCKETS.map((bucket) =>
    store.watch(bucket, (keys) => {
      const known = dirty.get(bucket);
      if (keys === null || known === 'all') dirty.set(bucket, 'all');
      else dirty.set(bucket, new Set([...(known ?? []), ...keys]));
      // A key that cannot be trusted any more is told like any other.
      readUnreadable = true;
      work();
    }),
  );
  work();

  return {
    queue,
    touch() {
      readUnreadable = true;
      work();
    },
    async together(act) {
      held += 1;
      try {
        return await act();
      } finally {
        held -= 1;
        if (held === 0 && tellAfter) {
          tellAfter = false;
          tell();
        }
      }
    },
    close() {
      closed = true;
      for (const stop of unwatch) stop();
      timers.clear(counting);
      timers.clear(telling);
      timers.clear(alarm);
    },
  };
}
