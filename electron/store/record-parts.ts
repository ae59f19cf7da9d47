import { sha256Hex } from './header.js';

/**
 * Records of several keys that were written at once: one file, linked under the name of each key's revision. A line that
 * says how many; a directory of fixed-width rows (the key, offset, bytes); then the records, each as it would stand in a
 * file of its own. An older Holdpoint takes the first line for a newer format, and leaves it alone.
 */
export interface Part {
  bucket: string;
  enc: string;
  /** A record: header line, line feed, bytes. */
  bytes: Uint8Array;
}

/** So that a copy that knows no links takes up little more than the records alone; and volumes bound the links of a file. */
export const MOST_PARTS = 64;

const MARK = '{"hp":2,"parts":';
const START = /^\{"hp":2,"parts":(\d{1,4}),"sum":"([0-9a-f]{16})"\}\n/;
const TAG = 16;
const DIGITS = 10;
const ROW = TAG + 1 + DIGITS + 1 + DIGITS + 1;

const tagOf = (bucket: string, enc: string): string => sha256Hex(`${bucket}/${enc}`).slice(0, TAG);
const sumOf = (rows: string): string => sha256Hex(rows).slice(0, TAG);
const digits = (value: number): string => String(value).padStart(DIGITS, '0');

export function joinParts(parts: readonly Part[]): Buffer {
  const first = `${MARK}${parts.length},"sum":"${'0'.repeat(TAG)}"}\n`;
  let offset = first.length + parts.length * ROW;
  const rows = parts.map(({ bucket, enc, bytes }) => {
    const row = `${tagOf(bucket, enc)} ${digits(offset)} ${digits(bytes.byteLength)}\n`;
    offset += bytes.byteLength;
    return row;
  });
  const directory = rows.join('');
  const start = `${MARK}${parts.length},"sum":"${sumOf(directory)}"}\n`;
  return Buffer.concat([Buffer.from(start + directory, 'latin1'), ...parts.map(({ bytes }) => bytes)]);
}

/** True when a file that begins so holds the records of several keys. */
export function isJoined(start: Uint8Array): boolean {
  return (
    Buffer.from(start.buffer, start.byteOffset, Math.min(start.byteLength, MARK.length)).toString('latin1') === MARK
  );
}

/** Where a key's record lies in such a file, given its beginning and its size; null when the file tells of none, or is not whole. */
export function findPart(
  start: Uint8Array,
  size: number,
  { bucket, enc }: { bucket: string; enc: string },
): { offset: number; length: number } | null {
  const text = Buffer.from(start.buffer, start.byteOffset, start.byteLength).toString('latin1');
  const [first = '', count = '', sum = ''] = START.exec(text) ?? [];
  const directory = text.slice(first.length, first.length + Number(count) * ROW);
  if (first === '' || sumOf(directory) !== sum) return null;
  const tag = tagOf(bucket, enc);
  for (let at = 0; at < directory.length; at += ROW) {
    if (directory.slice(at, at + TAG) !== tag) continue;
    const offset = Number(directory.slice(at + TAG + 1, at + TAG + 1 + DIGITS));
    const length = Number(directory.slice(at + TAG + 2 + DIGITS, at + ROW - 1));
    return offset + length <= size ? { offset, length } : null;
  }
  return null;
}
