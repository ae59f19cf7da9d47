import type { SuspensionKey } from '../../shared/decision.js';
import { maskSecrets } from '../../shared/mask.js';
import type { RunRow } from '../../shared/run-row.js';
import { needsPerson, type Status } from '../../shared/states.js';
import { formatNs } from '../../shared/time.js';
import { EFFECTS } from '../../shared/tool-table.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { readDesk } from './desk.js';
import { ageFrom, isExpired, ttlNs } from './expiry.js';
import { classOf } from './facts.js';
import { type HeadMeta, readHeadMeta } from './head.js';
import { DECISIONS, DESK, HEADS, JOURNALS, NEIGHBOURS, parseSuspension, runMark, runText } from './keys.js';
import { type DecisionMeta, type JournalMeta, readDecisionMeta, readJournalMeta } from './meta.js';
import { readBesideMeta } from './neighbours.js';
import { statusOf } from './status.js';

/** Why a decided run has not moved, as the runner of this process saw it last. */
export type WaitingOf = (itemId: string) => { code: string; text: string; since: string } | null;

export const itemId = (storeKey: string): string => `s:${storeKey}`;

/** One row a suspension, from the index alone: no record is read (H12). */
export async function listRows(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'settings'>,
  waiting: WaitingOf,
): Promise<RunRow[]> {
  const [decisions, journals, desks, neighbours] = await Promise.all([
    metas(store, DECISIONS),
    metas(store, JOURNALS),
    metas(store, DESK),
    metas(store, NEIGHBOURS),
  ]);
  const heads = await metas(store, HEADS);
  const continued = new Set([...heads].map(([name, meta]) => continuesMark(name, readHeadMeta(meta))));
  return [...heads].flatMap(([name, head]) => {
    const key = parseSuspension(name);
    const made = rowFrom(
      name,
      {
        head,
        deleted: false,
        decision: decisions.get(name) ?? '',
        journal: journals.get(name) ?? '',
        desk: desks.get(name) ?? '',
        beside: key ? (neighbours.get(runText(key)) ?? '') : '',
        continued: continued.has(continuedMark(name)),
      },
      { ports, waiting },
    );
    return made ? [made.row] : [];
  });
}

/** What the store's index keeps of one suspension, as it stands there; '' where there is none. */
export interface RowMetas {
  head: string;
  /** The GC removed it; its tombstone says how it ended. */
  deleted: boolean;
  decision: string;
  journal: string;
  desk: string;
  /** Of the records beside its run. */
  beside: string;
  /** A later suspension says that it continues this one. */
  continued: boolean;
}

/**
 * The row of one suspension, and what its head says. Null for a tombstone that tells nothing. `bare`: without its preview,
 * which order, filters and counts do not ask for.
 */
export function rowFrom(
  name: string,
  metas: RowMetas,
  { ports, waiting, bare = false }: { ports: Pick<Ports, 'clock' | 'settings'>; waiting: WaitingOf; bare?: boolean },
): { row: RunRow; meta: HeadMeta | null } | null {
  const key = parseSuspension(name);
  const meta = readHeadMeta(metas.head);
  if (metas.deleted) return key && meta?.end ? { row: tombstoneRow(name, key, meta, meta.end, ports), meta } : null;
  if (key === null || meta === null)
    return { row: unreadableRow(name, 'A newer Holdpoint wrote this record; it is left alone.'), meta: null };
  const row = rowOf({
    name,
    key,
    meta,
    decision: readDecisionMeta(metas.decision),
    journal: readJournalMeta(metas.journal),
    continued: metas.continued,
    claimedBeside: readBesideMeta(metas.beside),
    snoozedUntil: readDesk(metas.desk).snoozedUntil,
    ports,
    waiting: waiting(itemId(name)),
    bare,
  });
  return { row, meta };
}

/** What the GC removed stays in the list with the word it ended with: nothing vanishes unsaid. */
function tombstoneRow(
  name: string,
  key: SuspensionKey,
  meta: HeadMeta,
  end: NonNullable<HeadMeta['end']>,
  ports: Pick<Ports, 'clock' | 'settings'>,
): RunRow {
  const nothing = { decision: null, journal: null, continued: false, snoozedUntil: null, waiting: null };
  const { other: _, ...row } = rowOf({ name, key, meta, ports, ...nothing });
  const note = `Removed by the GC at ${end.at} (${end.status})`;
  return { ...row, expiresAt: null, takenInAt: formatNs(BigInt(meta.t)), note };
}

/** Names a suspension to the one that continues it. */
export function continuedMark(name: string): string | null {
  const key = parseSuspension(name);
  return key && `${key.seq}:${runMark(key)}`;
}

/** The mark of the suspension that a head says it continues; null when it continues none. */
export function continuesMark(name: string, meta: HeadMeta | null): string | null {
  const key = parseSuspension(name);
  return key && meta?.co != null ? `${meta.co}:${meta.cr ?? runMark(key)}` : null;
}

async function metas(store: KvStore, bucket: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(bucket, cursor, 1024);
    for (const head of page.heads) found.set(head.key, head.meta);
    if (page.next === null) return found;
    cursor = page.next;
  }
}

const isTampered = (code: string | undefined): boolean =>
  code === 'not_signed' || code === 'signature_wrong' || code === 'unknown_reviewer' || code === 'taken_back';

export interface RowFacts {
  name: string;
  key: NonNullable<ReturnType<typeof parseSuspension>>;
  meta: HeadMeta;
  decision: DecisionMeta | null;
  journal: JournalMeta | null;
  continued: boolean;
  claimedBeside?: 'held' | 'started' | null;
  snoozedUntil: string | null;
  ports: Pick<Ports, 'clock' | 'settings'>;
  waiting: { code: string; text: string } | null;
  bare?: boolean;
}

export function rowOf(facts: RowFacts): RunRow {
  const { name, key, meta, decision, journal, ports } = facts;
  const settings = ports.settings();
  const ttl = ttlNs(settings);
  const from = ageFrom(meta.c, meta.t);
  const now = ports.clock.now();
  const expired = isExpired(from, now, ttl);
  const nowMs = Number(now / 1_000_000n);
  const { continued, claimedBeside = null } = facts;
  // What nobody known has signed fires nothing until a person decides anew: it is held, by the one rule.
  const said = decision && isTampered(facts.waiting?.code) ? { ...decision, held: true } : decision;
  const status = statusOf({ head: meta, decision: said, journal, expired, nowMs, continued, claimedBeside });
  const other = (status === 'not_continued' || status === 'finished') && !journal && !meta.l;
  const effects = meta.to.map((tool) => classOf(settings, key.source, tool).effect);
  const gravest = Math.max(0, ...effects.map((effect) => EFFECTS.indexOf(effect)));
  const ageing = status === 'waiting' || (status === 'decided' && !journal) || (status === 'not_continued' && other);
  return {
    id: itemId(name),
    status,
    needsPerson:
      needsPerson(status) && !other && !(facts.snoozedUntil !== null && Date.parse(facts.snoozedUntil) > nowMs),
    system: key.system,
    source: key.source,
    runId: key.runId,
    seq: key.seq,
    step: meta.s,
    threadId: meta.th,
    route: meta.r,
    tools: meta.to,
    calls: meta.n,
    effect: EFFECTS[gravest] ?? 'changes',
    createdAt: meta.c === null ? null : formatNs(BigInt(meta.c)),
    takenInAt: formatNs(BigInt(meta.t)),
    expiresAt: ttl !== null && ageing ? formatNs(from + ttl) : null,
    preview: facts.bare === true ? '' : maskSecrets(meta.p),
    note: noteOf(status, facts),
    snoozedUntil: facts.snoozedUntil,
    decidedAt: decision && !decision.closed ? decision.at : null,
    decidedBy: decision && !decision.closed ? decision.by : null,
    ...(decision?.ru !== undefined && !decision.withdrawn ? { decidedByRule: decision.ru } : {}),
    ...(other ? { other } : {}),
    ...(meta.cl ? { classification: meta.cl } : {}),
  };
}

/** A person by name, or the rule and whose it is. */
function decider(decision: DecisionMeta | null): string {
  return decision?.ru === undefined ? `${decision?.by}` : `The rule “${decision.ru}” of ${decision.by}`;
}

function noteOf(status: Status, { meta, decision, journal, waiting, claimedBeside }: RowFacts): string {
  switch (status) {
    case 'waiting':
      if (claimedBeside) return 'Claimed elsewhere; nothing has run there';
      return decision?.withdrawn ? `Taken back by ${decision.by}` : (meta.re ?? meta.cl ?? '');
    case 'decided':
      return waiting
        ? `Recorded, not executed: ${waiting.text}`
        : `${decider(decision)} decided (${decision?.v}); not executed yet`;
    case 'held':
      return isTampered(waiting?.code) ? `Held: ${waiting?.text}` : 'Held: a second reviewer objects';
    case 'resuming':
      return `Claimed by ${meta.l?.b} at ${meta.l?.a}`;
    case 'handed_over':
      return journal?.startedAt ? `Handed over; a call started at ${journal.startedAt}` : `Handed over to ${meta.l?.b}`;
    case 'unknown_outcome':
      if (!journal && claimedBeside) return 'Claimed and started elsewhere; a call may have run';
      return journal ? 'A call may have run; nobody knows' : 'Came in already latched; a call may have run';
    case 'not_continued':
      if (!journal && meta.cl) return meta.cl;
      if (!journal)
        return meta.f === 'in_flight'
          ? 'In flight when it was saved; what ran is not known'
          : 'Nothing in it waits for a person';
      return `Not continued: ${journal?.text || journal?.cause || 'its calls are settled; go on when you like'}`;
    case 'finished':
      return journal?.state === 'suspended_again'
        ? 'Suspended again at a later step'
        : (journal?.text ?? meta.cl ?? '');
    case 'failed':
      return `${journal?.cause ?? journal?.state}: ${journal?.text}`;
    case 'expired':
      return decision && !decision.closed
        ? 'Expired after it was decided; the decision is kept, nothing fires'
        : 'Expired: nobody decided in time';
    case 'withdrawn':
      return `Withdrawn by the agent (${meta.w})`;
    case 'superseded':
      return decision ? 'The run moved on; the decision is kept as evidence' : 'The run moved on';
    case 'unreadable':
      return '';
  }
}

export function unreadableRow(name: string, why: string): RunRow {
  return {
    id: itemId(name),
    status: 'unreadable',
    needsPerson: false,
    system: 'unknown',
    source: '',
    runId: name,
    seq: 0,
    step: null,
    threadId: null,
    route: 'here',
    tools: [],
    calls: 0,
    effect: 'changes',
    createdAt: null,
    takenInAt: null,
    expiresAt: null,
    preview: '',
    note: why,
    snoozedUntil: null,
    decidedAt: null,
    decidedBy: null,
  };
}
