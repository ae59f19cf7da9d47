import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { ttlNs } from '../checkpoints/expiry.js';
import { type SweepResult, sweep } from '../checkpoints/gc.js';
import { Sealer } from '../checkpoints/seals.js';
import type { Identity } from '../identity.js';
import type { Clock } from '../ports.js';
import type { ReadSettings } from '../settings-file.js';
import type { KvStore, Tidied } from '../store/contract.js';

export interface GcOptions {
  /** Hours; without it, that of the settings. */
  ttlHours?: number | undefined;
  /** Names what would go, and changes nothing. */
  dryRun?: boolean | undefined;
}

export interface GcResult extends SweepResult {
  /** Old revisions, payloads and leftovers that went as well, or would. */
  tidied: Tidied;
  ttlHours: number;
  dryRun: boolean;
}

/**
 * One sweep because somebody asked for it. Refused without a usable ttl: when the GC is switched off, when the settings cannot
 * be read (a longer ttl may stand in them), and when the number is absurd (K20, I9). The clock is the caller's to trust.
 */
export async function collectGarbage(
  store: KvStore,
  { clock, me }: { clock: Clock; me: Identity },
  { settings, warning }: ReadSettings,
  options: GcOptions,
): Promise<Outcome<GcResult>> {
  const { ttlHours = settings.gc.ttlHours, dryRun = false } = options;
  if (options.ttlHours === undefined && warning !== null)
    return refused('not_allowed', `No ttl is known, so nothing is removed: ${warning} Name one with --ttl.`);
  if (options.ttlHours === undefined && !settings.gc.enabled)
    return refused('not_allowed', 'The GC is switched off in the settings. Name a ttl to sweep once all the same.');
  const ttl = ttlNs({ ...settings, gc: { ...settings.gc, enabled: true, ttlHours } });
  if (ttl === null)
    return refused('bad_request', `No time can be made of a ttl of ${ttlHours} hours; nothing was removed.`);
  const result = await sweep(store, clock, { ttl: () => ttl, dryRun });
  const tidied = await store.tidy({ dryRun });
  if (!dryRun) await new Sealer(store, { clock, process: me }).seal();
  return accepted({ ...result, tidied, ttlHours, dryRun });
}
