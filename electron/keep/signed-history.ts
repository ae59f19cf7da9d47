import { Decision } from '../../shared/decision.js';
import { type KnownKey, readSignatures } from '../checkpoints/signatures.js';
import { type Audited, type AuditedKey, bodyOf } from '../store/audit.js';
import type { Broken } from './broken.js';

/** Signatures of all revisions of all decisions: how many hold, how many are of keys that nobody here knows, and decisions without one. */
export interface SignatureCount {
  good: number;
  unknown: number;
  unsigned: number;
}

/** Counts the signatures of one decision's revisions; one of a known key that does not fit breaks the history. */
export function checkSigned(
  audited: Audited,
  key: AuditedKey,
  known: readonly KnownKey[],
  count: SignatureCount,
): Broken[] {
  return key.revisions.flatMap((revision) => {
    const decision = parse(bodyOf(audited, key, revision));
    if (decision === null) return [];
    const readings = readSignatures(decision, known);
    if (readings.length === 0) count.unsigned++;
    for (const { state } of readings) if (state !== 'wrong') count[state]++;
    return readings
      .filter(({ state }) => state === 'wrong')
      .map(({ signature }) => ({
        file: revision.file,
        bucket: key.bucket,
        key: key.key,
        revision: revision.revision,
        what: `The signature of ${signature.name} (${signature.keyId}) does not fit: the decision was altered after it was signed.`,
      }));
  });
}

function parse(bytes: Uint8Array | null): Decision | null {
  if (bytes === null) return null;
  try {
    return Decision.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
  } catch {
    // What cannot be read is told by its chain.
    return null;
  }
}
