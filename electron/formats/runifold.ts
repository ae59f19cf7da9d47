import { type JsonNode, member } from '../../shared/json.js';
import type { CheckpointFormat } from './format.js';
import { ambiguity } from './runifold/ambiguity.js';
import { checkDecision } from './runifold/check-decision.js';
import { effectKeyOf } from './runifold/effects.js';
import { handOver } from './runifold/hand-over.js';
import { claimLost, mayContinue, sameContent, succession } from './runifold/lineage.js';
import { readRunifold } from './runifold/read.js';
import { storedOutcome } from './runifold/stored-outcome.js';
import { writeContinued } from './runifold/write.js';

/** Keys of the envelope that no other system writes at the top of a record. */
const OWN_KEYS = ['kind', 'schema_version', 'payload', 'revision', 'updated_at_ms'];

/** runifold's Checkpoint (FORMATS 5): agent and workflow checkpoints in one versioned envelope. */
export const runifold: CheckpointFormat = {
  system: 'runifold',
  detect,
  read: readRunifold,
  checkDecision,
  handOver,
  /** The latch is the next revision in runifold's own store (R8): the text has no flag for it. */
  latchedView: (bytes) => bytes,
  writeContinued,
  keepsFinished: true,
  succession,
  sameContent,
  mayContinue,
  claimLost,
  effectKey: effectKeyOf,
  ambiguity,
  storedOutcome,
};

/** By its kind, or by the envelope of a kind that is not known here: that is refused by name, not unknown. */
function detect(root: JsonNode): string | null {
  const kind = member(root, 'kind');
  const found = OWN_KEYS.filter((key) => member(root, key) !== undefined);
  if (kind?.kind === 'string' && kind.value.startsWith('runifold.') && found.length > 1)
    return `runifold: kind ${JSON.stringify(kind.value.slice(0, 80))}`;
  return found.length > 2 ? `runifold: the envelope keys ${found.join(', ')}` : null;
}
