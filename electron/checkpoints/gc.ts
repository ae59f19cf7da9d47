import type { SuspensionKey } from '../../shared/decision.js';
import { formatNs } from '../../shared/time.js';
import type { Clock } from '../ports.js';
import { CasConflict, type KvStore, type Head as StoreHead } from '../store/contract.js';
import { ageFrom, isExpired } from './expiry.js';
import { reapBeside } from './gc-neighbours.js';
import { type HeadMeta, headMeta, readHeadMeta } from './head.js';
import { suspensionsOf } from './intake.js';
import { DECISIONS, DESK, HEADS, JOURNALS, NEIGHBOURS, parseSuspension, runText, suspensionText } from './keys.js';
import { readDecisionMeta, readJournalMeta } from './meta.js';
import { readBesideMeta } from './neighbours.js';
import { closeDecision, readHead } from './records.js';
import { isSettled, statusOf } from './status.js';

/** Keys a page: the sweep holds one page of keys and one record in memory (K18, I9). */
export const PAGE = 256;
const MOST_NAMED = 1000;

export interface SweepResult {
  reaped: number;
  /** Old enough, and kept: latched and unsettled, decided and unclaimed, changed meanwhile, or not readable. */
  kept: { key: string; why: string }[];
  /** How many were kept; only the first thousand of them are named, so that memory stays bounded (I9). */
  keptCount: number;
  /** A listing that failed on a later page: what was reaped until then still counts (H6). */
  failed: string | null;
  /** With `dryRun`: what a sweep would remove. */
  named: string[];
}

export interface SweepOptions {
  /** Nanoseconds; read anew for each record, so a ttl raised in mid-sweep holds at once (C73). Null skips the sweep. */
  ttl(): bigint | null;
  dryRun?: boolean;
  /** Between pages: yields, and tells whether to go on. */
  between?(): Promise<boolean>;
}

/**
 * One pass of the GC. Removes a record only when its age has passed the ttl (inclusive, nanoseconds: K17), by a
 * conditional delete of the revision it read, leaving a tombstone. Never removes a claimed run that is not settled, a
 * decided one that is not claimed, nor anything it cannot read (K19, I5, I9).
 */
export async function sweep(store: KvStore, clock: Clock, options: SweepOptions): Promise<SweepResult> {
  const result: SweepResult = { reaped: 0, kept: [], keptCount: 0, failed: null, named: [] };
  const done = await walk(store, HEADS, options, result, (head) => {
    const meta = readHeadMeta(head.meta);
    const key = parseSuspension(head.key);
    const ttl = options.ttl();
    const old = meta !== null && ttl !== null && isExpired(ageFrom(meta.c, meta.t), clock.now(), ttl);
    return old && key !== null ? reap(store, clock, key, options) : 'missing';
  });
  const dryRun = options.dryRun ?? false;
  if (done)
    await walk(store, NEIGHBOURS, options, result, (head) =>
      reapBeside(store, clock, head, { ttl: options.ttl(), dryRun }),
    );
  return result;
}

/** Every key of a bucket, a page at a time; false when it ended early. `act` answers null when reaped, else why it stays. */
async function walk(
  store: KvStore,
  bucket: string,
  options: SweepOptions,
  result: SweepResult,
  act: (head: StoreHead) => Promise<string | null> | string,
): Promise<boolean> {
  const nameOf = (key: string): string => (bucket === HEADS ? key : `${bucket}/${key}`);
  for (let cursor: string | null = null; ; ) {
    let page: Awaited<ReturnType<KvStore['keysPage']>>;
    try {
      page = await store.keysPage(bucket, cursor, PAGE);
    } catch (error) {
      if (cursor === null && bucket === HEADS) throw error;
      result.failed = error instanceof Error ? error.message : String(error);
      return false;
    }
    for (const head of page.heads) {
      if (options.ttl() === null) return false;
      try {
        const why = await act(head);
        if (why === null) {
          result.reaped++;
          if (options.dryRun) result.named.push(nameOf(head.key));
        } else if (why !== 'missing') keep(result, nameOf(head.key), why);
      } catch (error) {
        // One bad record never stops the sweep; it stays where it is.
        keep(result, nameOf(head.key), error instanceof Error ? error.message : String(error));
      }
    }
    if (page.next === null) return true;
    cursor = page.next;
    if (options.between && !(await options.between())) return false;
  }
}

function keep(result: SweepResult, key: string, why: string): void {
  result.keptCount += 1;
  if (result.kept.length < MOST_NAMED) result.kept.push({ key, why });
}

/** Null when reaped; otherwise why it stays. */
async function reap(store: KvStore, clock: Clock, key: SuspensionKey, options: SweepOptions): Promise<string | null> {
  const name = suspensionText(key);
  const at = await readHead(store, key);
  if (at === null) return 'missing';
  const [decision, journal] = await Promise.all([store.head(DECISIONS, name), store.head(JOURNALS, name)]);
  const said = decision ? readDecisionMeta(decision.meta) : null;
  const happened = journal ? readJournalMeta(journal.meta) : null;
  if ((decision && !said) || (journal && !happened)) return 'its decision or journal cannot be read';
  const meta = readHeadMeta(headMeta(at.head));
  if (meta === null) return 'its head cannot be read';
  const beside = await store.head(NEIGHBOURS, runText(key));
  const ended = endOf(meta, said, happened, readBesideMeta(beside?.meta ?? ''));
  if (typeof ended === 'string') return ended;
  if (options.dryRun) return null;
  const now = formatNs(clock.now());
  try {
    // A claim of somebody else does not move the head: it is looked for again, before anything is closed and as late as can be.
    if (await isStartedElsewhere(store, key)) return STARTED;
    // Closing the decision first decides the race with a reviewer: whoever writes that key first wins (I4).
    if (ended.status === 'expired' && !said?.closed) await closeDecision(store, key, now, decision?.revision ?? null);
    if (await isStartedElsewhere(store, key)) return STARTED;
    await store.delete(HEADS, name, at.revision, { meta: headMeta(at.head, { status: ended.status, at: now }) });
  } catch (error) {
    if (error instanceof CasConflict) return 'changed while it was swept';
    throw error;
  }
  if (await store.head(DESK, name)) await store.delete(DESK, name);
  if (beside && !beside.deleted && (await suspensionsOf(store, key)).every(({ deleted }) => deleted))
    await deleteBeside(store, runText(key), beside.revision);
  return null;
}

const STARTED = 'a claim of somebody else came in while it was swept: calls may have run';

async function isStartedElsewhere(store: KvStore, key: SuspensionKey): Promise<boolean> {
  const beside = await store.head(NEIGHBOURS, runText(key));
  return beside !== null && !beside.deleted && readBesideMeta(beside.meta) === 'started';
}

/** Only as they were read: what came beside the run meanwhile may say that calls have run, and stays (I9). */
async function deleteBeside(store: KvStore, name: string, expected: number): Promise<void> {
  try {
    await store.delete(NEIGHBOURS, name, expected);
  } catch (error) {
    if (!(error instanceof CasConflict)) throw error;
  }
}

type Ended = { status: 'expired' | 'finished' | 'failed' | 'withdrawn' | 'superseded' };

function endOf(
  meta: HeadMeta,
  decision: ReturnType<typeof readDecisionMeta>,
  journal: ReturnType<typeof readJournalMeta>,
  claimedBeside: ReturnType<typeof readBesideMeta>,
): Ended | string {
  const status = statusOf({ head: meta, decision, journal, expired: false, nowMs: 0, continued: false, claimedBeside });
  switch (status) {
    case 'waiting':
      return { status: 'expired' };
    case 'expired':
    case 'withdrawn':
    case 'superseded':
      return { status };
    case 'finished':
    case 'failed':
      return isSettled(journal) || !(meta.l || journal) ? { status } : 'not settled';
    case 'decided':
    case 'held':
      return 'decided and not claimed yet';
    case 'not_continued':
      // A record of its own that nobody ever claimed here has nothing to keep it.
      return meta.l || journal ? 'claimed and not settled' : { status: 'expired' };
    default:
      return meta.l || journal ? 'claimed and not settled' : 'it came in latched and is not settled';
  }
}
