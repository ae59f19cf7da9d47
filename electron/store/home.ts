import { z } from 'zod';
import type { DiskStat } from './disk.js';
import type { HostIdentity } from './host.js';

/** Which machine and which folder a store belongs to, so that a copy is told from the original (H16). */
export const Home = z.strictObject({
  host: z.string(),
  /** Device and inode of the store's folder, and its time of creation in nanoseconds where the system keeps one. */
  dev: z.string(),
  ino: z.string(),
  born: z.string().nullable(),
});
export type Home = z.infer<typeof Home>;

/** Some systems give the time of the last change where they keep none of creation: that tells nothing. */
function bornAt(folder: DiskStat): string | null {
  return folder.birthNs === 0n || folder.birthNs === folder.ctimeNs ? null : String(folder.birthNs);
}

export function homeHere(host: HostIdentity, folder: DiskStat): Home {
  return { host: host.id, dev: String(folder.dev), ino: String(folder.ino), born: bornAt(folder) };
}

/**
 * Why this is not the folder that the store was made in, or null. A device number may change with a reboot, so it only
 * counts where no time of creation is there to compare. A folder that was renamed stays the same folder.
 */
export function whyNotHome(home: Home, host: HostIdentity, folder: DiskStat): string | null {
  const here = homeHere(host, folder);
  if (home.host !== here.host) return 'it belongs to another machine';
  const copied = 'it is a copy of a store, or was restored or moved from another disk';
  if (home.ino !== here.ino) return copied;
  if (home.born !== null && here.born !== null) return home.born === here.born ? null : copied;
  return home.dev === here.dev ? null : copied;
}
