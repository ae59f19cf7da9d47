import { StoreBadInput } from './contract.js';
import { hasLoneSurrogate, toWtf8 } from './wtf8.js';

const BUCKET = /^[a-z][a-z0-9-]{0,31}$/;
/** Device names that Windows gives no folder. */
const RESERVED = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;
const KEY_BYTES = 4096;
const META_BYTES = 4096;

/** A bucket is a folder level: a name in the code, never an id from a record. */
export function checkBucket(bucket: string): void {
  if (!BUCKET.test(bucket) || RESERVED.test(bucket)) {
    throw new StoreBadInput(`${JSON.stringify(bucket)} is no bucket's name.`);
  }
}

export function checkKey(key: string): void {
  const bytes = toWtf8(key).length;
  if (bytes > KEY_BYTES) throw new StoreBadInput(`A key has ${bytes} bytes; at most ${KEY_BYTES} are taken.`);
}

export function checkMeta(meta: string): void {
  if (hasLoneSurrogate(meta)) throw new StoreBadInput('A meta text holds a lone surrogate.');
  const bytes = Buffer.byteLength(meta, 'utf8');
  if (bytes > META_BYTES) throw new StoreBadInput(`A meta text has ${bytes} bytes; at most ${META_BYTES} are taken.`);
}

/** The name of a payload comes from records, and becomes a path (I11). */
export function checkSha256(sha256: string): void {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new StoreBadInput(`${JSON.stringify(sha256)} is no sha256.`);
}
