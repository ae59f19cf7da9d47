import type { StreamConfig } from '@nats-io/jetstream';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';

/** From here on a compare-and-set holds in a cluster, and a killed server keeps its stream (H21). */
export const OLDEST = '2.10.23';

export interface Seen {
  version: string;
  /** Its server is one of several. */
  clustered: boolean;
  config: StreamConfig;
  /** Every server's monitoring page says that each write is synced; null when nobody could look. */
  synced: boolean | null;
}

/** What may be trusted of an engine that passed. `unverified`: nobody can see that acknowledged claims survive a power cut. */
export type Durability = 'verified' | 'unverified';

/**
 * The gate before an engine is trusted at all (H21): version, and how its bucket is kept. Refused with `facts.reason`, in
 * words for an administrator; nothing about it can be mended from here.
 */
export function fitness(seen: Seen, allowUnverified: boolean): Outcome<Durability> {
  const wrong = bucketFault(seen.config);
  if (wrong !== null)
    return refused('not_allowed', `The bucket is not kept as it must be: ${wrong}.`, { reason: 'bucket_kept_wrong' });
  const old = isOlder(seen.version, OLDEST);
  if (old && (seen.clustered || seen.config.num_replicas > 1))
    return refused(
      'not_allowed',
      `This cluster runs nats-server ${seen.version}, where two can win one claim. ${OLDEST} or newer is needed.`,
      { reason: 'version_too_old', version: seen.version },
    );
  if (seen.synced === false)
    return refused(
      'not_allowed',
      'A server says that it does not sync each write: claims that it acknowledged can be lost. Set sync_interval: always.',
      { reason: 'not_synced' },
    );
  const durability = !old && seen.synced === true ? 'verified' : 'unverified';
  if (old && !allowUnverified)
    return refused(
      'not_allowed',
      `This single server runs nats-server ${seen.version}, older than ${OLDEST}: durability unverified. The settings can accept that.`,
      { reason: 'version_too_old', version: seen.version },
    );
  return accepted(durability);
}

function bucketFault(config: StreamConfig): string | null {
  if (config.storage !== 'file') return 'in memory, not in files';
  if (config.max_age > 0) return 'its values go by age';
  if (config.discard !== 'new') return 'a full bucket would throw out what is old';
  if (config.allow_direct) return 'it lets copies answer reads (allow_direct)';
  if (config.max_msgs > 0) return 'it holds a number of messages only';
  if (config.num_replicas === 2)
    return 'two replicas: one that is away stops it, and it survives no more than one does';
  if (config.sealed || config.mirror !== undefined) return 'it takes no writes';
  return null;
}

/** Compares `major.minor.patch`; what is no such text is older than everything. */
export function isOlder(version: string, than: string): boolean {
  const parts = (text: string): number[] =>
    (/^v?(\d+)\.(\d+)\.(\d+)/.exec(text) ?? ['', '0', '0', '0']).slice(1).map(Number);
  const [have, want] = [parts(version), parts(than)];
  for (let n = 0; n < 3; n++) if (have[n] !== want[n]) return (have[n] ?? 0) < (want[n] ?? 0);
  return false;
}
