import { SEALS } from '../checkpoints/keys.js';
import { Seal, sealName } from '../checkpoints/seals.js';
import { type Audited, type AuditedKey, bodyOf, keysIn } from '../store/audit.js';
import type { Broken } from './broken.js';

/** What the newest seal that names a key says of it. */
export interface Sealed {
  bucket: string;
  key: string;
  revision: number;
  deleted: boolean;
  hash: string;
  seal: number;
  at: string;
}

export interface SealsReading {
  broken: Broken[];
  count: number;
  newest: { n: number; at: string; hash: string } | null;
  /** By bucket and key, see `sealedName`. */
  sealed: Map<string, Sealed>;
  hashes: Set<string>;
}

export const sealedName = (bucket: string, key: string): string => `${bucket}\0${key}`;

/** Reads all seals in order: none may be missing, changed, or name another one before it than the one that is there. */
export function readSeals(audited: Audited): SealsReading {
  const reading: SealsReading = { broken: [], count: 0, newest: null, sealed: new Map(), hashes: new Set() };
  const found = [...keysIn(audited, SEALS)].sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
  for (const key of found) {
    const expected = (reading.newest?.n ?? 0) + 1;
    const place = { file: key.revisions[0]?.file ?? null, bucket: SEALS, key: key.key, revision: 1 };
    const say = (what: string) => reading.broken.push({ ...place, what });
    const [only] = key.revisions;
    const seal = sealOf(audited, key);
    if (typeof seal === 'string' || only === undefined) {
      say(typeof seal === 'string' ? seal : 'It is empty.');
      continue;
    }
    if (key.key !== sealName(seal.n)) say(`It is seal ${seal.n} under another name.`);
    if (seal.n !== expected) say(`Seal ${expected} is missing.`);
    else if (seal.previous !== (reading.newest?.hash ?? ''))
      say(`It names another seal before it than seal ${expected - 1} that is there: that one was altered or replaced.`);
    reading.count++;
    reading.newest = { n: seal.n, at: seal.at, hash: only.hash };
    reading.hashes.add(only.hash);
    for (const [bucket, name, revision, op, hash] of seal.entries)
      reading.sealed.set(sealedName(bucket, name), {
        bucket,
        key: name,
        revision,
        deleted: op === 'del',
        hash,
        seal: seal.n,
        at: seal.at,
      });
  }
  return reading;
}

/** The seal, or why it is none. A seal has one revision, ever. */
function sealOf(audited: Audited, key: AuditedKey): Seal | string {
  const [only, second] = key.revisions;
  if (only === undefined || key.strays.length > 0) return 'It is a file that is no seal.';
  if (only.header === null) return `It cannot be trusted: ${only.reason}.`;
  if (second !== undefined || only.revision !== 1 || only.header.op !== 'put') return 'A seal was written over.';
  const body = bodyOf(audited, key, only);
  try {
    const seal = Seal.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body ?? new Uint8Array())));
    return seal.success ? seal.data : 'It is no seal of this version of Holdpoint.';
  } catch {
    return 'It is no seal: not JSON.';
  }
}
