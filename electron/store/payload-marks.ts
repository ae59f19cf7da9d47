import { join } from 'node:path';
import { attempt, errorCode } from './faults.js';
import { checkBucket } from './input.js';
import { parseName, SHARDS } from './names.js';
import { readRecord } from './read-record.js';
import { listShard } from './shard-listing.js';
import { slices } from './slices.js';
import { filesOf, type Slot } from './slots.js';
import { COMPLETE, RECORDS, type Volume } from './volume.js';

export interface Marks {
  /** Of the names that were asked for: those that a key's newest revision names. */
  named: Set<string>;
  /** Why nobody can say that a name is missing, or null: then nothing may go. */
  doubt: string | null;
}

const TRIES = 8;

/**
 * Looks through the newest revision of every key for payloads. Reads headers only, from the files and not from the
 * index; a record whose header does not list them is read whole, and whatever looks like a name counts. One record is
 * held at a time. A record that cannot be trusted may name anything, so it ends the search in doubt (I5). Null when it
 * was told to stop.
 */
export async function markNamed(
  volume: Volume,
  asked: ReadonlySet<string>,
  goOn: () => Promise<boolean>,
): Promise<Marks | null> {
  const named = new Set<string>();
  const doubt = (why: string): Marks => ({ named, doubt: why });
  const slice = slices();
  for (const bucket of namesIn(volume, join(volume.root, RECORDS))) {
    if (attempt(() => checkBucket(bucket)) !== null) {
      if (parseName(bucket) !== null) return doubt(`${RECORDS}/${bucket} is no part of the store`);
      continue;
    }
    const shards = namesIn(volume, join(volume.root, RECORDS, bucket));
    // A shard that was made and is gone is an error, and not empty: then nobody can say.
    for (const shard of shards.includes(COMPLETE) ? SHARDS : shards) {
      if (shard === COMPLETE) continue;
      if (!SHARDS.includes(shard)) {
        if (parseName(shard) !== null) return doubt(`${RECORDS}/${bucket}/${shard} is no part of the store`);
        continue;
      }
      const names = listShard(volume, bucket, shard);
      for (const enc of encodedIn(names)) {
        const why = enc === null ? 'a file is no record' : markKey(volume, { bucket, shard, enc }, names, asked, named);
        if (why !== null) return doubt(`${RECORDS}/${bucket}/${shard}: ${why}`);
        await slice.pass();
      }
      if (!(await goOn())) return null;
    }
  }
  return { named, doubt: null };
}

/** Each encoded key once; null for a name that belongs to no record. */
function encodedIn(names: readonly string[]): Set<string | null> {
  const found = new Set<string | null>();
  for (const name of names) {
    const parsed = parseName(name);
    if (parsed !== null) found.add('revision' in parsed ? parsed.enc : null);
  }
  return found;
}

/** Adds what the newest revision of a key names; says why it cannot be told, or null. */
function markKey(
  volume: Volume,
  place: { bucket: string; shard: string; enc: string },
  listed: readonly string[],
  asked: ReadonlySet<string>,
  named: Set<string>,
): string | null {
  for (let tries = 0; tries < TRIES; tries += 1) {
    // What went since the listing was thinned, so newer ones are there.
    const files = filesOf(tries === 0 ? listed : listShard(volume, place.bucket, place.shard), place.enc);
    const newest: Slot | undefined = files?.revisions.at(-1);
    if (files == null || newest === undefined) return null;
    if (files.forked !== null) return files.forked;
    const reading = readRecord(volume, { ...place, ...newest }, 'header');
    if (reading.kind === 'gone') continue;
    if (reading.kind === 'bad') return reading.reason;
    if (reading.header.op === 'del') return null;
    const { pays } = reading.header;
    if (pays !== undefined) {
      for (const sha256 of pays) if (asked.has(sha256)) named.add(sha256);
      return null;
    }
    const whole = reading.body === null ? readRecord(volume, { ...place, ...newest }, 'all') : reading;
    if (whole.kind === 'gone') continue;
    if (whole.kind === 'bad') return whole.reason;
    for (const sha256 of namesLike(whole.body ?? new Uint8Array())) if (asked.has(sha256)) named.add(sha256);
    return null;
  }
  return 'a key changes faster than it can be read';
}

/** Every 64 hex digits in a row, wherever they begin. */
function* namesLike(bytes: Uint8Array): Generator<string> {
  for (const [run] of Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/[0-9a-f]{64,}/g))
    for (let at = 0; at + 64 <= run.length; at += 1) yield run.slice(at, at + 64);
}

function namesIn(volume: Volume, folder: string): string[] {
  try {
    return volume.disk.readdir(folder).sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}
