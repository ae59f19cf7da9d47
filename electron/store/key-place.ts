import { checkKey } from './input.js';
import { encodeKey, shardOf } from './names.js';

/** A key and where its files lie, worked out once a call: both take a hash, or a walk over the key's bytes. */
export interface KeyPlace {
  readonly bucket: string;
  readonly key: string;
  readonly enc: string;
  readonly shard: string;
}

/** A key that may be one; throws StoreBadInput. Decision, head and journal share a key and are asked for in turn. */
export function placeOf(bucket: string, key: string): KeyPlace {
  if (last?.key !== key) {
    checkKey(key);
    last = { key, enc: encodeKey(key), shard: shardOf(key) };
  }
  return { bucket, key, enc: last.enc, shard: last.shard };
}

let last: Omit<KeyPlace, 'bucket'> | null = null;

/** The key in words for a person: escaped, as it was given. */
export function named(bucket: string, key: string): string {
  return `${bucket}/${JSON.stringify(key)}`;
}
