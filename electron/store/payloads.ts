import { join } from 'node:path';
import { StoreCorrupt } from './contract.js';
import { errorCode, readFault, writing } from './faults.js';
import { sha256Hex } from './header.js';
import { checkSha256 } from './input.js';
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
  if (readPayload(volume, sha256) === null) {
    crowded = ensureShard(volume, join(volume.root, PAYLOADS), sha256.slice(0, 2));
    const staged = stageFile(volume, bytes);
    try {
      // Without hard links a rename does: whatever it replaces has the same name, so the same bytes.
      if (volume.publish === 'link') staged.publish(file);
      else writing('publish', file, () => staged.moveTo(file));
    } finally {
      staged.discard();
    }
  }
  // Also when it was there: its writer may not have come to this yet.
  syncFolder(volume, folder);
  return { sha256, crowded };
}

/** The bytes of a payload, null when absent. Throws StoreCorrupt when they do not match their name. */
export function readPayload(volume: Volume, sha256: string): Uint8Array | null {
  const { file } = payloadPath(volume, sha256);
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
