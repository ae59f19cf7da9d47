import { statSync } from 'node:fs';
import type { z } from 'zod';
import type { ImportRow } from '../../shared/import-row.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import { Evidence, keepEvidence } from '../checkpoints/evidence.js';
import { Head } from '../checkpoints/head.js';
import { takeIn } from '../checkpoints/intake.js';
import { DECISIONS, EVIDENCE, HEADS, JOURNALS, parseSuspension, suspensionText } from '../checkpoints/keys.js';
import type { Ports } from '../ports.js';
import { CasConflict, type KvStore } from '../store/contract.js';
import { planImport, type There } from './import-plan.js';
import { bringSide, type Side } from './import-side.js';
import { readBackup, type Unpacked } from './read-backup.js';
import { checkStopped, Stopped, stoppedRefusal, type UnderWay } from './under-way.js';

/** A backup is read through this often: two looks, then what is brought in. */
const PASSES = 6;

export interface ImportOptions extends UnderWay {
  /** Says what would be done, and changes nothing. */
  dryRun: boolean;
  /** Suspensions that may be brought up to what the backup says. */
  update: ReadonlySet<string>;
  /** Who asked, for the history. */
  by: string;
  /** The data folder around the store; without it, what lies beside a store stays out and is not told of. */
  side?: Side | undefined;
}

/**
 * Brings the runs of a backup in. Whatever could fire twice stays out: only what is over is copied, and what nobody had
 * decided is taken in like any record. Nothing here is written over but what was named, and that only by compare-and-set on what
 * was compared: whatever moved meanwhile throws CasConflict. Cut short, it is simply done again: what is there already is left alone.
 */
export async function importBackup(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'ids'>,
  path: string,
  options: ImportOptions,
): Promise<Outcome<{ rows: ImportRow[] }>> {
  try {
    return await bringIn(store, ports, path, options);
  } catch (error) {
    if (error instanceof Stopped) return stoppedRefusal('Stopped. Nothing was brought in.');
    throw error;
  }
}

async function bringIn(
  store: KvStore,
  ports: Pick<Ports, 'clock' | 'ids'>,
  path: string,
  options: ImportOptions,
): Promise<Outcome<{ rows: ImportRow[] }>> {
  const { dryRun, update, by, side } = options;
  const read = readingOf(path, options, dryRun ? 1 : PASSES);
  const planned = await planImport(store, path, update, { side, read });
  if (!planned.ok || dryRun) return planned;
  const { contents } = planned.value;
  const seen = await seenNow(store, planned.value.rows);
  // Planned once more on what was seen: what moves from here on conflicts with it.
  const again = await planImport(store, path, update, { side, read });
  if (!again.ok) return again;
  const { rows } = again.value;
  const acts = new Map(rows.map((row) => [row.suspension, row.act]));
  const copied = (name: string) => acts.get(name) === 'add' || acts.get(name) === 'update';
  const comes = (name: string) => copied(name) || acts.get(name) === 'take_in';
  const wanted = new Set<string>();
  // First all that a record stands on, then what a head stands on, then the heads: a run is there as a whole or not at all.
  const payloads = await readBackup(path, {
    read,
    record: async (record) => {
      const { bucket, key } = record.header;
      if ((bucket === HEADS || bucket === JOURNALS) && comes(key)) for (const name of namesIn(record)) wanted.add(name);
    },
    payload: async (sha256, bytes) => {
      if (wanted.has(sha256)) await store.putPayload(bytes);
    },
  });
  if (!payloads.ok) return payloads;
  checkStopped(options);
  // Until here nothing was written that any record names. From here on a stop would leave decisions without their run.
  options.goesOn?.();
  const onward = readingOf(path, { progress: options.progress }, PASSES, 3);
  const first = await readBackup(path, {
    read: onward,
    record: async (record) => {
      const { bucket, key } = record.header;
      if (bucket === EVIDENCE && aboutOf(record).some(copied)) await addIfAbsent(store, record);
      else if (bucket === DECISIONS && copied(key)) await append(store, record);
      else if (bucket === JOURNALS && copied(key) && isNewest(record, contents.get(bucket)?.get(key)))
        await putOver(store, record, seen);
    },
  });
  if (!first.ok) return first;
  const second = await readBackup(path, {
    read: onward,
    record: async (record) => {
      const { bucket, key } = record.header;
      const there = contents.get(HEADS)?.get(key);
      if (bucket !== HEADS || there === undefined) return;
      if (acts.get(key) === 'take_in' && isNewest(record, there)) await take(store, ports, record);
      if (!copied(key)) return;
      // A tombstone needs the last record under it.
      const stands = seen.get(`${HEADS} ${key}`);
      if (isNewest(record, there) && record.header.op === 'del') {
        if (stands !== undefined) await store.delete(HEADS, key, stands, { meta: record.header.meta });
      } else if (isNewest(record, there) || isBeforeTombstone(record, there)) await putOver(store, record, seen);
    },
  });
  if (!second.ok) return second;
  for (const { what, suspension, act } of rows) {
    const key = what === undefined ? parseSuspension(suspension) : null;
    if (key === null || !(act === 'add' || act === 'update')) continue;
    const text = act === 'add' ? 'Added from a backup.' : 'Brought up to what a backup says.';
    const facts = { storeId: first.value.storeId, madeAt: first.value.madeAt };
    await keepEvidence(store, ports, { kind: 'imported', by, suspension: key, text, facts });
  }
  // After the runs: a file that waits in the inbox may be of one of them, and is known then.
  let unsaved: Outcome<unknown> | null = null;
  if (side !== undefined && rows.some(({ what, act }) => what !== undefined && act !== 'none' && act !== 'stays_out')) {
    const third = await readBackup(path, {
      read: onward,
      file: async (file, bytes) => {
        const saved = await bringSide(side, file, bytes, acts.get(file));
        if (saved?.ok === false) unsaved = saved;
      },
    });
    if (!third.ok) return third;
  }
  // The runs came in; that the settings were not saved is said with them.
  const said: Outcome<unknown> | null = unsaved;
  return accepted({ rows: said === null ? rows : rows.map((row) => unsavedRow(row, said)) });
}

function unsavedRow(row: ImportRow, said: Outcome<unknown>): ImportRow {
  if (row.what !== 'settings' || row.act !== 'update' || said.ok) return row;
  return { ...row, act: 'stays_out', why: said.refusal.text };
}

/** Tells how far a file was read, of so many passes over it, and stops in between. */
function readingOf(path: string, way: UnderWay, passes: number, from = 0): (bytes: number) => void {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  let done = size * from;
  return (bytes) => {
    checkStopped(way);
    done += bytes;
    way.progress?.(Math.min(done, size * passes), size * passes);
  };
}

const isNewest = ({ header }: Unpacked, there: There | undefined): boolean => there?.revisions.at(-1) === header.rev;
const isBeforeTombstone = ({ header }: Unpacked, there: There): boolean =>
  there.deleted && there.revisions.at(-2) === header.rev;

const optionsOf = ({ header }: Unpacked) => ({
  meta: header.meta,
  ...(header.pays === undefined ? {} : { payloads: header.pays }),
});

/** Revisions of what may be written over, by bucket and key; nothing for a key that is not there. */
type Seen = Map<string, number>;

async function seenNow(store: KvStore, rows: readonly ImportRow[]): Promise<Seen> {
  const seen: Seen = new Map();
  for (const { suspension, act } of rows)
    for (const bucket of act === 'add' || act === 'update' ? [HEADS, JOURNALS] : []) {
      const head = await store.head(bucket, suspension);
      if (head) seen.set(`${bucket} ${suspension}`, head.revision);
    }
  return seen;
}

/** Writes a content on top of what was seen, unless it is that; over anything else it throws CasConflict. */
async function putOver(store: KvStore, record: Unpacked, seen: Seen): Promise<void> {
  const { bucket, key } = record.header;
  const head = await store.head(bucket, key);
  const entry = await store.get(bucket, key);
  if (entry !== null && Buffer.from(entry.value).equals(Buffer.from(record.body))) return;
  if (head?.deleted) return;
  const name = `${bucket} ${key}`;
  seen.set(name, await store.cas(bucket, key, record.body, seen.get(name) ?? null, optionsOf(record)));
}

/** Decisions keep their numbers: a claim names the one that it acted on. */
async function append(store: KvStore, record: Unpacked): Promise<void> {
  const { bucket, key, rev } = record.header;
  const newest = (await store.head(bucket, key))?.revision ?? 0;
  if (newest >= rev) return;
  if (newest !== rev - 1) throw new CasConflict(bucket, key, rev - 1, newest);
  await store.cas(bucket, key, record.body, newest === 0 ? null : newest, optionsOf(record));
}

async function addIfAbsent(store: KvStore, record: Unpacked): Promise<void> {
  const { bucket, key } = record.header;
  if ((await store.head(bucket, key)) === null) await store.cas(bucket, key, record.body, null, optionsOf(record));
}

function aboutOf({ body }: Unpacked): string[] {
  const evidence = parse(Evidence, body);
  return evidence?.suspension ? [suspensionText(evidence.suspension)] : [];
}

/** An undecided run comes in as its own record: from here on it is a run of this store and of no other. */
async function take(store: KvStore, ports: Pick<Ports, 'clock'>, { header, body }: Unpacked): Promise<void> {
  const head = parse(Head, body);
  const key = parseSuspension(header.key);
  if (head === null || key === null) return;
  const { original, route, name, reason } = head;
  const bytes =
    original.at === 'inline' ? new TextEncoder().encode(original.text) : await store.getPayload(original.sha256);
  if (bytes === null) return;
  await takeIn(store, ports.clock, { bytes, source: key.source, via: 'file', route, name, reason });
}

const SHA256 = /[0-9a-f]{64}/g;

/** Whatever looks like a payload's name in a record that is brought in. */
function namesIn({ body }: Unpacked): string[] {
  return Buffer.from(body).toString('latin1').match(SHA256) ?? [];
}

function parse<T>(schema: z.ZodType<T>, body: Uint8Array): T | null {
  try {
    return schema.safeParse(JSON.parse(new TextDecoder().decode(body))).data ?? null;
  } catch {
    return null;
  }
}
