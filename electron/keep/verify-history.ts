import { DECISIONS, HEADS, HISTORY, KEPT_WHOLE, SEALS } from '../checkpoints/keys.js';
import { type Audited, type AuditedKey, keysIn } from '../store/audit.js';
import { slices } from '../store/slices.js';
import { Bindings } from './bindings.js';
import type { Broken } from './broken.js';
import { readChain } from './chain.js';
import { readSeals, type Sealed, sealedName } from './read-seals.js';

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
  /** Keys whose newest revision no seal holds yet. */
  unsealed: number;
  /** In the order of the buckets and keys. */
  broken: Broken[];
}

/**
 * Checks the whole history from the files alone: each record, each key's chain, what records say of each other, and the
 * seals. `anchor` is the hash of a seal that somebody noted elsewhere: it must still be one of them. Changes nothing.
 */
export async function verifyHistory(
  audited: Audited,
  { anchor, now = Date.now() }: { anchor?: string | undefined; now?: number } = {},
): Promise<HistoryReport> {
  const slice = slices();
  const seals = readSeals(audited);
  const bindings = new Bindings(audited);
  const broken = [...seals.broken];
  const report = { keys: 0, revisions: 0, beforeTheChain: 0, unsealed: 0 };
  for (const bucket of HISTORY) {
    for (const key of keysIn(audited, bucket)) {
      const chain = readChain(key, !KEPT_WHOLE.includes(bucket));
      broken.push(...chain.broken);
      report.keys++;
      report.revisions += key.revisions.length;
      report.beforeTheChain += chain.beforeTheChain;
      if (bucket === HEADS) bindings.noteHead(key);
      if (bucket === DECISIONS) broken.push(...bindings.checkDecision(key));
      const name = sealedName(bucket, key.key ?? '');
      const sealed = seals.sealed.get(name);
      seals.sealed.delete(name);
      broken.push(...againstSeal(key, sealed));
      if ((sealed?.revision ?? 0) < (key.revisions.at(-1)?.revision ?? 0)) report.unsealed++;
      await slice.pass();
    }
  }
  broken.push(...bindings.unmet(), ...[...seals.sealed.values()].flatMap((one) => removed(one, now)));
  if (anchor !== undefined && !seals.hashes.has(anchor))
    broken.push({
      file: null,
      bucket: SEALS,
      key: null,
      revision: null,
      what: `No seal has the hash ${anchor}: seals were removed, or this is another history.`,
    });
  return { ok: broken.length === 0, ...report, seals: seals.count, newestSeal: seals.newest, broken };
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

function removed(sealed: Sealed, now: number): Broken[] {
  if (sealed.deleted && now - Date.parse(sealed.at) > TOMBSTONE_DAYS * 24 * 3600_000) return [];
  const { bucket, key, revision, seal } = sealed;
  return [
    {
      file: null,
      bucket,
      key,
      revision,
      what: `All of its records are missing: seal ${seal} holds revision ${revision}.`,
    },
  ];
}
