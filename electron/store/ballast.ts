import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { attempt } from './faults.js';
import { writeDurable } from './stage.js';
import { BALLAST, exists, type Volume } from './volume.js';

export const BALLAST_BYTES = 1024 * 1024;

/**
 * Keeps space back for what must still be written on a full disk: tombstones, and the outcome of what was claimed.
 * The bytes are random, so that no file system folds them away. Best effort: a full disk has none to keep.
 */
export function fillBallast(volume: Volume, bytes: number): void {
  const path = join(volume.root, BALLAST);
  attempt(() => {
    if (bytes > 0 && !exists(volume.disk, path)) writeDurable(volume, path, randomBytes(bytes));
  });
}

/** Gives the space up, once; false when there is none (any more). It comes back when a store is opened with space. */
export function releaseBallast(volume: Volume): boolean {
  return attempt(() => volume.disk.unlink(join(volume.root, BALLAST))) === null;
}
