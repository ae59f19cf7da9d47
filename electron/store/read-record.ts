import { dirname, join } from 'node:path';
import type { Disk, FileIdentity } from './disk.js';
import { closeQuietly, errorCode, isOutOfHandles, readFault, whyUnreadable } from './faults.js';
import { type Header, readHeader, sha256Hex } from './header.js';
import { encodeKey, type RecordName, shardOf } from './names.js';
import { readFully } from './read-whole.js';
import { findPart, isJoined } from './record-parts.js';
import { slotFile } from './slots.js';
import { shardFolder, type Volume } from './volume.js';

/** Where a record lies: its slot, and the shard that it was found in. */
export interface Place extends RecordName {
  bucket: string;
  shard: string;
  /** The key, where it is known: then its name and shard are those of the place. */
  key?: string;
}

export type Reading =
  /** `line` is the header as it stands in the file. `body` is null when only that was read; `whole`: its sha256 was checked. */
  | ({ kind: 'record'; header: Header; line: string; body: Uint8Array | null; whole: boolean } & FileIdentity)
  | { kind: 'bad'; reason: string; size: number; key: string | null }
  /** The file went away after it was listed. */
  | { kind: 'gone' };

/** The index reads this much of a record, which nearly always holds the header; a long meta may need more. */
const FIRST_READ = 8192;
const HEADER_LIMIT = 65_536;
/** Headers are read one at a time, without giving way. */
const scratch = Buffer.alloc(FIRST_READ);
const LF = 0x0a;

/** A header that was checked, and the line that it was read from. */
export type KnownLine = Pick<Extract<Reading, { kind: 'record' }>, 'header' | 'line'>;

/**
 * Reads a record and checks everything that it says about itself (I5). Never throws for a bad record, only when the
 * process is out of file handles, which says nothing about the file. A line that is the `known` one says what that said.
 */
export function readRecord(
  volume: Volume,
  place: Place,
  want: 'header' | 'all',
  known: KnownLine | null = null,
): Reading {
  const { disk } = volume;
  const path = slotFile(shardFolder(volume, place.bucket, place.shard), place);
  let fd: number;
  try {
    fd = disk.openRead(path);
  } catch (error) {
    return unopened(disk, path, place, error);
  }
  try {
    return (want === 'header' ? attemptShort(volume, place, fd) : null) ?? readOpened(volume, place, fd, want, known);
  } catch (error) {
    if (isOutOfHandles(error)) throw readFault(error, 'read', path);
    return { kind: 'bad', reason: whyUnreadable(error), size: 0, key: null };
  } finally {
    closeQuietly(disk, fd);
  }
}

function unopened(disk: Disk, path: string, place: Place, error: unknown): Reading {
  if (isOutOfHandles(error)) throw readFault(error, 'open', path);
  const bad = (reason: string, size = 0): Reading => ({ kind: 'bad', reason, size, key: null });
  const slot = place.form === 'file' ? path : dirname(path);
  try {
    const { size } = disk.lstat(slot);
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') return bad(whyUnreadable(error), size);
    return place.form === 'file' ? { kind: 'gone' } : bad('its folder holds no record', size);
  } catch (again) {
    return errorCode(again) === 'ENOENT' ? { kind: 'gone' } : bad(whyUnreadable(error));
  }
}

function attemptShort(volume: Volume, place: Place, fd: number): Reading | null {
  try {
    return readShort(volume, place, fd);
  } catch {
    return null; // The closer look meets the error again, or finds what it is.
  }
}

/**
 * The header of a record with nothing wrong with it, in one read; null where a closer look is needed. Less than was asked
 * for is the whole file, or a disk that gave less than there is: then it has not the length that the header tells.
 */
function readShort(volume: Volume, place: Place, fd: number): Reading | null {
  const count = volume.disk.read(fd, scratch, 0);
  const end = scratch.indexOf(LF);
  if (end === -1 || end >= count) return null;
  const line = scratch.toString('utf8', 0, end);
  const reading = readHeader(line);
  if (!reading.ok) return null;
  const size = count < FIRST_READ ? count : volume.disk.fstat(fd).size;
  if (end + 1 + reading.header.len !== size || whyMisplaced(volume, reading.header, place) !== null) return null;
  return { kind: 'record', header: reading.header, line, body: null, whole: false, ino: 0n, size, mtimeNs: 0n };
}

function readOpened(
  volume: Volume,
  place: Place,
  fd: number,
  want: 'header' | 'all',
  known: KnownLine | null,
): Reading {
  const { disk } = volume;
  const file = disk.fstat(fd);
  const bad = (reason: string): Reading => ({ kind: 'bad', reason, size: file.size, key: null });
  if (file.kind !== 'file') return bad(file.kind === 'folder' ? 'it is a folder, not a file' : 'it is not a file');
  if (file.size === 0) return bad('it is empty (0 bytes)');
  const start = scratch.subarray(0, file.size);
  const count = readFully(disk, fd, start, 0);
  const read = start.subarray(0, count);
  if (!isJoined(read)) return readSpan(volume, place, { disk, fd, size: file.size, read, known }, file, want);
  const part = findPart(read, file.size, place);
  if (part === null) return bad('the records that were written with it are not whole, or it is not among them');
  const { offset, length: size } = part;
  const within = { read: (one: number, into: Uint8Array, at: number) => disk.read(one, into, offset + at) };
  return readSpan(volume, place, { disk: within, fd, size, read: NONE, known }, file, want);
}

/** Where a record's bytes are read from: a file, or one of several records in a file. */
interface Span {
  disk: Pick<Disk, 'read'>;
  fd: number;
  size: number;
  /** What was read of its beginning. */
  read: Uint8Array;
  known: KnownLine | null;
}

const NONE = new Uint8Array();

function readSpan(
  volume: Volume,
  place: Place,
  { disk, fd, size, read, known }: Span,
  file: FileIdentity,
  want: 'header' | 'all',
): Reading {
  const { ino, mtimeNs } = file;
  const bad = (reason: string, key: string | null = null): Reading => ({ kind: 'bad', reason, size: file.size, key });
  let start = want === 'all' ? new Uint8Array(Math.min(size, HEADER_LIMIT)) : scratch.subarray(0, size);
  start.set(read);
  let count = read.length + readFully(disk, fd, start.subarray(read.length), read.length);
  let end = start.indexOf(LF);
  if (end === -1 && start.length < Math.min(size, HEADER_LIMIT)) {
    start = new Uint8Array(Math.min(size, HEADER_LIMIT));
    count = readFully(disk, fd, start, 0);
    end = start.indexOf(LF);
  }
  if (count < start.length) return bad('it is shorter than the disk says');
  if (end === -1)
    return bad(start.every((byte) => byte === 0) ? 'it is filled with zeros' : 'it ends within its header');

  const line = Buffer.from(start.buffer, 0, end).toString('utf8');
  const reading = known?.line === line ? { ok: true as const, header: known.header } : readHeader(line);
  if (!reading.ok) return bad(reading.reason);
  const { header } = reading;
  const misplaced = whyMisplaced(volume, header, place);
  if (misplaced !== null) return bad(misplaced, header.key);
  if (end + 1 + header.len !== size) {
    return bad(`it has ${size - end - 1} bytes of content where ${header.len} were written`, header.key);
  }
  if (want === 'header') {
    return { kind: 'record', header, line, body: null, whole: false, ino, size: file.size, mtimeNs };
  }
  const inStart = start.length === size;
  const body = inStart ? start.subarray(end + 1) : new Uint8Array(header.len);
  if (!inStart && readFully(disk, fd, body, end + 1) < header.len)
    return bad('it was cut while it was read', header.key);
  if (sha256Hex(body) !== header.sha256) return bad('its content was altered: the sha256 differs', header.key);
  return { kind: 'record', header, line, body, whole: true, ino, size: file.size, mtimeNs };
}

/** A record that was renamed, moved, or written by a machine that this store is not the home of. */
function whyMisplaced(volume: Volume, header: Header, place: Place): string | null {
  if (header.bucket !== place.bucket) return `it belongs to the bucket ${header.bucket}`;
  if (header.key !== place.key) {
    if (encodeKey(header.key) !== place.enc) return 'it is the record of another key';
    if (shardOf(header.key) !== place.shard) return 'it lies in another folder than its key';
  }
  if (header.rev !== place.revision) return `it is revision ${header.rev} under the name of ${place.revision}`;
  if (volume.homes?.has(header.home) === false) return 'it was written on another machine';
  return null;
}

/** The path of a record below the store's folder, with forward slashes. */
export function placeName(place: Place): string {
  return slotFile(join('k', place.bucket, place.shard), place).replaceAll('\\', '/');
}
