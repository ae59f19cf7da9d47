import { CasConflict } from './contract.js';

/** The newest revision of a key, as far as conditions on it are concerned. */
export interface Newest {
  revision: number;
  deleted: boolean;
}

/** The revision a reader would get: none for a tombstone. */
export function actualRevision(newest: Newest | null): number | null {
  return newest === null || newest.deleted ? null : newest.revision;
}

/**
 * The condition of `cas` and of a conditional delete: `expected` is the newest revision (a tombstone's own revision
 * included), or null for a key that is absent or a tombstone. Throws CasConflict.
 */
export function checkExpected(bucket: string, key: string, expected: number | null, newest: Newest | null): void {
  const met = expected === null ? newest === null || newest.deleted : newest?.revision === expected;
  if (!met) throw new CasConflict(bucket, key, expected, actualRevision(newest));
}
