import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { type Header, readHeader, sha256Hex } from '../store/header.js';
import { encodeKey, shardOf } from '../store/names.js';
import { BACKUP_FORMAT, BackupLine, type BackupRecord, BackupStart } from './backup-lines.js';

export interface Unpacked {
  file: string;
  header: Header;
  line: string;
  body: Uint8Array;
}

export interface BackupReader {
  start?(start: BackupStart): void | Promise<void>;
  record?(record: Unpacked): void | Promise<void>;
  payload?(sha256: string, bytes: Uint8Array): void | Promise<void>;
  /** A file beside the store, by its place below the data folder; whether that may be written is the reader's to say. */
  file?(file: string, bytes: Uint8Array): void | Promise<void>;
  /** So many bytes of the file were read since the last time. Called now and then. */
  read?(bytes: number): void;
}

/** A line is at most a record of 64 MiB as text, escaped. */
const LONGEST_LINE = 256 * 1024 * 1024;

class NotABackup extends Error {}
const not = (why: string): never => {
  throw new NotABackup(why);
};

/**
 * Reads a backup from its file, checking all of it: the checksum of the whole, each record's own, each payload's name. Refused
 * with the first thing that is wrong; the reader must not rely on what it was given before the end is accepted.
 */
export async function readBackup(path: string, reader: BackupReader): Promise<Outcome<BackupStart>> {
  try {
    return accepted(await readAll(path, reader));
  } catch (error) {
    if (error instanceof NotABackup)
      return refused('unreadable', `${path} is no whole backup: ${error.message}. Nothing was changed.`);
    if (error instanceof Error && 'syscall' in error)
      return refused('unreadable', `${path} cannot be read: ${error.message}.`);
    throw error;
  }
}

async function readAll(path: string, reader: BackupReader): Promise<BackupStart> {
  const sum = createHash('sha256');
  let start: BackupStart | null = null;
  let ended = false;
  const count = { records: 0, payloads: 0, files: 0 };
  let pieces: { of: string; parts: Buffer[] } | null = null;
  for await (const line of linesOf(path, (bytes) => reader.read?.(bytes))) {
    if (ended) not('something follows its end');
    const value = parse(line);
    if (start === null) {
      start = startOf(value);
      await reader.start?.(start);
    } else {
      const parsed = BackupLine.safeParse(value);
      if (!parsed.success) return not(`line ${count.records + count.payloads + count.files + 2} is none of a backup's`);
      const one = parsed.data;
      const whole = one.t === 'payload' ? `payload ${one.sha256}` : one.t === 'file' ? `file ${one.file}` : null;
      if (pieces !== null && pieces.of !== whole) not(`a ${pieces.of.split(' ')[0]} is cut`);
      if (one.t === 'record') {
        count.records++;
        const record = unpack(one);
        await reader.record?.(record);
      } else if (one.t === 'payload' || one.t === 'file') {
        pieces ??= { of: whole ?? '', parts: [] };
        if (one.part !== pieces.parts.length) not(`a ${one.t} is cut`);
        pieces.parts.push(Buffer.from(one.base64, 'base64'));
        if (pieces.parts.length === one.of) {
          const bytes = new Uint8Array(Buffer.concat(pieces.parts));
          pieces = null;
          if (one.t === 'file') {
            count.files++;
            await reader.file?.(one.file, bytes);
          } else {
            if (sha256Hex(bytes) !== one.sha256) not(`the payload ${one.sha256} was altered`);
            count.payloads++;
            await reader.payload?.(one.sha256, bytes);
          }
        }
      } else {
        ended = true;
        if (one.sha256 !== sum.digest('hex')) not('its checksum differs: it was altered');
        const { records, payloads, files } = count;
        if (one.records !== records || one.payloads !== payloads || one.files !== files) not('lines of it are missing');
        continue;
      }
    }
    sum.update(line).update('\n');
  }
  if (start === null) return not('it is empty');
  if (!ended) not('its end is missing: it was cut');
  return start;
}

function startOf(value: unknown): BackupStart {
  if (typeof value === 'object' && value !== null && 'holdpoint' in value && value.holdpoint === 'backup')
    if ('format' in value && typeof value.format === 'number' && value.format > BACKUP_FORMAT)
      return not(`it was made by a newer Holdpoint (backup format ${value.format})`);
  const start = BackupStart.safeParse(value);
  return start.success ? start.data : not('its first line is none of a backup');
}

/** The record with everything that it says about itself checked: a path from a file is never trusted (I11). */
function unpack(one: BackupRecord): Unpacked {
  const reading = readHeader(one.line);
  if (!reading.ok) return not(`${one.file}: ${reading.reason}`);
  const { header } = reading;
  const body =
    one.body === undefined
      ? new Uint8Array(Buffer.from(one.base64 ?? '', 'base64'))
      : new TextEncoder().encode(one.body);
  if (body.length !== header.len || sha256Hex(body) !== header.sha256) not(`${one.file}: its content was altered`);
  const name = `${encodeKey(header.key)}.${String(header.rev).padStart(10, '0')}.json`;
  const place = `k/${header.bucket}/${shardOf(header.key)}/${name}`;
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(header.bucket) || one.file !== place)
    not(`${one.file} is not the place of its record`);
  return { file: place, header, line: one.line, body };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return not('a line is not JSON');
  }
}

/** Lines split at line feeds alone: a record may hold other line ends. Each is whole UTF-8. */
async function* linesOf(path: string, read: (bytes: number) => void): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    let bytes = chunk as Buffer;
    read(bytes.length);
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a)) {
      yield text([...rest, bytes.subarray(0, end)]);
      rest = [];
      size = 0;
      bytes = bytes.subarray(end + 1);
    }
    rest.push(bytes);
    size += bytes.length;
    if (size > LONGEST_LINE) not('a line is longer than any record');
  }
  if (size > 0) not('its last line is cut');
}

function text(parts: readonly Buffer[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts));
  } catch {
    return not('it is not UTF-8');
  }
}
