import type { Settings } from '../../shared/settings.js';

const NS_PER_HOUR = 3_600_000_000_000n;
/** Beyond this the ttl is taken as a slip, and nothing expires (K20, I9): 1000 years. */
const LONGEST_TTL_HOURS = 24 * 365 * 1000;

/** The ttl in nanoseconds; null when it is absurd or the GC is off: then nothing is ever old. */
export function ttlNs(settings: Settings): bigint | null {
  const hours = settings.gc.ttlHours;
  if (!settings.gc.enabled || !Number.isFinite(hours) || hours <= 0 || hours > LONGEST_TTL_HOURS) return null;
  return BigInt(Math.round(hours * 3600)) * (NS_PER_HOUR / 3600n);
}

/** When age starts: the later of the record's own time and the moment it was taken in (H6 K17). */
export function ageFrom(createdAtNs: string | null, takenInAtNs: string): bigint {
  const taken = BigInt(takenInAtNs);
  const created = createdAtNs === null ? taken : BigInt(createdAtNs);
  return created > taken ? created : taken;
}

/**
 * The one function that says "too old", for list, card, claim and sweep alike (C69): inclusive, in nanoseconds
 * (K17, I9). A null ttl never expires anything.
 */
export function isExpired(from: bigint, now: bigint, ttl: bigint | null): boolean {
  return ttl !== null && from <= now - ttl;
}
