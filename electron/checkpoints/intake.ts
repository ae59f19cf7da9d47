import type { z } from 'zod';
import type { NormalRecord, ReadRefusal, System } from '../../shared/checkpoint.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { maskSecrets } from '../../shared/mask.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Route } from '../../shared/settings.js';
import type { CheckpointFormat, Lineage, Succession } from '../formats/format.js';
import type { Neighbour } from '../formats/neighbour.js';
import { readRecord } from '../formats/read-record.js';
import type { Clock } from '../ports.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { asksDigest, recordDigest } from './digest.js';
import { Head, type HeadMeta, readHeadMeta, type Via } from './head.js';
import { HEADS, JOURNALS, type RunKey, shortMark, suspensionText } from './keys.js';
import { goesOn } from './may-fire.js';
import { readJournalMeta } from './meta.js';
import { keepBeside, neighbourOf } from './neighbours.js';
import { readHead, readOriginal, writeHead } from './records.js';
import { isSettled } from './status.js';

/** Originals up to this size stand in the head itself, larger ones beside it (H12). Bytes of UTF-8. */
export const INLINE_LIMIT = 16 * 1024;

const TRIES = 60;

export interface Arrival {
  bytes: Uint8Array;
  source: string;
  via: Via;
  route: Route;
  name?: string | null;
  reason?: string | null;
  /** The suspension whose resume wrote this record: it may be unsettled still. */
  continues?: SuspensionKey;
}

export interface TakenIn {
  outcome: 'taken_in' | 'already_known';
  key: SuspensionKey;
  /** Set for a record that is kept beside its checkpoint: what it is. `key` names that checkpoint, here already or not. */
  beside?: string;
}

/**
 * Takes a record in (H2). Equal bytes are `already_known`; other bytes make a new suspension, which supersedes an
 * undecided or unclaimed one; a claimed and unsettled run refuses with `unsettled`. An unreadable record is refused with
 * `unreadable` and changes nothing: the caller keeps its bytes aside. A record that belongs beside a checkpoint is kept with
 * its run (FORMATS 4.3). An older record never takes the place of a newer one, where the records tell (R1, S19, C2).
 */
export async function takeIn(store: KvStore, clock: Clock, arrival: Arrival): Promise<Outcome<TakenIn>> {
  const read = readRecord(arrival.bytes);
  if (!read.ok) {
    const neighbour = neighbourOf(arrival.bytes, read.system);
    if (neighbour?.ok) return besideRun(store, clock, arrival, neighbour.value);
    return neighbour ?? refused('unreadable', read.refusal.text, { read: read.refusal satisfies ReadRefusal });
  }
  const { record } = read;
  const run: RunKey = { system: record.system, source: arrival.source, runId: record.runId };
  const digest = recordDigest({ ...run, resumeStep: record.resumeStep, bytes: arrival.bytes });
  // Several processes may take the same run in at once: whoever loses the create looks again.
  for (let attempt = 0; attempt < TRIES; attempt++) {
    if (attempt > 0) await jitter();
    const known = await suspensionsOf(store, run);
    const same = known.find((s) => s.meta?.d === digest);
    if (same) return accepted({ outcome: 'already_known', key: { ...run, seq: same.seq } });
    const place = await placeOf(store, run, known, read, arrival);
    if (!place.ok) return place;
    if (place.value.kind === 'known')
      return accepted({ outcome: 'already_known', key: { ...run, seq: place.value.seq } });
    const { after: last, conflict } = place.value;
    const next = (known.at(-1)?.seq ?? 0) + 1;
    try {
      if (last && !last.deleted) {
        const cleared = await supersede(store, { ...run, seq: last.seq }, next, arrival.continues);
        if (!cleared.ok) return cleared;
      }
      const key: SuspensionKey = { ...run, seq: next };
      const head = Head.safeParse(await newHead(store, clock, key, digest, record, arrival, conflict));
      // What could not be read back must not get in: a step beyond what is counted here, say.
      if (!head.success) return refused('unreadable', notKept(head.error));
      await writeHead(store, head.data, null);
      return accepted({ outcome: 'taken_in', key });
    } catch (error) {
      if (!(error instanceof CasConflict)) throw error;
    }
  }
  return refused('fault', 'Other processes kept changing this run; put the record in again.');
}

/** 5 to 50 ms: processes that met once do not meet at every try. */
function jitter(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 45));
}

type Place = { kind: 'known'; seq: number } | { kind: 'next'; after: Known | undefined; conflict: string | null };

/**
 * Where a record stands among those of its run: which one it takes the place of, the last or the last of its own
 * checkpoint (R1). Refused when one that is known is later. What our own resume wrote follows what it continues.
 */
async function placeOf(
  store: KvStore,
  run: RunKey,
  known: readonly Known[],
  { record, format }: { record: NormalRecord; format: CheckpointFormat },
  { bytes, continues }: Arrival,
): Promise<Outcome<Place>> {
  const next = lineageOf(record);
  const own: Known[] = [];
  let conflict: string | null = null;
  for (const one of known) {
    const { ln } = one.meta ?? {};
    const before = { checkpointId: ln?.i ?? null, revision: ln?.r ?? null, order: ln?.o ?? null };
    if (isSameIdentity(before, next) && (await saysTheSame(store, { ...run, seq: one.seq }, format, bytes)))
      return accepted({ kind: 'known', seq: one.seq });
    const said: Succession = (ln && format.succession?.(before, next)) ?? { kind: 'supersedes' };
    if (said.kind === 'beside') continue;
    if (said.kind === 'refused' && continues === undefined) return { ok: false, refusal: said.refusal };
    if (said.kind === 'supersedes') conflict ??= said.conflict ?? null;
    own.push(one);
  }
  return accepted({ kind: 'next', after: own.at(-1), conflict });
}

const isSameIdentity = (a: Lineage, b: Lineage): boolean =>
  a.checkpointId !== null && a.checkpointId === b.checkpointId && a.revision === b.revision;

function lineageOf({ checkpointId, revision, order }: NormalRecord): Lineage {
  return { checkpointId: checkpointId === null ? null : shortMark(checkpointId), revision, order: order ?? null };
}

async function saysTheSame(
  store: KvStore,
  key: SuspensionKey,
  format: CheckpointFormat,
  bytes: Uint8Array,
): Promise<boolean> {
  const at = await readHead(store, key);
  return at !== null && (format.sameContent?.(await readOriginal(store, at.head), bytes) ?? false);
}

async function besideRun(
  store: KvStore,
  clock: Clock,
  arrival: Arrival,
  { neighbour, system }: { neighbour: Neighbour; system: System },
): Promise<Outcome<TakenIn>> {
  const run: RunKey = { system, source: arrival.source, runId: neighbour.runId };
  const kept = await keepBeside(store, clock, run, neighbour, arrival.bytes);
  if (!kept.ok) return kept;
  const seq = (await suspensionsOf(store, run)).at(-1)?.seq ?? 1;
  return accepted({ outcome: kept.value, key: { ...run, seq }, beside: neighbour.words });
}

interface Known {
  seq: number;
  deleted: boolean;
  meta: HeadMeta | null;
}

/** All suspensions of a run, tombstones included, in order. Counters are contiguous from 1. */
export async function suspensionsOf(store: KvStore, run: RunKey): Promise<Known[]> {
  const found: Known[] = [];
  for (let seq = 1; ; seq++) {
    const head = await store.head(HEADS, suspensionText({ ...run, seq }));
    if (head === null) return found;
    found.push({ seq, deleted: head.deleted, meta: readHeadMeta(head.meta) });
  }
}

/** Closes the way for the last suspension before the next one exists: a crash in between leaves none claimable. */
async function supersede(
  store: KvStore,
  key: SuspensionKey,
  next: number,
  continues: SuspensionKey | undefined,
): Promise<Outcome<null>> {
  const at = await readHead(store, key);
  if (at === null) return accepted(null);
  const journal = await store.head(JOURNALS, suspensionText(key));
  const settled = isSettled(journal ? readJournalMeta(journal.meta) : null);
  const isOwn = continues !== undefined && suspensionText(continues) === suspensionText(key);
  if (settled || isOwn || at.head.withdrawn !== null || at.head.supersededBy !== null) return accepted(null);
  if (at.head.latch !== null || journal !== null || at.head.fileState === 'latched')
    return refused(
      'unsettled',
      `Run ${key.runId} is claimed and not settled yet; the new record is kept aside until it is.`,
      { seq: key.seq, latch: at.head.latch && { by: at.head.latch.by.name, at: at.head.latch.at } },
    );
  await writeHead(store, { ...at.head, supersededBy: next }, at.revision);
  return accepted(null);
}

function notKept({ issues: [issue] }: z.ZodError): string {
  return `This record cannot be kept: ${issue?.path.join('.') ?? 'it'} ${issue?.message ?? 'does not fit'}.`;
}

async function newHead(
  store: KvStore,
  clock: Clock,
  key: SuspensionKey,
  digest: string,
  record: NormalRecord,
  arrival: Arrival,
  conflict: string | null,
): Promise<Head> {
  const inline = arrival.bytes.length <= INLINE_LIMIT;
  const pending = record.pending ?? [];
  return {
    v: 1,
    suspension: key,
    digest,
    resumeStep: record.resumeStep,
    threadId: record.threadId,
    checkpointId: record.checkpointId,
    fileState: record.state,
    createdAtNs: record.createdAtNs === null ? null : String(record.createdAtNs),
    takenInAtNs: String(clock.now()),
    via: arrival.via,
    name: arrival.name ?? null,
    // What nothing here could go on from is handed over, whatever way it came in.
    route: record.onlyHandedOver === undefined ? arrival.route : 'handed_over',
    reason: arrival.reason ?? null,
    // A readable record is strict UTF-8, so text keeps every byte.
    original: inline
      ? { at: 'inline', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(arrival.bytes) }
      : { at: 'payload', sha256: await store.putPayload(arrival.bytes), size: arrival.bytes.length },
    tools: pending.slice(0, 50).map((call) => call.name.slice(0, 200)),
    calls: pending.length,
    // Lists and the index get no secret: looked at beyond its end, so that none is cut into something unknown.
    preview: maskSecrets(pending[0]?.arguments.slice(0, 4096) ?? '').slice(0, 200),
    latch: null,
    withdrawn: null,
    supersededBy: null,
    continues: arrival.continues?.seq ?? null,
    continuesKey: arrival.continues ?? null,
    revision: record.revision,
    order: record.order ?? null,
    conflict,
    classification: record.classification ?? null,
    goesOn: goesOn(record),
    asks: asksDigest(pending),
  };
}
