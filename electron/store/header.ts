import { hash } from 'node:crypto';
import { z } from 'zod';

/** The version of the record format that this code writes, and the newest it reads. */
export const RECORD_FORMAT = 1;

/** The first line of a record file. The body follows the line feed, to the end of the file. */
const Header = z.strictObject({
  hp: z.literal(RECORD_FORMAT),
  bucket: z.string(),
  key: z.string(),
  rev: z.number().int().min(1),
  op: z.enum(['put', 'del']),
  /** Bytes of the body, and their sha256 in lower-case hex. */
  len: z.number().int().min(0),
  sha256: z.string(),
  meta: z.string(),
  /** The host that wrote it. */
  home: z.string(),
  /** A random UUID, so that no two writes are ever taken for one another, and the id of the revision before ('' = none). */
  id: z.string(),
  prev: z.string(),
  /** `hashOf` the first line of the revision before, '' for a first one: the chain. Records from before it have none. */
  before: z.string().optional(),
  /** The payloads that the bytes name; left out where nobody said, or where there are too many for a header. */
  pays: z.array(z.string()).optional(),
});
export type Header = z.infer<typeof Header>;

/** More names than this do not go into a header. */
export const MOST_PAYS = 400;

const Line = Header.extend({ sum: z.string() });

const SUM_CHARS = 16;
const SUM = new RegExp(`,"sum":"([0-9a-f]{${SUM_CHARS}})"\\}$`);

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
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return unreadable;
  }
  if (typeof value !== 'object' || value === null) return unreadable;
  if ('hp' in value && typeof value.hp === 'number' && value.hp > RECORD_FORMAT) {
    return { ok: false, reason: `it was written by a newer Holdpoint (record format ${value.hp})` };
  }
  const sum = SUM.exec(line);
  if (sum === null) return unreadable;
  const text = `${line.slice(0, sum.index)}}`;
  if (sha256Hex(text).slice(0, SUM_CHARS) !== sum[1]) return { ok: false, reason: 'its header was altered' };
  const parsed = Line.safeParse(value);
  if (!parsed.success) return unreadable;
  const { sum: _sum, ...header } = parsed.data;
  return { ok: true, header };
}
