import { join } from 'node:path';
import type { Disk } from './disk.js';
import { errorCode } from './faults.js';
import { type Home, whyNotHome } from './home.js';
import { thisHost } from './host.js';
import type { Moved } from './moved.js';
import { readStoreFileAt } from './store-file.js';
import { STORE_FILE, TEMPS } from './volume.js';

const isSame = (one: Home, other: Home): boolean =>
  one.host === other.host && one.dev === other.dev && one.ino === other.ino && one.born === other.born;

/** Where the STORE.json of a moved store waits to be published: beside its place, so that the rename is one step. */
export const stagedStoreFile = (root: string): string => join(root, TEMPS, STORE_FILE);

/**
 * What became of a move, by the folder that it went to. The new STORE.json lies there under its waiting name until the one rename
 * that publishes it: so on the right disk exactly one of the two is there. With neither, that disk is not connected, or
 * something else lies in its place, and nobody can tell.
 */
export function lookAtTarget(disk: Disk, { to, target }: Moved, storeId: string): 'published' | 'waits' | 'unseen' {
  const root = join(to, 'store');
  const isOurs = (path: string): boolean => {
    try {
      const file = readStoreFileAt(disk, path);
      if (file?.storeId !== storeId) return false;
      // Before the move says where it publishes, only the folder that the new file names as its own is the one it made.
      return target === undefined
        ? whyNotHome(file.home, thisHost(disk), disk.stat(root)) === null
        : isSame(file.home, target);
    } catch (error) {
      if (errorCode(error) === 'ENOTDIR') return false;
      throw error;
    }
  };
  try {
    if (isOurs(join(root, STORE_FILE))) return 'published';
    return isOurs(stagedStoreFile(root)) ? 'waits' : 'unseen';
  } catch {
    return 'unseen'; // What cannot be read tells nothing.
  }
}
