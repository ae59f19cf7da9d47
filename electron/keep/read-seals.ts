import { SEALS } from '../checkpoints/keys.js';
import { Seal, sealName } from '../checkpoints/seals.js';
import { type Audited, type AuditedKey, bodyOf, keyIn, namedIn } from '../store/audit.js';
import { KeyTable } from '../store/key-table.js';
import { encodeKey, shardOf } from '../store/names.js';
import { slices } from '../store/slices.js';
import type { Broken } from './broken.js';

/** What the newest seal that names a key says of it. */
export interface Sealed {
  revision: number;
  seal: number;
  deleted: boolean;
  hash: string;
}

export interface SealsReading {
  broken: Broken[];
  count: number;
  newest: { n: number; at: string; hash: string } | null;
  sealed: SealedRecords;
  /** True when a seal has the hash that was asked for. */
  hasAnchor: boolean;
}

const AT = { revision: 0, seal: 4, flags: 8, hash: 9, bytes: 41 } as const;
const DELETED = 1;
const MET = 2;

/** Of every key the last that a seal says of it: some fifty bytes each, however many there are. */
export class SealedRecords {
  readonly #table = new KeyTable(AT.bytes);

  note([bucket, key, revision, op, hash]: Seal['entries'][number], seal: number): void {
    const row = this.#table.add(nameOf(bucket, key));
    row.writeUInt32LE(revision, AT.revision);
    row.writeUInt32LE(seal, AT.seal);
    row.writeUInt8(op === 'del' ? DELETED : 0, AT.flags);
    row.fill(0, AT.hash);
    row.write(hash, AT.hash, 'hex');
  }

  /** What is said of a key, which is there: of those that are never met here, all records are missing. */
  meet(bucket: string, key: string): Sealed | undefined {
    const row = this.#table.get(nameOf(bucket, key));
    if (row === null) return undefined;
    row.writeUInt8(row.readUInt8(AT.flags) | MET, AT.flags);
    return read(row);
  }

  /** The seals that are the last to speak of a key that was never met. */
  unmetSeals(): Set<number> {
    const seals = new Set<number>();
    for (const row of this.#table.values())
      if ((row.readUInt8(AT.flags) & MET) === 0) seals.add(row.readUInt32LE(AT.seal));
    return seals;
  }

  /** What is said of a key by that very seal, if it was never met. */
  unmet(bucket: string, key: string, seal: number): Sealed | null {
    const row = this.#table.get(nameOf(bucket, key));
    if (row === null || (row.readUInt8(AT.flags) & MET) !== 0) return null;
    return row.readUInt32LE(AT.seal) === seal ? read(row) : null;
  }
}

const nameOf = (bucket: string, key: string): string => `${bucket}\0${key}`;

function read(row: Buffer): Sealed {
  return {
    revision: row.readUInt32LE(AT.revision),
    seal: row.readUInt32LE(AT.seal),
    deleted: (row.readUInt8(AT.flags) & DELETED) !== 0,
    hash: row.toString('hex', AT.hash, AT.bytes),
  };
}

/** Reads all seals in order: none may be missing, changed, or name another one before it than the one that is there. */
export async function readSeals(audited: Audited, anchor: string | undefined): Promise<SealsReading> {
  const sealed = new SealedRecords();
  const reading: SealsReading = { broken: [], count: 0, newest: null, sealed, hasAnchor: false };
  const slice = slices();
  const take = (key: AuditedKey): void => {
    const expected = (reading.newest?.n ?? 0) + 1;
    const place = { file: key.revisions[0]?.file ?? null, bucket: SEALS, key: key.key, revision: 1 };
    const say = (what: string) => reading.broken.push({ ...place, what });
    const [only] = key.revisions;
    const seal = sealOf(audited, key);
    if (typeof seal === 'string' || only === undefined) {
      say(typeof seal === 'string' ? seal : 'It is empty.');
      return;
    }
    if (key.key !== sealName(seal.n)) say(`It is seal ${seal.n} under another name.`);
    if (seal.n !== expected) say(`Seal ${expected} is missing.`);
    else if (seal.previous !== (reading.newest?.hash ?? ''))
      say(`It names another seal before it than seal ${expected - 1} that is there: that one was altered or replaced.`);
    reading.count++;
    reading.newest = { n: seal.n, at: seal.at, hash: only.hash };
    reading.hasAnchor ||= only.hash === anchor;
    for (const entry of seal.entries) sealed.note(entry, seal.n);
  };
  // The names tell the order: of the seals themselves one at a time is in memory.
  const numbers: number[] = [];
  for (const { shard, enc, key } of namedIn(audited, SEALS)) {
    if (key !== null && /^\d{9}$/.test(key)) numbers.push(Number(key));
    else {
      const other = keyIn(audited, SEALS, { shard, enc });
      if (other !== null) take(other);
    }
  }
  for (const n of numbers.sort((a, b) => a - b)) {
    const key = sealKey(audited, n);
    if (key !== null) take(key);
    await slice.pass();
  }
  return reading;
}

const sealKey = (audited: Audited, n: number): AuditedKey | null =>
  keyIn(audited, SEALS, { shard: shardOf(sealName(n)), enc: encodeKey(sealName(n)) });

/** One seal again; null when it is none. */
export function sealAt(audited: Audited, n: number): Seal | null {
  const key = sealKey(audited, n);
  const seal = key === null ? '' : sealOf(audited, key);
  return typeof seal === 'string' ? null : seal;
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
