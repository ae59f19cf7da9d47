import { HISTORY, KEPT_WHOLE } from '../checkpoints/keys.js';
import type { Broken } from '../keep/broken.js';
import { readChain } from '../keep/chain.js';
import { verifyHistory } from '../keep/verify-history.js';
import { type Audited, type AuditedKey, bodyOf, bucketsIn, foreignIn, keysIn } from '../store/audit.js';
import { slices } from '../store/slices.js';
import type { Finding } from './finding.js';

/** The newest revision of each key as its file tells it, by bucket. */
export type Newest = Map<string, Map<string, NewestFile>>;

export interface NewestFile {
  revision: number;
  meta: string;
  deleted: boolean;
  file: string;
  mtimeMs: number;
}

export interface ChainsReading {
  findings: Finding[];
  newest: Newest;
  /** Every sha256 that stands in a record: a payload that none of them names is an orphan. */
  named: Set<string>;
}

const ADVICE = 'Compare with a backup. Nothing here is mended by itself: what a person decided is not guessed at.';
const SHA256 = /[0-9a-f]{64}/g;

/** Follows every chain of every bucket, and the history with its seals. */
export async function examineChains(audited: Audited): Promise<ChainsReading> {
  const reading: ChainsReading = { findings: [], newest: new Map(), named: new Set() };
  const slice = slices();
  for (const bucket of bucketsIn(audited)) {
    const keys = new Map<string, NewestFile>();
    reading.newest.set(bucket, keys);
    for (const key of keysIn(audited, bucket)) {
      note(audited, key, keys, reading.named);
      // The history's own chains are read with the seals below.
      if (!HISTORY.includes(bucket))
        reading.findings.push(...readChain(key, !KEPT_WHOLE.includes(bucket)).broken.map(asFinding));
      await slice.pass();
    }
  }
  for (const file of foreignIn(audited))
    reading.findings.push({
      level: 'warning',
      what: 'foreign files',
      text: 'Its name is no record’s name.',
      file: `store/${file}`,
      advice: 'Nothing reads it. If no other program needs it there, move it away.',
      unreadable: true,
    });
  const history = await verifyHistory(audited);
  reading.findings.push(...history.broken.map(asFinding));
  if (history.ok)
    reading.findings.push({
      level: 'ok',
      what: 'history',
      text: `${history.revisions} revisions follow each other; ${history.seals} seals hold, ${history.unsealed} keys changed since.`,
    });
  return reading;
}

function note(audited: Audited, key: AuditedKey, keys: Map<string, NewestFile>, named: Set<string>): void {
  for (const one of key.revisions) {
    if (one.header === null || one.header.len < 64) continue;
    const body = bodyOf(audited, key, one);
    for (const [sha256] of Buffer.from(body ?? [])
      .toString('latin1')
      .matchAll(SHA256))
      named.add(sha256);
  }
  const newest = key.revisions.at(-1);
  const twin = key.revisions.at(-2)?.revision === newest?.revision;
  if (newest?.header == null || key.key === null || twin || key.forked !== null) return;
  const { meta, op } = newest.header;
  const { revision, file, mtimeMs } = newest;
  keys.set(key.key, { revision, meta, deleted: op === 'del', file, mtimeMs });
}

function asFinding({ bucket, key, revision, file, what }: Broken): Finding {
  const which = revision === null ? '' : `, revision ${revision}`;
  return {
    level: 'problem',
    what: 'history',
    text: `${bucket} ${key ?? '?'}${which}: ${what}`,
    advice: ADVICE,
    ...(file === null ? {} : { file: `store/${file}` }),
  };
}
