import { join } from 'node:path';
import { CasIndeterminate } from './contract.js';
import type { Disk, FileIdentity, FileKey } from './disk.js';
import { attempt, closeQuietly, errorCode, writeFault, writing } from './faults.js';
import { removeStuckTemps, removeTemp, tempPath } from './temps.js';
import { exists, syncFolder, type Volume } from './volume.js';

/** Bytes that are durable under a temporary name and wait to be published. */
export interface Staged {
  /** The file as it is now, and as it stays under its final name. */
  readonly file: FileIdentity;
  /** Gives them their final name, if nothing has it: of any number of writers exactly one is told `won`. */
  publish(target: string): 'won' | 'taken';
  /** Removes the temporary name. Best effort: the sweep takes what stays. */
  discard(): void;
}

/** A staged file can also replace what has the name; throws the disk's error. */
export interface StagedFile extends Staged {
  moveTo(target: string): void;
}

/** The name of the one file inside a slot that is a folder. */
export const INNER = 'record';

/**
 * Writes all bytes to a new file and syncs it; the system may take them in pieces. Leaves nothing after an error.
 * Returns what tells the file from one that was altered.
 */
export function writeDurable(volume: Volume, path: string, bytes: Uint8Array): FileIdentity & FileKey {
  const { disk } = volume;
  const fd = writing('create', path, () => disk.openNew(path));
  let open = true;
  try {
    for (let done = 0; done < bytes.byteLength; ) {
      const count = writing('write', path, () => disk.write(fd, bytes.subarray(done), done));
      if (count <= 0) throw writeFault('the disk takes no bytes', 'write', path);
      done += count;
    }
    writing('sync', path, () => disk.fsync(fd));
    const { dev, ino, size, mtimeNs } = writing('look at', path, () => disk.fstat(fd));
    open = false;
    writing('close', path, () => disk.close(fd));
    return { dev, ino, size, mtimeNs };
  } catch (error) {
    if (open) closeQuietly(disk, fd);
    removeTemp(volume, path);
    throw error;
  }
}

/** Stages bytes for a slot, in the form that the volume can publish exclusively. */
export function stage(volume: Volume, bytes: Uint8Array): Staged {
  removeStuckTemps(volume);
  return volume.publish === 'link' ? stageFile(volume, bytes) : stageFolder(volume, bytes);
}

/** Published by link(2), which never replaces. */
export function stageFile(volume: Volume, bytes: Uint8Array): StagedFile {
  const { disk } = volume;
  const temp = tempPath(volume);
  let there = true;
  const file = writeDurable(volume, temp, bytes);
  return {
    file,
    publish: (target) => (linkOnce(disk, temp, file, target) ? 'won' : 'taken'),
    moveTo(target) {
      disk.rename(temp, target);
      there = false;
    },
    discard() {
      if (there) removeTemp(volume, temp);
      there = false;
    },
  };
}

/**
 * Gives a file a further name, if nothing has it; false when something else has. An error does not say that it was not done: the
 * answer of a network folder may get lost after the deed. So the file that now has the name decides, by device and inode; how
 * many names a file has is no answer, since anybody may make one, and some file systems do not count.
 */
export function linkOnce(disk: Disk, from: string, file: FileKey, target: string): boolean {
  try {
    disk.link(from, target);
    return true;
  } catch (error) {
    if (afterwards(target, () => holds(disk, target, file))) return true;
    if (errorCode(error) === 'EEXIST') return false;
    throw writeFault(error, 'publish', target);
  }
}

/** True when this name is one of that file. */
function holds(disk: Disk, path: string, { dev, ino }: FileKey): boolean {
  try {
    const found = disk.lstat(path);
    return found.kind === 'file' && found.dev === dev && found.ino === ino;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return false;
    throw error;
  }
}

/** Asks whether a failed publish was one; when even that cannot be asked, nobody knows. */
function afterwards<T>(target: string, ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw inDoubt(target, error);
  }
}

function inDoubt(target: string, cause: unknown): CasIndeterminate {
  return new CasIndeterminate(`Nobody can say whether ${target} was published (${String(cause)}).`, { cause });
}

/** Published by the rename of a folder that is not empty: a target that is not empty either refuses it. */
function stageFolder(volume: Volume, bytes: Uint8Array): Staged {
  const { disk } = volume;
  const temp = tempPath(volume);
  const inner = join(temp, INNER);
  let there = true;
  const discard = () => {
    if (!there) return;
    there = false;
    removeTemp(volume, inner);
    attempt(() => disk.rmdir(temp));
  };
  writing('create', temp, () => disk.mkdir(temp));
  let file: FileIdentity & FileKey;
  try {
    file = writeDurable(volume, inner, bytes);
    syncFolder(volume, temp);
  } catch (error) {
    discard();
    throw error;
  }
  return {
    file,
    publish(target) {
      try {
        disk.rename(temp, target);
      } catch (error) {
        if (!afterwards(target, () => holds(disk, join(target, INNER), file))) {
          // Neither here nor there: somebody else took it away, or moved it on.
          if (!afterwards(target, () => exists(disk, inner))) throw inDoubt(target, error);
          if (afterwards(target, () => exists(disk, target))) return 'taken';
          throw writeFault(error, 'publish', target);
        }
      }
      there = false;
      return 'won';
    },
    discard,
  };
}
