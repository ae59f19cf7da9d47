import { bytesDigest, recordDigest } from '../checkpoints/digest.js';
import type { SharedEngine } from './engine.js';
import type { SharedHead } from './protocol/head.js';

/** Bodies up to this size stand in the head; larger ones in the engine's object store, under their sha256. Bytes. */
const BODY_INLINE = 256 * 1024;

/** Where a record's original bytes stand for a head; a large one is in the engine before its head is. Throws `EngineAway`. */
export async function putBody(engine: Pick<SharedEngine, 'blobs'>, bytes: Uint8Array): Promise<SharedHead['body']> {
  if (bytes.length <= BODY_INLINE)
    return { at: 'inline', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  const sha256 = bytesDigest(bytes);
  await engine.blobs.put(sha256, bytes);
  return { at: 'blob', sha256, size: bytes.length };
}

/** The original bytes that a head names; null when they are not there, or not what its digest says (H3). Throws `EngineAway`. */
export async function readBody(engine: Pick<SharedEngine, 'blobs'>, head: SharedHead): Promise<Uint8Array | null> {
  const { body, suspension, resumeStep } = head;
  const bytes = body.at === 'inline' ? new TextEncoder().encode(body.text) : await engine.blobs.get(body.sha256);
  if (bytes === null) return null;
  const digest = recordDigest({ system: suspension.system, runId: suspension.runId, resumeStep, bytes });
  return digest === head.digest ? bytes : null;
}
