import { encodeKey, shardOf } from './names.js';

/** A key and where its files lie, worked out once a call: both take a hash, or a walk over the key's bytes. */
export interface KeyPlace {
  readonly bucket: string;
  readonly key: string;
  readonly enc: string;
  readonly shard: string;
}

export function placeOf(bucket: string, key: string): KeyPlace {
  return { bucket, key, enc: encodeKey(key), shard: shardOf(key) };
}

/** The key in words for a person: escaped, as it was given. */
export function named(bucket: string, key: string): string {
  return `${bucket}/${JSON.stringify(key)}`;
}
