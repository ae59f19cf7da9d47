import { DECISIONS, HEADS, HISTORY, KEPT_WHOLE, SEALS } from '../checkpoints/keys.js';
import type { KnownKey } from '../checkpoints/signatures.js';
import { type Audited, type AuditedKey, keysInShard, vanishedIn } from '../store/audit.js';
import { SHARDS } from '../store/names.js';
import { slices } from '../store/slices.js';
import { Bindings } from './bindings.js';
import type { Broken } from './broken.js';
import { readChain } from './chain.js';
import { readSeals, type Sealed, type SealsReading, sealAt } from './read-seals.js';
import { checkSigned, type SignatureCount } from './signed-history.js';

/** A tombstone may go this long after it was sealed as one; nothing else of the history goes as a whole. */
export const TOMBSTONE_DAYS = 90;

export interface HistoryReport {
  ok: boolean;
  keys: number;
  revisions: number;
  /** Revisions from before the chain: they are read, and name nothing. */
  beforeTheChain: number;
  seals: number;
  newestSeal: { n: number; at: string; hash: string } | null;
  /** Keys whose newest revision no seal holds yet: until then, that one may be altered and nothing here shows it. */
  unsealed: number;
  /** The first of them, by name. */
  tail: { bucket: string; key: string | null; revision: number }[];
  /** Of all revisions of all decisions, by the keys that are known. */
  signatures: SignatureCount;
  /** In the order of the buckets and keys. */
  broken: Broken[];
}

/** So many of what is not sealed are named. */
const MOST_NAMED = 1000;

export interface VerifyOptions {
  anchor?: string | undefined;
  now?: number;
  /** Keys whose signatures are checked. */
  known?: readonly KnownKey[];
  /** Is given every key of the history as it was read. */
  seen?(key: AuditedKey): void;
}

/**
 * Checks the whole history from the files alone: each record, each key's chain, what records say of each other, and the
 * seals. `anchor` is the hash of a seal that somebody noted elsewhere: it must still be one of them. Changes nothing. A run's
 * records lie in one shard of each bucket, so that beside the seals' few bytes a key, one shard of names is in memory.
 */
export async function verifyHistory(
  audited: Audited,
  { anchor, now = Date.now(), known = [], seen = () => undefined }: VerifyOptions = {},
): Promise<HistoryReport> {
  const slice = slices();
  const seals = await readSeals(audited, anchor);
  const broken: Broken[] = [];
  const signatures = { good: 0, unknown: 0, unsigned: 0 };
  const report = { keys: 0, revisions: 0, beforeTheChain: 0, unsealed: 0 };
  const tail: HistoryReport['tail'] = [];
  for (const shard of SHARDS) {
    const bindings = new Bindings(audited);
    for (const bucket of HISTORY) {
      for (const key of keysInShard(audited, bucket, shard)) {
        seen(key);
        const chain = readChain(key, !KEPT_WHOLE.includes(bucket));
        broken.push(...chain.broken);
        report.keys++;
        report.revisions += key.revisions.length;
        report.beforeTheChain += chain.beforeTheChain;
        if (bucket === HEADS) bindings.noteHead(key);
        if (bucket === DECISIONS)
          broken.push(...bindings.checkDecision(key), ...checkSigned(audited, key, known, signatures));
        const sealed = seals.sealed.meet(bucket, key.key ?? '');
        broken.push(...againstSeal(key, sealed));
        const newest = key.revisions.at(-1)?.revision ?? 0;
        if ((sealed?.revision ?? 0) < newest) {
          report.unsealed++;
          if (tail.length < MOST_NAMED) tail.push({ bucket, key: key.key, revision: newest });
        }
        await slice.pass();
      }
    }
    broken.push(...bindings.unmet());
  }
  for (const bucket of HISTORY)
    for (const shard of vanishedIn(audited, bucket)) {
      const what = 'This folder has vanished, with every record that was in it.';
      broken.push({ file: `k/${bucket}/${shard}`, bucket, key: null, revision: null, what });
    }
  broken.sort((one, other) => HISTORY.indexOf(one.bucket) - HISTORY.indexOf(other.bucket));
  broken.unshift(...seals.broken);
  broken.push(...removed(audited, seals, now));
  if (anchor !== undefined && !seals.hasAnchor)
    broken.push({
      file: null,
      bucket: SEALS,
      key: null,
      revision: null,
      what: `No seal has the hash ${anchor}: seals were removed, or this is another history.`,
    });
  return { ok: broken.length === 0, ...report, tail, seals: seals.count, newestSeal: seals.newest, signatures, broken };
}

function againstSeal(key: AuditedKey, sealed: Sealed | undefined): Broken[] {
  if (sealed === undefined) return [];
  const place = { bucket: key.bucket, key: key.key, revision: sealed.revision };
  const newest = key.revisions.at(-1);
  if (newest !== undefined && newest.revision < sealed.revision)
    return [
      { ...place, file: null, what: `Its newest revisions are missing: seal ${sealed.seal} holds ${sealed.revision}.` },
    ];
  const there = key.revisions.find(({ revision }) => revision === sealed.revision);
  if (there?.header == null || there.hash === sealed.hash) return [];
  return [
    { ...place, file: there.file, what: `It is not what seal ${sealed.seal} holds: it was altered or replaced.` },
  ];
}

/** Keys that seals speak of and of which nothing is there: their names stand in the seals alone, which are read again. */
function removed(audited: Audited, { sealed }: SealsReading, now: number): Broken[] {
  const broken: Broken[] = [];
  for (const n of [...sealed.unmetSeals()].sort((a, b) => a - b)) {
    const seal = sealAt(audited, n);
    for (const [bucket, key] of seal?.entries ?? []) {
      const said = sealed.unmet(bucket, key, n);
      if (said === null || seal === null) continue;
      if (said.deleted && now - Date.parse(seal.at) > TOMBSTONE_DAYS * 24 * 3600_000) continue;
      const what = `All of its records are missing: seal ${n} holds revision ${said.revision}.`;
      broken.push({ file: null, bucket, key, revision: said.revision, what });
    }
  }
  return broken;
}
