import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CasIndeterminate } from './contract.js';
import { type Current, currentOf, listShard, named } from './current.js';
import { attempt, writing } from './faults.js';
import { type Header, hashOf, headerLine, RECORD_FORMAT, sha256Hex } from './header.js';
import { encodeKey, type Form, type RecordName, shardOf, slotName } from './names.js';
import { readRecord } from './read-record.js';
import { ensureShard } from './shards.js';
import { filesOf, type Slot } from './slots.js';
import { INNER, stage } from './stage.js';
import { bucketFolder, openToSync, shardFolder, type Volume } from './volume.js';

export interface Change {
  op: 'put' | 'del';
  value: Uint8Array;
  meta: string;
}

/** What was published, for the index. `count` is how many revisions the key has on disk. */
export interface Committed {
  kind: 'committed';
  header: Header;
  form: Form;
  size: number;
  revisions: readonly Slot[];
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
  volume: Volume,
  bucket: string,
  key: string,
  decide: (newest: Current | null) => Change | null,
): Committed | { kind: 'lost' } | { kind: 'unchanged'; newest: Current | null } {
  const newest = currentOf(volume, bucket, key);
  const change = decide(newest);
  if (change === null) return { kind: 'unchanged', newest };

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
  };
  const bytes = Buffer.concat([Buffer.from(`${headerLine(header)}\n`, 'utf8'), change.value]);
  const shard = shardOf(key);
  const folder = shardFolder(volume, bucket, shard);
  const form: Form = volume.publish === 'link' ? 'file' : 'folder';
  const slot: RecordName = { enc: encodeKey(key), revision: header.rev, form };
  const target = join(folder, slotName(slot));

  const crowded = newest === null && ensureShard(volume, bucketFolder(volume, bucket), shard);
  const staged = stage(volume, bytes);
  let folderFd: number | null = null;
  try {
    // Opened first: nothing may be published that could then not be synced for want of a handle.
    folderFd = openToSync(volume, folder);
    const synced = folderFd;
    if (writing('publish', target, () => staged.publish(target)) === 'taken') return { kind: 'lost' };
    const revisions = inDoubtOnError(bucket, key, target, () => {
      const standing = standingOf(volume, header, { ...slot, shard });
      if (standing === 'reused') revoke(volume, target, form);
      if (standing !== 'reused') staged.discard();
      if (synced !== null) volume.disk.fsync(synced);
      return standing === 'reused' ? null : standing;
    });
    if (revisions === null) return { kind: 'lost' };
    return { kind: 'committed', header, form, size: bytes.byteLength, revisions, crowded };
  } finally {
    const opened = folderFd;
    if (opened !== null) attempt(() => volume.disk.close(opened));
    staged.discard();
  }
}

/** After the publish no error means "not written": it may be there after a power cut, or it may not. */
function inDoubtOnError<T>(bucket: string, key: string, target: string, act: () => T): T {
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
 * stale. So after the publish: is anything higher there, and if so, does the next one build on ours? Then we won and
 * others went on. Slots are freed in ascending order, so when ours is there and the next is not, ours was freed before
 * we took it. Returns the key's revisions, or `reused`.
 */
function standingOf(volume: Volume, ours: Header, slot: RecordName & { shard: string }): Slot[] | 'reused' {
  for (let tries = 0; tries < 8; tries += 1) {
    const revisions = filesOf(listShard(volume, ours.bucket, slot.shard), slot.enc)?.revisions ?? [];
    if (revisions.at(-1)?.revision === ours.rev) return revisions;
    if (!revisions.some(({ revision }) => revision === ours.rev)) throw new Error('it was thinned already');
    const next = revisions.find(({ revision }) => revision === ours.rev + 1);
    if (next === undefined) return 'reused';
    const reading = readRecord(volume, { ...slot, ...next, bucket: ours.bucket }, 'header');
    if (reading.kind === 'bad') throw new Error(`the revision after it cannot be read: ${reading.reason}`);
    if (reading.kind === 'record') return reading.header.prev === ours.id ? revisions : 'reused';
  }
  throw new Error('the folder changes faster than it can be read');
}

function revoke(volume: Volume, target: string, form: Form): void {
  if (form === 'folder') volume.disk.unlink(join(target, INNER));
  if (form === 'folder') volume.disk.rmdir(target);
  else volume.disk.unlink(target);
}
