import { join, resolve } from 'node:path';
import { type Disk, nodeDisk } from './disk.js';
import { attempt, errorCode } from './faults.js';
import { type Header, hashOf } from './header.js';
import { type HostIdentity, thisHost } from './host.js';
import { decodeKey, parseName, SHARDS } from './names.js';
import { parsePayloadName } from './payload-names.js';
import { type Place, placeName, readRecord } from './read-record.js';
import { filesOf, type KeyFiles, type Slot } from './slots.js';
import { readStoreFile, type StoreFile } from './store-file.js';
import { COMPLETE, PAYLOADS, RECORDS, type Volume } from './volume.js';
import { homesOf } from './write-right.js';

/** Other processes write meanwhile; nobody thins one key this often within a listing. */
const TRIES = 8;

/** A store's files as they lie there, for whoever checks or copies them: nothing is made, mended, cached or trusted. */
export interface Audited {
  volume: Volume;
  /** STORE.json, or null when there is none. */
  file: StoreFile | null;
}

/** One revision as its file tells it. Without a header it cannot be trusted, and `reason` says why. */
export interface AuditedRevision extends Slot {
  /** Path below the store's folder. */
  file: string;
  size: number;
  /** When the file was written, in milliseconds; 0 when it cannot be read. */
  mtimeMs: number;
  header: Header | null;
  /** The header as it stands in the file, and what the next revision should name; '' when it cannot be read. */
  line: string;
  hash: string;
  reason: string;
}

/** Everything that one shard holds of one key. */
export interface AuditedKey {
  bucket: string;
  shard: string;
  enc: string;
  /** The key; null when neither its names nor its headers tell it. */
  key: string | null;
  /** Ascending. */
  revisions: AuditedRevision[];
  /** Why its names contradict each other, or null. */
  forked: string | null;
  /** Paths of files that speak of it and are none of its records. */
  strays: string[];
}

/** Looks at a store's folder without opening it for use. Throws StoreTooNew or StoreCorrupt for a STORE.json that says so. */
export function lookAt(root: string, options: { disk?: Disk; host?: HostIdentity } = {}): Audited {
  const disk = options.disk ?? nodeDisk;
  const file = readStoreFile(disk, resolve(root));
  const volume: Volume = {
    root: resolve(root),
    disk,
    host: options.host ?? thisHost(disk),
    platform: process.platform,
    now: Date.now,
    publish: file?.publish ?? 'link',
    folderSync: false,
    fineTimes: false,
    unmarked: file === null,
    homes: file === null ? null : homesOf(file),
  };
  return { volume, file };
}

/** Every key of a bucket, shard by shard; each record is read whole, one at a time. */
export function* keysIn(audited: Audited, bucket: string): Generator<AuditedKey> {
  for (const shard of shardsIn(audited.volume, join(audited.volume.root, RECORDS, bucket)))
    yield* keysInShard(audited, bucket, shard);
}

/** The same for one shard: in memory are its names and one record. */
export function* keysInShard({ volume }: Audited, bucket: string, shard: string): Generator<AuditedKey> {
  for (const [enc, names] of byEnc(volume, bucket, shard)) {
    const key = read(volume, bucket, shard, enc, names);
    if (key !== null) yield key;
  }
}

/** Every key that the names of a bucket tell of, read nothing: its shard, its encoded name, and the key where that tells it. */
export function* namedIn(
  { volume }: Audited,
  bucket: string,
): Generator<{ shard: string; enc: string; key: string | null }> {
  for (const shard of SHARDS)
    for (const enc of byEnc(volume, bucket, shard).keys()) yield { shard, enc, key: decodeKey(enc) };
}

/** Shards of a bucket that were there and are not: whatever they held is gone, and no name says what. */
export function vanishedIn({ volume }: Audited, bucket: string): string[] {
  const names = namesIn(volume, join(volume.root, RECORDS, bucket));
  return names.includes(COMPLETE) ? SHARDS.filter((shard) => !names.includes(shard)) : [];
}

/** One key; null when it is not there. */
export function keyIn(
  { volume }: Audited,
  bucket: string,
  { shard, enc }: { shard: string; enc: string },
): AuditedKey | null {
  return read(volume, bucket, shard, enc, namesIn(volume, join(volume.root, RECORDS, bucket, shard)));
}

/** The names of a shard by the key that they speak of, in order. */
function byEnc(volume: Volume, bucket: string, shard: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const name of namesIn(volume, join(volume.root, RECORDS, bucket, shard))) {
    const enc = parseName(name)?.enc;
    if (enc == null) continue;
    const names = found.get(enc);
    if (names === undefined) found.set(enc, [name]);
    else names.push(name);
  }
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

function read(volume: Volume, bucket: string, shard: string, enc: string, names: readonly string[]): AuditedKey | null {
  let files = filesOf(names, enc);
  let revisions = revisionsOf(volume, bucket, shard, files);
  // What went since the listing was thinned: then it is listed again, so that no gap is seen where none is.
  for (let tries = 0; revisions === 'changed' && tries < TRIES; tries++) {
    files = filesOf(namesIn(volume, join(volume.root, RECORDS, bucket, shard)), enc);
    revisions = revisionsOf(volume, bucket, shard, files);
  }
  if (files === null || revisions === 'changed') return null;
  const key = decodeKey(enc) ?? revisions.find(({ header }) => header !== null)?.header?.key ?? null;
  const strays = files.strays.map((name) => `${RECORDS}/${bucket}/${shard}/${name}`);
  return { bucket, shard, enc, key, revisions, forked: files.forked, strays };
}

/** The bytes of one record after its header, checked; null when they cannot be read. */
export function bodyOf({ volume }: Audited, key: AuditedKey, revision: AuditedRevision): Uint8Array | null {
  const { form, revision: number } = revision;
  const reading = readRecord(
    volume,
    { bucket: key.bucket, shard: key.shard, enc: key.enc, form, revision: number },
    'all',
  );
  return reading.kind === 'record' ? reading.body : null;
}

/** The buckets that are there, in order. */
export function bucketsIn({ volume }: Audited): string[] {
  return namesIn(volume, join(volume.root, RECORDS)).filter((name) => /^[a-z][a-z0-9-]{0,31}$/.test(name));
}

/** Files below the records' folder that belong to no key at all, as paths below the store's folder. */
export function foreignIn({ volume }: Audited): string[] {
  const found: string[] = [];
  for (const bucket of namesIn(volume, join(volume.root, RECORDS))) {
    if (parseName(bucket) === null) continue;
    if (!/^[a-z][a-z0-9-]{0,31}$/.test(bucket)) {
      found.push(`${RECORDS}/${bucket}`);
      continue;
    }
    for (const shard of namesIn(volume, join(volume.root, RECORDS, bucket))) {
      if (shard === COMPLETE || parseName(shard) === null) continue;
      if (!SHARDS.includes(shard)) found.push(`${RECORDS}/${bucket}/${shard}`);
      else
        for (const name of namesIn(volume, join(volume.root, RECORDS, bucket, shard))) {
          const parsed = parseName(name);
          if (parsed !== null && parsed.enc === null) found.push(`${RECORDS}/${bucket}/${shard}/${name}`);
        }
    }
  }
  return found;
}

/** The names of all payloads, each once: those that a sweep holds under a leaving name are still there. */
export function* payloadsIn({ volume }: Audited): Generator<string> {
  const folder = join(volume.root, PAYLOADS);
  for (const shard of shardsIn(volume, folder))
    yield* new Set(namesIn(volume, join(folder, shard)).flatMap((name) => parsePayloadName(name)?.sha256 ?? []));
}

function revisionsOf(
  volume: Volume,
  bucket: string,
  shard: string,
  files: KeyFiles | null,
): AuditedRevision[] | 'changed' {
  const revisions: AuditedRevision[] = [];
  for (const slot of files?.revisions ?? []) {
    const place: Place = { bucket, shard, enc: files?.enc ?? '', ...slot };
    const reading = readRecord(volume, place, 'all');
    if (reading.kind === 'gone') return 'changed';
    const base = { ...slot, file: placeName(place), size: reading.size };
    revisions.push(
      reading.kind === 'bad'
        ? { ...base, mtimeMs: 0, header: null, line: '', hash: '', reason: reading.reason }
        : {
            ...base,
            mtimeMs: Number(reading.mtimeNs / 1_000_000n),
            header: reading.header,
            line: reading.line,
            hash: hashOf(reading.line),
            reason: '',
          },
    );
  }
  return revisions;
}

function shardsIn(volume: Volume, folder: string): string[] {
  return namesIn(volume, folder).filter((name) => SHARDS.includes(name));
}

function namesIn(volume: Volume, folder: string): string[] {
  let names: string[] = [];
  const error = attempt(() => {
    names = volume.disk.readdir(folder).sort();
  });
  if (error !== null && !['ENOENT', 'ENOTDIR'].includes(errorCode(error))) throw error;
  return names;
}
