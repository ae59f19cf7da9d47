import { hash } from 'node:crypto';
import { fromWtf8, toWtf8 } from './wtf8.js';

/** How keys become file names: injective, and safe on case-insensitive and Windows volumes (I11, H12). */

const LONGEST = 100;
const PLAIN = new RegExp(`^[a-z0-9_-]{0,${LONGEST}}$`);
const PRINTABLE = /^[ -~]*$/;
/** What each byte of a key becomes. */
const ENCODED: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  return /[a-z0-9_-]/.test(char) ? char : `%${byte.toString(16).padStart(2, '0')}`;
});

/** What a slot is: a file, or on volumes without hard links a folder that holds the file. */
export type Form = 'file' | 'folder';

export interface RecordName {
  enc: string;
  revision: number;
  form: Form;
}

/** A name in a shard that is no record's; `enc` is the encoded key it seems to speak of, or null. */
export interface StrayName {
  name: string;
  enc: string | null;
}

export const SHARDS: readonly string[] = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, '0'));

/**
 * `k-` and the key, with everything but a-z 0-9 _ - as %xx of its bytes; keys longer than 100 characters that way
 * become `h-` and their sha256, and are found in the record's header only. The prefix keeps CON and NUL harmless.
 */
export function encodeKey(key: string): string {
  if (PLAIN.test(key)) return `k-${key}`;
  if (PRINTABLE.test(key)) {
    const text = key.replace(/[^a-z0-9_-]/g, (char) => ENCODED[char.charCodeAt(0)] ?? '');
    if (text.length <= LONGEST) return `k-${text}`;
  }
  const bytes = toWtf8(key);
  let text = '';
  for (const byte of bytes) {
    text += ENCODED[byte] ?? '';
    if (text.length > LONGEST) return `h-${hash('sha256', bytes, 'hex')}`;
  }
  return `k-${text}`;
}

/** The key of an encoded name, or null when the name does not tell it (`h-`, or not the name any key gets). */
export function decodeKey(enc: string): string | null {
  if (!enc.startsWith('k-')) return null;
  const plain = decodeAscii(enc);
  if (plain !== null) return plain;
  const hex = enc
    .slice(2)
    .replace(/%([0-9a-f]{2})|[^%]/g, (char, byte: string | undefined) => byte ?? char.charCodeAt(0).toString(16));
  const key = fromWtf8(Buffer.from(hex, 'hex'));
  return encodeKey(key) === enc ? key : null;
}

/** What each escape of an ASCII byte stands for, by its two digits. */
const ESCAPED = new Map(
  ENCODED.slice(0, 128).flatMap((text, byte) => (text[0] === '%' ? [[text.slice(1), String.fromCharCode(byte)]] : [])),
);

/** The key of an ASCII one, as nearly all are; null leaves it to the long way. A hundred thousand names are decoded at a start. */
function decodeAscii(enc: string): string | null {
  if (enc.length > LONGEST + 2) return null;
  const [first = '', ...rest] = enc.split('%');
  let key = first.slice(2);
  if (!PLAIN.test(key)) return null;
  for (const part of rest) {
    const char = ESCAPED.get(part.slice(0, 2));
    const plain = part.slice(2);
    if (char === undefined || !PLAIN.test(plain)) return null;
    key += char + plain;
  }
  return key;
}

/** The folder of a key: the first byte of its sha256, in hex. */
export function shardOf(key: string): string {
  return hash('sha256', toWtf8(key), 'hex').slice(0, 2);
}

export function slotName(slot: RecordName): string {
  const name = `${slot.enc}.${String(slot.revision).padStart(10, '0')}`;
  return slot.form === 'file' ? `${name}.json` : name;
}

/** Characters of `<ten digits>.json`, with which the name of nearly every record ends. */
export const PLAIN_END = 15;
const [ZERO, NINE] = [48, 57];

/** The revision that the rest of a name tells from there on, or 0 when it is not `<ten digits>.json`. */
export function plainRevision(name: string, from: number): number {
  if (from < 0 || name.length !== from + PLAIN_END || !name.endsWith('.json')) return 0;
  let revision = 0;
  for (let at = from; at < from + 10; at += 1) {
    const digit = name.charCodeAt(at);
    if (digit < ZERO || digit > NINE) return 0;
    revision = revision * 10 + digit - ZERO;
  }
  return revision;
}

const RECORD = /^(k-(?:[a-z0-9_-]|%[0-9a-f]{2})*|h-[0-9a-f]{64})\.(\d{10})(\.json)?$/;
const SPEAKS_OF = /^(k-(?:[a-z0-9_-]|%[0-9a-f]{2})*|h-[0-9a-f]{64})(?![a-z0-9_%-])/;
/** What operating systems leave in any folder, and folder-sync programs while they copy; it holds no record and speaks of none. */
const CLUTTER =
  /^(\.DS_Store|Thumbs\.db|desktop\.ini|\.nfs[0-9a-f]+|\.fuse_hidden[0-9a-f]+|[.~]syncthing[.~].*\.tmp|\.~.*\.tmp)$/i;

/**
 * Reads one name of a shard. A copy that a folder-sync program made of a record is stray and speaks of that record's
 * key; so does a name in the wrong case, which a case-insensitive volume would open in its place.
 */
export function parseName(name: string): RecordName | StrayName | null {
  const match = RECORD.exec(name);
  if (match !== null && match[2] !== '0000000000') {
    return { enc: match[1] ?? '', revision: Number(match[2]), form: match[3] === undefined ? 'folder' : 'file' };
  }
  if (CLUTTER.test(name)) return null;
  return { name, enc: SPEAKS_OF.exec(name.toLowerCase())?.[1] ?? null };
}
