import { hash } from 'node:crypto';

/** The version of the record format that this code writes, and the newest it reads. */
export const RECORD_FORMAT = 1;

/** The first line of a record file. The body follows the line feed, to the end of the file. */
export interface Header {
  hp: typeof RECORD_FORMAT;
  bucket: string;
  key: string;
  rev: number;
  op: 'put' | 'del';
  /** Bytes of the body, and their sha256 in lower-case hex. */
  len: number;
  sha256: string;
  meta: string;
  /** The host that wrote it. */
  home: string;
  /** A random UUID, so that no two writes are ever taken for one another, and the id of the revision before ('' = none). */
  id: string;
  prev: string;
  /** `hashOf` the first line of the revision before, '' for a first one: the chain. Records from before it have none. */
  before?: string;
  /** The payloads that the bytes name; left out where nobody said, or where there are too many for a header. */
  pays?: string[];
}

const FIELDS = 12;

/** Checked by hand: a hundred thousand headers are read when an index is made anew. Nothing may be missing or unknown. */
function isLine(line: Partial<Record<keyof Header | 'sum', unknown>>): boolean {
  const { hp, rev, op, len, before, pays } = line;
  const { bucket, key, sha256, meta, home, id, prev, sum } = line;
  for (const text of [bucket, key, sha256, meta, home, id, prev, sum]) if (typeof text !== 'string') return false;
  if (hp !== RECORD_FORMAT || (op !== 'put' && op !== 'del')) return false;
  if (!Number.isSafeInteger(rev) || Number(rev) < 1 || !Number.isSafeInteger(len) || Number(len) < 0) return false;
  if (before !== undefined && typeof before !== 'string') return false;
  if (pays !== undefined && !(Array.isArray(pays) && pays.every((one) => typeof one === 'string'))) return false;
  const optional = (before === undefined ? 0 : 1) + (pays === undefined ? 0 : 1);
  return Object.keys(line).length === FIELDS + optional;
}

/** More names than this do not go into a header. */
export const MOST_PAYS = 400;

const SUM_CHARS = 16;
const SUM = /^,"sum":"([0-9a-f]{16})"\}$/;
/** Characters of `,"sum":"…"}` at the end of a line. */
const SUM_END = 10 + SUM_CHARS;

export function sha256Hex(bytes: Uint8Array | string): string {
  return hash('sha256', bytes, 'hex');
}

/** What the next revision names: the sha256 of a record's first line, which itself holds the sha256 of the bytes after it. */
export const hashOf = (line: string): string => sha256Hex(line);

/** The header line without its line feed. Its last field is a checksum of all before it: a flipped byte shows. */
export function headerLine(header: Header): string {
  const text = JSON.stringify(header);
  return `${text.slice(0, -1)},"sum":"${sha256Hex(text).slice(0, SUM_CHARS)}"}`;
}

export type HeaderReading = { ok: true; header: Header } | { ok: false; reason: string };

/** Reads a header line; a refusal says in words why the record cannot be trusted. */
export function readHeader(line: string): HeaderReading {
  const unreadable = { ok: false, reason: 'its header line is not readable' } as const;
  let value: (Header & { sum: string }) | null;
  try {
    // Looked at before it is believed, below.
    value = JSON.parse(line);
  } catch {
    return unreadable;
  }
  if (typeof value !== 'object' || value === null) return unreadable;
  if (typeof value.hp === 'number' && value.hp > RECORD_FORMAT) {
    return { ok: false, reason: `it was written by a newer Holdpoint (record format ${value.hp})` };
  }
  const sum = SUM.exec(line.slice(-SUM_END));
  if (sum === null) return unreadable;
  const text = `${line.slice(0, -SUM_END)}}`;
  if (!sha256Hex(text).startsWith(sum[1] ?? '')) return { ok: false, reason: 'its header was altered' };
  if (!isLine(value)) return unreadable;
  const { hp, bucket, key, rev, op, len, sha256, meta, home, id, prev, before, pays } = value;
  const header: Header = { hp, bucket, key, rev, op, len, sha256, meta, home, id, prev };
  if (before !== undefined) header.before = before;
  if (pays !== undefined) header.pays = pays;
  return { ok: true, header };
}
