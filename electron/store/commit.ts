import { randomUUID } from 'node:crypto';
import { join, sep } from 'node:path';
import type { BucketIndex } from './bucket-index.js';
import { CasIndeterminate, type WriteOptions } from './contract.js';
import { isUntouched, type Newest, type NewestReader } from './current.js';
import { attempt, errorCode, writing } from './faults.js';
import { type Header, hashOf, headerLine, MOST_PAYS, RECORD_FORMAT, sha256Hex } from './header.js';
import { checkSha256 } from './input.js';
import { type KeyPlace, named } from './key-place.js';
import { type Form, type RecordName, slotName } from './names.js';
import { keepPayload } from './payloads.js';
import { readRecord } from './read-record.js';
import { listShard } from './shard-listing.js';
import { ensureShard } from './shards.js';
import { filesOf, slotFile } from './slots.js';
import { INNER, stage } from './stage.js';
import { bucketFolder, openToSync, shardFolder, type Volume } from './volume.js';

export interface Change {
  op: 'put' | 'del';
  value: Uint8Array;
  meta: string;
  payloads: readonly string[] | undefined;
}

/** The change that `put` and `cas` ask for. Throws StoreBadInput for a payload that has no name of one. */
export function putOf(value: Uint8Array, options: WriteOptions): Change {
  for (const sha256 of options.payloads ?? []) checkSha256(sha256);
  return { op: 'put', value, meta: options.meta ?? '', payloads: options.payloads };
}

/** What was published, for the index. */
export interface Committed {
  kind: 'committed';
  header: Header;
  form: Form;
  size: number;
  /** True when the bucket has come into use so far that all its shards should be made. */
  crowded: boolean;
}

/**
 * Writes the next revision of a key: the file system's exclusive publish is the compare-and-set (I2), and no lock is
 * there to go stale. `decide` sees the newest revision and returns the change, or null for none, or throws.
 * `lost` = another writer took the slot meanwhile. Returns only when the revision is durable (I4): temp file written
 * and synced, published, checked, folder synced. An error before the publish leaves the key as it was; one after it
 * is CasIndeterminate.
 */
export function commit(
  { volume, reader }: { volume: Volume; reader: NewestReader },
  index: BucketIndex,
  place: KeyPlace,
  decide: (newest: Newest | null) => Change | null,
): Committed | { kind: 'lost' } | { kind: 'unchanged'; newest: Newest | null } {
  const { bucket, key, enc, shard } = place;
  const newest = reader.newest(index, place);
  const change = decide(newest);
  if (change === null) return { kind: 'unchanged', newest };

  const { header, line, bytes } = nextRecord(volume, place, newest, change);
  const folder = shardFolder(volume, bucket, shard);
  const form: Form = volume.publish === 'link' ? 'file' : 'folder';
  const slot: RecordName & { shard: string } = { enc, revision: header.rev, form, shard };
  const target = `${folder}${sep}${slotName(slot)}`;

  const made = newest === null && !index.holdsRecords(shard);
  const crowded = made && ensureShard(volume, bucketFolder(volume, bucket), shard);
  const staged = stage(volume, bytes);
  let folderFd: number | null = null;
  try {
    // Opened first: nothing may be published that could then not be synced for want of a handle.
    folderFd = openToSync(volume, folder);
    const synced = folderFd;
    const published = index.changing(shard, () => writing('publish', target, () => staged.publish(target)));
    if (published === 'taken') {
      index.distrust(shard);
      return { kind: 'lost' };
    }
    const stands = inDoubtOnError(bucket, key, target, () => {
      const reused = !standsOn(volume, place, newest) && isReused(volume, header, slot);
      if (reused) revoke(volume, target, form);
      else staged.discard();
      // Only now can a sweep see who names them: one that had none of it may have begun to take them away.
      if (!reused) for (const sha256 of change.payloads ?? []) ensurePayload(volume, sha256);
      if (synced !== null) volume.disk.fsync(synced);
      return !reused;
    });
    if (!stands) {
      index.distrust(shard);
      return { kind: 'lost' };
    }
    reader.wrote(place, { header, line, form }, staged.file);
    return { kind: 'committed', header, form, size: bytes.byteLength, crowded };
  } finally {
    const opened = folderFd;
    if (opened !== null) attempt(() => volume.disk.close(opened));
    staged.discard();
  }
}

export function ensurePayload(volume: Volume, sha256: string): void {
  if (!keepPayload(volume, sha256)) throw new Error(`the payload ${sha256} is gone; it has to be put again`);
}

/** The next revision of a key, as it stands in its file. */
export function nextRecord(
  volume: Volume,
  { bucket, key }: KeyPlace,
  newest: Newest | null,
  change: Change,
): { header: Header; line: string; bytes: Buffer } {
  const header: Header = {
    hp: RECORD_FORMAT,
    bucket,
    key,
    rev: (newest?.revision ?? 0) + 1,
    op: change.op,
    len: change.value.byteLength,
    sha256: sha256Hex(change.value),
    meta: change.meta,
    home: volume.host.id,
    id: randomUUID(),
    prev: newest?.header.id ?? '',
    before: newest === null ? '' : hashOf(newest.line),
    ...(change.payloads === undefined || change.payloads.length > MOST_PAYS ? {} : { pays: [...change.payloads] }),
  };
  const line = headerLine(header);
  return { header, line, bytes: Buffer.concat([Buffer.from(`${line}\n`, 'utf8'), change.value]) };
}

/** After the publish no error means "not written": it may be there after a power cut, or it may not. */
export function inDoubtOnError<T>(bucket: string, key: string, target: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new CasIndeterminate(
      `${named(bucket, key)}: ${target} was published, but the disk cannot say whether it holds (${String(error)}).`,
      { cause: error },
    );
  }
}

/**
 * A slot that thinning has freed can be taken again by a writer that slept since its check, whose revision is then
 * stale. Slots are freed in ascending order: while the revision that ours was built on is there, ours was never freed,
 * so we are the first to have it. One look tells that, however many revisions the key has. Its name alone does not: another
 * such writer may have taken that slot again, for the moment until it takes its own back. A file that is as it was when it was read
 * is the same; of any other, the id in its header tells.
 */
export function standsOn(volume: Volume, { bucket, key, enc, shard }: KeyPlace, built: Newest | null): boolean {
  if (built === null) return false;
  const { revision, form, file } = built;
  try {
    const found = volume.disk.lstat(slotFile(shardFolder(volume, bucket, shard), { enc, revision, form }));
    if (found.kind === 'file' && isUntouched(found, file)) return true;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
  const reading = readRecord(volume, { bucket, shard, enc, key, revision, form }, 'header');
  if (reading.kind === 'bad') throw new Error(`the revision that it was built on cannot be read: ${reading.reason}`);
  return reading.kind === 'record' && reading.header.id === built.header.id;
}

/**
 * Otherwise the folder tells: is anything higher there, and if so, does the next one build on ours? Then we won and
 * others went on. When ours is there and the next is not, ours was freed before we took it.
 */
export function isReused(
  volume: Volume,
  ours: Header,
  slot: RecordName & { shard: string },
  list: () => readonly string[] = () => listShard(volume, ours.bucket, slot.shard),
): boolean {
  for (let tries = 0; tries < 8; tries += 1) {
    const names = tries === 0 ? list() : listShard(volume, ours.bucket, slot.shard);
    const revisions = filesOf(names, slot.enc)?.revisions ?? [];
    if (revisions.at(-1)?.revision === ours.rev) return false;
    if (!revisions.some(({ revision }) => revision === ours.rev)) throw new Error('it was thinned already');
    const next = revisions.find(({ revision }) => revision === ours.rev + 1);
    if (next === undefined) return true;
    const reading = readRecord(volume, { ...slot, ...next, bucket: ours.bucket }, 'header');
    if (reading.kind === 'bad') throw new Error(`the revision after it cannot be read: ${reading.reason}`);
    if (reading.kind === 'record') return reading.header.prev !== ours.id;
  }
  throw new Error('the folder changes faster than it can be read');
}

function revoke(volume: Volume, target: string, form: Form): void {
  if (form === 'folder') volume.disk.unlink(join(target, INNER));
  if (form === 'folder') volume.disk.rmdir(target);
  else volume.disk.unlink(target);
}
