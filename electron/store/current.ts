import { join } from 'node:path';
import { StoreCorrupt, StoreFault } from './contract.js';
import { errorCode, readFault } from './faults.js';
import type { Header } from './header.js';
import { encodeKey, type Form, shardOf } from './names.js';
import { type Place, placeName, type Reading, readRecord } from './read-record.js';
import { filesOf, type KeyFiles } from './slots.js';
import { bucketFolder, COMPLETE, exists, STORE_FILE, shardFolder, type Volume } from './volume.js';

/** The newest revision of a key, read whole and checked. */
export interface Current {
  header: Header;
  /** The header as it stands in the file. */
  line: string;
  body: Uint8Array;
  revision: number;
  deleted: boolean;
}

/** The key in words for a person: escaped, as it was given. */
export function named(bucket: string, key: string): string {
  return `${bucket}/${JSON.stringify(key)}`;
}

/**
 * The names in a shard; none when the bucket was never written. A shard that is missing from a bucket that had it, or
 * a store that is gone, is an error: "absent" must never be what a vanished folder looks like.
 */
export function listShard(volume: Volume, bucket: string, shard: string): string[] {
  const folder = shardFolder(volume, bucket, shard);
  try {
    return volume.disk.readdir(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw readFault(error, 'list', folder);
    const why = whyMissing(volume, bucket, folder);
    if (why !== null) throw new StoreCorrupt(`${bucket} cannot be read: ${why}.`);
    return [];
  }
}

/**
 * Why a missing shard cannot mean that its bucket was never written, or null when it does. Throws StoreCorrupt when the
 * whole store is gone.
 */
export function whyMissing(volume: Volume, bucket: string, folder: string): string | null {
  const { disk, root } = volume;
  if (!volume.unmarked && !exists(disk, join(root, STORE_FILE))) {
    throw new StoreCorrupt(`The store's folder ${root} has vanished.`);
  }
  return exists(disk, join(bucketFolder(volume, bucket), COMPLETE)) ? `the folder ${folder} has vanished` : null;
}

/** Everything that the shard's listing says about a key. Throws StoreCorrupt when the names alone contradict. */
export function keyFiles(volume: Volume, bucket: string, key: string): KeyFiles | null {
  const files = filesOf(listShard(volume, bucket, shardOf(key)), encodeKey(key));
  if (files?.forked != null) throw new StoreCorrupt(`${named(bucket, key)} cannot be trusted: ${files.forked}.`);
  return files;
}

/**
 * The newest revision of a key from the files, never from the index; null when it was never written. Throws
 * StoreCorrupt when the newest revision cannot be trusted: an older one is no answer (I5).
 */
export function currentOf(volume: Volume, bucket: string, key: string): Current | null {
  for (let tries = 0; tries < 8; tries += 1) {
    const head = keyFiles(volume, bucket, key)?.revisions.at(-1);
    if (head === undefined) return null;
    const current = readCurrent(volume, bucket, key, head);
    // Gone means that it was thinned since the listing, so newer ones are there.
    if (current !== 'gone') return current;
  }
  throw new StoreFault(`${named(bucket, key)} changes faster than it can be read.`);
}

/** Reads and checks one known slot of a key. */
export function readCurrent(
  volume: Volume,
  bucket: string,
  key: string,
  slot: { revision: number; form: Form },
): Current | 'gone' {
  const place: Place = { bucket, shard: shardOf(key), enc: encodeKey(key), ...slot };
  const reading = readRecord(volume, place, 'all');
  if (reading.kind === 'gone') return 'gone';
  if (reading.kind === 'bad') throw corrupt(bucket, key, place, reading);
  const { header, line } = reading;
  return {
    header,
    line,
    body: reading.body ?? new Uint8Array(),
    revision: slot.revision,
    deleted: header.op === 'del',
  };
}

function corrupt(bucket: string, key: string, place: Place, bad: Extract<Reading, { kind: 'bad' }>): StoreCorrupt {
  return new StoreCorrupt(`${named(bucket, key)} cannot be read: ${placeName(place)}: ${bad.reason}.`);
}
