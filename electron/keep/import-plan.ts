import { createHash } from 'node:crypto';
import type { ImportAct, ImportRow, Relation } from '../../shared/import-row.js';
import { accepted, type Outcome } from '../../shared/refusal.js';
import type { Status } from '../../shared/states.js';
import { readHeadMeta } from '../checkpoints/head.js';
import { DECISIONS, HEADS, JOURNALS } from '../checkpoints/keys.js';
import { readDecisionMeta, readJournalMeta } from '../checkpoints/meta.js';
import { isSettled, statusOf } from '../checkpoints/status.js';
import type { KvStore } from '../store/contract.js';
import { planSide, type Side, type SideThere } from './import-side.js';
import { readBackup } from './read-backup.js';

/** What the backup holds of one key, newest last: the sha256 of each content, '' for a tombstone. */
export interface There {
  contents: string[];
  revisions: number[];
  meta: string;
  deleted: boolean;
}

export type Contents = Map<string, Map<string, There>>;

const COMPARED = [HEADS, DECISIONS, JOURNALS] as const;
const ENDED: readonly (Status | 'unknown')[] = ['finished', 'failed', 'expired', 'withdrawn', 'superseded'];
const LONGEST_LOOK = 64;

/** Reads a backup to its end and says what an import would do with each suspension; changes nothing. */
export async function planImport(
  store: KvStore,
  path: string,
  update: ReadonlySet<string>,
  { side, read: passed }: { side?: Side | undefined; read?: (bytes: number) => void } = {},
): Promise<Outcome<{ rows: ImportRow[]; contents: Contents }>> {
  const contents: Contents = new Map();
  const files: SideThere = new Map();
  const read = await readBackup(path, {
    ...(passed && { read: passed }),
    file: (file, bytes) => void files.set(file, sha256(bytes)),
    record: ({ header, body }) => {
      if (!COMPARED.some((bucket) => bucket === header.bucket)) return;
      const keys = contents.get(header.bucket) ?? new Map<string, There>();
      contents.set(header.bucket, keys);
      const there = keys.get(header.key) ?? { contents: [], revisions: [], meta: '', deleted: false };
      // What was written while the backup was made comes later in it, in order of its revisions.
      there.contents.push(header.op === 'del' ? '' : sha256(body));
      there.revisions.push(header.rev);
      keys.set(header.key, { ...there, meta: header.meta, deleted: header.op === 'del' });
    },
  });
  if (!read.ok) return read;
  const rows: ImportRow[] = [];
  for (const suspension of [...(contents.get(HEADS)?.keys() ?? [])].sort())
    rows.push(await rowOf(store, contents, suspension, update.has(suspension)));
  if (side !== undefined) rows.push(...planSide(side, files, update));
  return accepted({ rows, contents });
}

async function rowOf(store: KvStore, contents: Contents, suspension: string, named: boolean): Promise<ImportRow> {
  const status = statusThere(contents, suspension);
  const relation = await relationOf(store, contents, suspension);
  const row = (act: ImportAct, why: string, mayName = false): ImportRow => ({
    suspension,
    status,
    relation,
    act,
    why,
    mayName,
  });
  const ended = ENDED.includes(status);
  if (relation === 'equal') return row('none', 'It is the same here.');
  if (relation === 'newer_here') return row('none', 'What is here came after it.');
  if (relation === 'diverged')
    return row('stays_out', 'Both went on after the backup was made, in different ways. Neither replaces the other.');
  if (relation === 'absent') {
    if (ended) return row('add', 'It is over: it becomes part of the history here.');
    if (status === 'waiting') return row('take_in', 'It waits for a decision: it is taken in here, undecided.');
    return row('stays_out', `${NOT_SETTLED} Restore the backup as a folder of its own and take that over by name.`);
  }
  if (!ended) return row('stays_out', `${NOT_SETTLED} Go on where it was decided.`);
  if (await isClaimedHere(store, suspension))
    return row('stays_out', 'It is claimed here and not settled: what happens here is not written over.');
  return named
    ? row('update', 'You named it: what is in the backup goes on top of what is here.')
    : row('stays_out', 'The backup is newer. Nothing here is changed unless you name it.', true);
}

const NOT_SETTLED =
  'It is decided or claimed there and not settled; two stores that go on with it could fire it twice.';

function statusThere(contents: Contents, suspension: string): Status | 'unknown' {
  const head = readHeadMeta(contents.get(HEADS)?.get(suspension)?.meta ?? '');
  if (head === null) return 'unknown';
  const decision = contents.get(DECISIONS)?.get(suspension);
  const journal = contents.get(JOURNALS)?.get(suspension);
  return statusOf({
    head,
    decision: readDecisionMeta(decision?.meta ?? ''),
    journal: readJournalMeta(journal?.meta ?? ''),
    expired: false,
    nowMs: 0,
    continued: false,
  });
}

async function isClaimedHere(store: KvStore, suspension: string): Promise<boolean> {
  const head = readHeadMeta((await store.head(HEADS, suspension))?.meta ?? '');
  if (!head?.l || head.end) return false;
  return !isSettled(readJournalMeta((await store.head(JOURNALS, suspension))?.meta ?? ''));
}

async function relationOf(store: KvStore, contents: Contents, suspension: string): Promise<Relation> {
  if ((await store.head(HEADS, suspension)) === null) return 'absent';
  const found = new Set<Relation>();
  for (const bucket of COMPARED) {
    const one = await keyRelation(store, bucket, suspension, contents.get(bucket)?.get(suspension));
    if (one !== 'equal') found.add(one);
  }
  const [only] = found;
  return only === undefined ? 'equal' : found.size === 1 ? only : 'diverged';
}

async function keyRelation(store: KvStore, bucket: string, key: string, there: There | undefined): Promise<Relation> {
  const head = await store.head(bucket, key);
  if (there === undefined) return head === null ? 'equal' : 'newer_here';
  if (head === null) return 'newer_there';
  const ours = head.deleted ? '' : sha256((await store.get(bucket, key))?.value ?? new Uint8Array());
  const theirs = there.contents.at(-1) ?? '';
  if (ours === theirs) return 'equal';
  if (!head.deleted && there.contents.includes(ours)) return 'newer_there';
  for (let revision = head.revision - 1; revision > 0 && revision > head.revision - LONGEST_LOOK; revision--) {
    const entry = await store.getRevision(bucket, key, revision);
    if (entry !== null && sha256(entry.value) === theirs) return 'newer_here';
  }
  return 'diverged';
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
