import type { RunRow } from '../../shared/ipc.js';
import { maskSecrets } from '../../shared/mask.js';
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
  const continued = new Set<string>();
  for (const [name, text] of heads) {
    const key = parseSuspension(name);
    const from = readHeadMeta(text);
    if (key && from?.co != null) continued.add(`${from.co}:${from.cr ?? runMark(key)}`);
  }
  const rows: RunRow[] = [];
  for (const [name, text] of heads) {
    const key = parseSuspension(name);
    const meta = readHeadMeta(text);
    if (key === null || meta === null) {
      rows.push(unreadableRow(name, 'A newer Holdpoint wrote this record; it is left alone.'));
      continue;
    }
    const decision = readDecisionMeta(decisions.get(name) ?? '');
    const journal = readJournalMeta(journals.get(name) ?? '');
    const row = rowOf({
      name,
      key,
      meta,
      decision,
      journal,
      continued: continued.has(`${key.seq}:${runMark(key)}`),
      claimedBeside: readBesideMeta(neighbours.get(runText(key)) ?? ''),
      snoozedUntil: readDesk(desks.get(name) ?? '').snoozedUntil,
      ports,
      waiting: waiting(itemId(name)),
    });
    rows.push(row);
  }
  return rows;
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
  waiting: ReturnType<WaitingOf>;
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
  const status = statusOf({ head: meta, decision, journal, expired, nowMs, continued, claimedBeside });
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
    preview: maskSecrets(meta.p),
    note: noteOf(status, facts),
    snoozedUntil: facts.snoozedUntil,
    decidedAt: decision && !decision.closed ? decision.at : null,
    decidedBy: decision && !decision.closed ? decision.by : null,
    ...(other ? { other } : {}),
    ...(meta.cl ? { classification: meta.cl } : {}),
  };
}

function noteOf(status: Status, { meta, decision, journal, waiting, claimedBeside }: RowFacts): string {
  switch (status) {
    case 'waiting':
      if (claimedBeside) return 'Claimed elsewhere; nothing has run there';
      return decision?.withdrawn ? `Taken back by ${decision.by}` : (meta.re ?? meta.cl ?? '');
    case 'decided':
      return waiting
        ? `Recorded, not executed: ${waiting.text}`
        : `${decision?.by} decided (${decision?.v}); not executed yet`;
    case 'held':
      return 'Held: a second reviewer objects';
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
