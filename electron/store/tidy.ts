import type { BucketIndex } from './bucket-index.js';
import type { Tidied, TidyOptions } from './contract.js';
import { parseName, SHARDS } from './names.js';
import { sweepPayloads } from './payload-sweep.js';
import { listShard } from './shard-listing.js';
import { slices } from './slices.js';
import { filesOf, type KeyFiles } from './slots.js';
import { sweepTemps } from './temps.js';
import { type Retention, thin } from './thin.js';
import type { Volume } from './volume.js';

/**
 * One pass over everything that retention lets go of, in small steps that give way to other work: leftovers of dead
 * writers, old revisions of the given buckets, payloads that nothing names. Any number of processes may do this at
 * once; what one has done, the other does not find. Beside the index it holds one shard's names, or one record.
 */
export async function tidy(
  volume: Volume,
  buckets: readonly { bucket: string; index: BucketIndex }[],
  retention: Retention,
  { dryRun = false, payloads = true, goOn = async () => true }: TidyOptions,
): Promise<Tidied> {
  const tidied: Tidied = { temps: sweepTemps(volume, dryRun), revisions: 0, leaving: 0, payloads: 0, doubt: null };
  const slice = slices();
  for (const { bucket, index } of buckets) {
    await index.refresh();
    for (const shard of SHARDS) {
      if (index.shards.get(shard)?.keys.size) {
        for (const files of crowdedIn(listShard(volume, bucket, shard))) {
          tidied.revisions += thinKey(volume, { bucket, shard, index }, files, retention, dryRun);
          await slice.pass();
        }
      }
      if (!(await goOn())) return tidied;
    }
  }
  if (!payloads) return tidied;
  const { leaving, gone, doubt } = await sweepPayloads(volume, { dryRun, graceMs: retention.ageMs, goOn });
  return { ...tidied, leaving, payloads: gone, doubt };
}

/** The keys of a shard that have more than one revision. */
function crowdedIn(names: readonly string[]): KeyFiles[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const parsed = parseName(name);
    if (parsed !== null && 'revision' in parsed) counts.set(parsed.enc, (counts.get(parsed.enc) ?? 0) + 1);
  }
  return [...counts].flatMap(([enc, count]) => (count > 1 ? (filesOf(names, enc) ?? []) : []));
}

/** Of a key that was removed nothing but the tombstone stays, which goes on counting. */
const REMOVED = { keep: 1, distance: 1 };

function thinKey(
  volume: Volume,
  { bucket, shard, index }: { bucket: string; shard: string; index: BucketIndex },
  { enc, revisions, forked }: KeyFiles,
  retention: Retention,
  dryRun: boolean,
): number {
  const state = index.shards.get(shard)?.keys.get(enc);
  // Of what cannot be trusted nothing goes (I5): an older revision may be all that can still be read.
  if (state === undefined || forked !== null || state.head !== revisions.at(-1)?.revision) return 0;
  const info = index.infoOf(state);
  if (info?.kind !== 'record' || index.isDoubtful(state)) return 0;
  const rule = info.deleted ? { ...retention, ...REMOVED } : retention;
  return index.changing(shard, () => thin(volume, { bucket, enc, shard }, revisions, rule, { dryRun })).gone;
}
