import { join } from 'node:path';
import { StoreCorrupt } from './contract.js';
import { errorCode, readFault, writing } from './faults.js';
import { sha256Hex } from './header.js';
import { checkSha256 } from './input.js';
import { parsePayloadName } from './payload-names.js';
import { readWhole } from './read-whole.js';
import { ensureShard } from './shards.js';
import { stageFile } from './stage.js';
import { exists, PAYLOADS, syncFolder, type Volume } from './volume.js';

function payloadPath(volume: Volume, sha256: string): { folder: string; file: string } {
  checkSha256(sha256);
  const folder = join(volume.root, PAYLOADS, sha256.slice(0, 2));
  return { folder, file: join(folder, sha256) };
}

/**
 * Stores bytes under their sha256 unless they are there; durable before it returns, whoever wrote them. `crowded` says
 * that it is time to make all shards.
 */
export function putPayload(volume: Volume, bytes: Uint8Array): { sha256: string; crowded: boolean } {
  const sha256 = sha256Hex(bytes);
  const { folder, file } = payloadPath(volume, sha256);
  let crowded = false;
  if (readAs(volume, sha256, file) === null) {
    crowded = ensureShard(volume, join(volume.root, PAYLOADS), sha256.slice(0, 2));
    publish(volume, bytes, file);
  }
  // Also when it was there: its writer may not have come to this yet.
  syncFolder(volume, folder);
  return { sha256, crowded };
}

/** The bytes of a payload, null when absent. Throws StoreCorrupt when they do not match their name. */
export function readPayload(volume: Volume, sha256: string): Uint8Array | null {
  const { folder, file } = payloadPath(volume, sha256);
  // Twice: it may get its leaving name, or its own one back, between the two looks.
  for (let tries = 0; tries < 2; tries += 1) {
    const found = readAs(volume, sha256, file);
    if (found !== null) return found;
    for (const name of leavingNames(volume, folder, sha256)) {
      const leaving = readAs(volume, sha256, join(folder, name));
      if (leaving !== null) return leaving;
    }
  }
  return null;
}

/**
 * Sees to it that a payload lies under its own name, where a sweep that began later finds the record that names it
 * first. False when it is gone altogether.
 */
export function keepPayload(volume: Volume, sha256: string): boolean {
  const { folder, file } = payloadPath(volume, sha256);
  if (exists(volume.disk, file)) return true;
  const bytes = readPayload(volume, sha256);
  if (bytes === null) return false;
  publish(volume, bytes, file);
  syncFolder(volume, folder);
  return true;
}

function publish(volume: Volume, bytes: Uint8Array, file: string): void {
  const staged = stageFile(volume, bytes);
  try {
    // Without hard links a rename does: whatever it replaces has the same name, so the same bytes.
    if (volume.publish === 'link') staged.publish(file);
    else writing('publish', file, () => staged.moveTo(file));
  } finally {
    staged.discard();
  }
}

function leavingNames(volume: Volume, folder: string, sha256: string): string[] {
  try {
    return volume.disk.readdir(folder).filter((name) => {
      const parsed = parsePayloadName(name);
      return parsed?.sha256 === sha256 && parsed.leavingSinceMs !== null;
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw readFault(error, 'list', folder);
  }
}

function readAs(volume: Volume, sha256: string, file: string): Uint8Array | null {
  let bytes: Uint8Array;
  try {
    if (!exists(volume.disk, file)) return null;
    bytes = readWhole(volume.disk, file);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw readFault(error, 'read', file);
  }
  if (sha256Hex(bytes) !== sha256) throw new StoreCorrupt(`The payload ${file} does not match its name.`);
  return bytes;
}

/** What changes when a payload's file does; null when absent. Throws what reading it would. */
export function payloadStamp(volume: Volume, sha256: string): string | null {
  const { file } = payloadPath(volume, sha256);
  try {
    const { ino, size, mtimeNs, ctimeNs } = volume.disk.lstat(file);
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw readFault(error, 'read', file);
  }
}
