import type { Clock } from '../ports.js';
import { CasConflict, type Head, type KvStore } from '../store/contract.js';
import { isExpired } from './expiry.js';
import { suspensionsOf } from './intake.js';
import { NEIGHBOURS, parseRun, type RunKey } from './keys.js';
import { besideSince, readBesideMeta } from './neighbours.js';

/**
 * Removes the records beside a run that has no checkpoint: none ever came, or the last of them was removed before these
 * came. By their age since the last one, over the revision that was read. Null when removed, `missing` when they are not
 * old or not alone, otherwise why they stay: a claim that has started speaks of calls that may have run (I9).
 */
export async function reapBeside(
  store: KvStore,
  clock: Clock,
  head: Head,
  { ttl, dryRun }: { ttl: bigint | null; dryRun: boolean },
): Promise<string | null> {
  const run = parseRun(head.key);
  const since = besideSince(head.meta);
  if (run === null || since === null || ttl === null || !isExpired(since, clock.now(), ttl)) return 'missing';
  if (await hasCheckpoint(store, run)) return 'missing';
  if (readBesideMeta(head.meta) === 'started') return 'a claim without its checkpoint says that calls may have run';
  if (dryRun) return null;
  try {
    const entry = await store.get(NEIGHBOURS, head.key);
    if (entry === null) return 'missing';
    await store.delete(NEIGHBOURS, head.key, head.revision);
    if (!(await hasCheckpoint(store, run))) return null;
    // Its checkpoint came at this very moment: what belongs beside it goes back, unless something came there since.
    await store.cas(NEIGHBOURS, head.key, entry.value, null, { meta: entry.meta });
    return 'its checkpoint came while it was swept';
  } catch (error) {
    if (error instanceof CasConflict) return 'changed while it was swept';
    throw error;
  }
}

async function hasCheckpoint(store: KvStore, run: RunKey): Promise<boolean> {
  return (await suspensionsOf(store, run)).some(({ deleted }) => !deleted);
}
