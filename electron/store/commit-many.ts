import { join } from 'node:path';
import type { BucketIndex } from './bucket-index.js';
import {
  type Change,
  type Committed,
  commit,
  ensurePayload,
  inDoubtOnError,
  isReused,
  nextRecord,
  standsOn,
} from './commit.js';
import { type CasConflict, StoreBadInput } from './contract.js';
import type { Newest, NewestReader } from './current.js';
import type { FileIdentity, FileKey } from './disk.js';
import { checkExpected } from './expectation.js';
import { closeQuietly } from './faults.js';
import type { Header } from './header.js';
import { checkMeta } from './input.js';
import type { KeyPlace } from './key-place.js';
import { slotName } from './names.js';
import { joinParts, MOST_PARTS } from './record-parts.js';
import { listShard } from './shard-listing.js';
import { ensureShard } from './shards.js';
import { linkOnce, writeDurable } from './stage.js';
import { removeTemp, tempPath } from './temps.js';
import { bucketFolder, openToSync, shardFolder, type Volume } from './volume.js';

export interface ManyWrite {
  place: KeyPlace;
  decide: (newest: Newest | null) => Change | null;
}

export type ManyResult = ReturnType<typeof commit> | { kind: 'failed'; error: unknown };

interface Planned {
  write: ManyWrite;
  newest: Newest | null;
  header: Header;
  line: string;
  bytes: Buffer;
  payloads: readonly string[];
  target: string;
  crowded: boolean;
  /** The file that its bytes were published with. */
  file: FileIdentity | null;
  result: ManyResult | null;
}

type Parts = { volume: Volume; reader: NewestReader };

/**
 * Writes the next revisions of several keys of one bucket. Each is decided by itself, exactly as `commit` decides it: its
 * name is linked only when nobody has it. But the bytes of up to 64 are written and synced as one file, and each folder
 * is synced once: everything is durable before it returns. The results come in the order of the writes; one that failed
 * changes nothing for the others.
 */
export function commitMany(parts: Parts, index: BucketIndex, writes: readonly ManyWrite[]): ManyResult[] {
  const { volume } = parts;
  const twice = new Set(writes.map(({ place }) => place.key)).size < writes.length;
  if (twice) throw new StoreBadInput('A key is written twice at once.');
  // Where names are not published by links, each record needs a file of its own.
  if (volume.publish !== 'link' || writes.length === 1) return writes.map((write) => alone(parts, index, write));
  return commitJoined(parts, index, writes);
}

function alone(parts: Parts, index: BucketIndex, { place, decide }: ManyWrite): ManyResult {
  try {
    return commit(parts, index, place, decide);
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function commitJoined(parts: Parts, index: BucketIndex, writes: readonly ManyWrite[]): ManyResult[] {
  const { volume, reader } = parts;
  const results = new Map<ManyWrite, ManyResult>();
  const planned: Planned[] = [];
  for (const write of writes) {
    const plan = planOf(parts, index, write);
    if ('kind' in plan) results.set(write, plan);
    else planned.push(plan);
  }
  const folders = new Map<string, number | null>();
  try {
    for (let at = 0; at < planned.length; at += MOST_PARTS)
      publishTogether(volume, index, planned.slice(at, at + MOST_PARTS), folders);
    // Each folder once, however many files its records came in: nothing is acknowledged before.
    inDoubt(planned, () => settleAll(volume, reader, planned, folders));
  } finally {
    for (const fd of folders.values()) if (fd !== null) closeQuietly(volume.disk, fd);
  }
  for (const { write, result } of planned) results.set(write, result ?? { kind: 'lost' });
  for (const { write, result } of planned) if (result?.kind !== 'committed') index.distrust(write.place.shard);
  return writes.map((write) => results.get(write) ?? { kind: 'lost' });
}

/** Writes the bytes of some as one file, and gives it the name of each. What fails before the first name changes nothing. */
function publishTogether(
  volume: Volume,
  index: BucketIndex,
  planned: readonly Planned[],
  folders: Map<string, number | null>,
): void {
  const temp = tempPath(volume);
  let file: FileIdentity & FileKey;
  try {
    const joined = joinParts(planned.map(({ write: { place }, bytes }) => ({ ...place, bytes })));
    file = writeDurable(volume, temp, joined);
    // Opened first: nothing may be published that could then not be synced for want of a handle.
    for (const { write } of planned) {
      const folder = shardFolder(volume, write.place.bucket, write.place.shard);
      if (!folders.has(folder)) folders.set(folder, openToSync(volume, folder));
    }
  } catch (error) {
    for (const plan of planned) plan.result = { kind: 'failed', error };
    removeTemp(volume, temp);
    return;
  }
  inDoubt(planned, () => publishAll(volume, index, planned, temp, file));
  removeTemp(volume, temp);
}

/** What fails once names were given leaves those in doubt that nothing is known of. */
function inDoubt(planned: readonly Planned[], act: () => void): void {
  try {
    act();
  } catch (error) {
    for (const plan of planned)
      plan.result ??= judged(plan, () => {
        throw error;
      });
  }
}

/** What one write would publish, or why it publishes nothing. */
function planOf({ volume, reader }: Parts, index: BucketIndex, write: ManyWrite): Planned | ManyResult {
  const { place } = write;
  try {
    const newest = reader.newest(index, place);
    const change = write.decide(newest);
    if (change === null) return { kind: 'unchanged', newest };
    const record = nextRecord(volume, place, newest, change);
    const name = slotName({ enc: place.enc, revision: record.header.rev, form: 'file' });
    const target = join(shardFolder(volume, place.bucket, place.shard), name);
    const made = newest === null && !index.holdsRecords(place.shard);
    const crowded = made && ensureShard(volume, bucketFolder(volume, place.bucket), place.shard);
    return { write, newest, ...record, payloads: change.payloads ?? [], target, crowded, file: null, result: null };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Gives the file the name of each key's next revision, where nobody has it. */
function publishAll(
  volume: Volume,
  index: BucketIndex,
  planned: readonly Planned[],
  temp: string,
  file: FileIdentity & FileKey,
): void {
  for (const plan of planned) {
    try {
      const won = index.changing(plan.write.place.shard, () => linkOnce(volume.disk, temp, file, plan.target));
      if (won) plan.file = file;
      else plan.result = { kind: 'lost' };
    } catch (error) {
      plan.result = { kind: 'failed', error };
    }
  }
}

/** Checks what was published, takes back what is stale, and makes the names durable. */
function settleAll(
  volume: Volume,
  reader: NewestReader,
  planned: readonly Planned[],
  folders: ReadonlyMap<string, number | null>,
): void {
  const listings = new Map<string, string[]>();
  const { disk } = volume;
  for (const plan of planned) {
    if (plan.result !== null) continue;
    const { bucket, enc, shard } = plan.write.place;
    plan.result = judged(plan, () => {
      const list = () => {
        const names = listings.get(shard) ?? listShard(volume, bucket, shard);
        listings.set(shard, names);
        return names;
      };
      const slot = { enc, revision: plan.header.rev, form: 'file', shard } as const;
      const reused = !standsOn(volume, plan.write.place, plan.newest) && isReused(volume, plan.header, slot, list);
      if (reused) disk.unlink(plan.target);
      if (reused) return { kind: 'lost' };
      for (const sha256 of plan.payloads) ensurePayload(volume, sha256);
      const { header, crowded } = plan;
      return { kind: 'committed', header, form: 'file', size: plan.file?.size ?? 0, crowded } satisfies Committed;
    });
  }
  const unsynced = new Map<string, unknown>();
  for (const [folder, fd] of folders) {
    if (fd === null) continue;
    try {
      disk.fsync(fd);
    } catch (error) {
      unsynced.set(folder, error);
    }
  }
  for (const plan of planned) {
    const { place } = plan.write;
    const folder = shardFolder(volume, place.bucket, place.shard);
    if (plan.result?.kind !== 'committed') continue;
    if (unsynced.has(folder)) {
      plan.result = judged(plan, () => {
        throw unsynced.get(folder);
      });
    } else if (plan.file !== null) {
      reader.wrote(place, { header: plan.header, line: plan.line, form: 'file' }, plan.file);
    }
  }
}

function judged({ write, target }: Planned, act: () => ManyResult): ManyResult {
  try {
    return inDoubtOnError(write.place.bucket, write.place.key, target, act);
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** The condition of `cas` before a change. */
export function expecting(bucket: string, key: string, expected: number | null, change: Change): ManyWrite['decide'] {
  checkMeta(change.meta);
  return (newest) => {
    checkExpected(bucket, key, expected, newest);
    return change;
  };
}

/** A result as `cas` would have answered or thrown it. */
export function outcomeOf(result: ManyResult, conflict: () => CasConflict): number | Error {
  if (result.kind === 'committed') return result.header.rev;
  let error: unknown = result.kind === 'failed' ? result.error : null;
  try {
    error ??= conflict();
  } catch (unreadable) {
    error = unreadable;
  }
  return error instanceof Error ? error : new Error(String(error));
}
