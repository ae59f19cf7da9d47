import { join } from 'node:path';
import { attempt, closeQuietly, errorCode, writeFault, writing } from './faults.js';
import { removeTemp, tempPath } from './temps.js';
import { TEMPS, type Volume } from './volume.js';

/** Says that the volume does not know the call, not that it went wrong. Windows has EISDIR for a missing link(). */
const UNKNOWN_CALL = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR', 'EINVAL', 'EMLINK']);

/**
 * Finds out by doing how a name can be published exclusively: by link(2), by the rename of a folder, or (null) not at
 * all. Throws the typed error of a folder that cannot be written.
 */
export function probePublish(volume: Volume): Volume['publish'] | null {
  const { disk } = volume;
  const [from, to] = [tempPath(volume), tempPath(volume)];
  try {
    writing('create', from, () => disk.close(disk.openNew(from)));
    const error = attempt(() => disk.link(from, to));
    if (error !== null && !UNKNOWN_CALL.has(errorCode(error))) throw writeFault(error, 'publish', to);
    // A second link to the same name has to be refused, or the call is worth nothing here.
    if (error === null && errorCode(attempt(() => disk.link(from, to))) === 'EEXIST') return 'link';
  } finally {
    for (const name of [to, from]) removeTemp(volume, name);
  }
  return probeRename(volume) ? 'rename' : null;
}

/** True when the rename of a folder onto one that is not empty is refused and leaves both as they are. */
function probeRename(volume: Volume): boolean {
  const { disk } = volume;
  const [from, to] = [tempPath(volume), tempPath(volume)];
  const inner = [join(from, 'a'), join(to, 'b')] as const;
  try {
    for (const folder of [from, to]) writing('make the folder', folder, () => disk.mkdir(folder));
    for (const file of inner) writing('create', file, () => disk.close(disk.openNew(file)));
    const refused = attempt(() => disk.rename(from, to)) !== null;
    return refused && disk.lstat(inner[0]).kind === 'file' && disk.lstat(inner[1]).kind === 'file';
  } finally {
    for (const file of inner) removeTemp(volume, file);
    for (const folder of [from, to]) attempt(() => disk.rmdir(folder));
  }
}

/** False when the volume cannot sync a folder at all. A sync that fails is another matter, and is thrown. */
export function probeFolderSync(volume: Volume): boolean {
  if (volume.platform === 'win32') return false;
  const folder = join(volume.root, TEMPS);
  const fd = writing('open the folder', folder, () => volume.disk.openFolder(folder));
  try {
    const error = attempt(() => volume.disk.fsync(fd));
    if (error === null) return true;
    if (!UNKNOWN_CALL.has(errorCode(error))) throw writeFault(error, 'sync the folder', folder);
    return false;
  } finally {
    closeQuietly(volume.disk, fd);
  }
}

const CHANGES = 4;
/** A busy machine interrupts: what was interrupted tells nothing, and is done again. On a quiet one the first try tells. */
const TRIES = 40;
/** No clock that ticks has two ticks in so short a time. */
const SHORTER_THAN_A_TICK_MS = 1;

/**
 * True when each of several changes to a folder, made within less than a tick of the system's clock, leaves other times
 * behind. Where the times come from that clock, changes within one tick (up to seconds on some volumes) look the same.
 */
export function probeFineTimes(volume: Volume): boolean {
  const { disk } = volume;
  const folder = join(volume.root, TEMPS);
  const path = tempPath(volume);
  for (let tries = 0; tries < TRIES; tries += 1) {
    const stamps = new Set<string>();
    const start = performance.now();
    const failed = attempt(() => {
      for (let n = 0; n < CHANGES; n += 1) {
        if (n % 2 === 0) disk.close(disk.openNew(path));
        else disk.unlink(path);
        stamps.add(String(disk.lstat(folder).mtimeNs));
      }
    });
    const took = performance.now() - start;
    if (failed !== null) removeTemp(volume, path);
    if (failed !== null || stamps.size < CHANGES) return false;
    if (took < SHORTER_THAN_A_TICK_MS) return true;
  }
  return false;
}
