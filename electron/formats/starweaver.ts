import { type JsonNode, member } from '../../shared/json.js';
import type { CheckpointFormat } from './format.js';
import { checkDecision } from './starweaver/check-decision.js';
import { claimLost } from './starweaver/claim-lost.js';
import { derivedRunId } from './starweaver/derived-ids.js';
import { handOver } from './starweaver/hand-over.js';
import { sameContent, succession } from './starweaver/lineage.js';
import { neighbour } from './starweaver/neighbour.js';
import { neighbourSchema } from './starweaver/neighbour-kinds.js';
import { readStarweaver } from './starweaver/read.js';
import { storedOutcome } from './starweaver/stored-outcome.js';
import { viewAgain } from './starweaver/view.js';
import { withNeighbours } from './starweaver/with-neighbours.js';
import { writeContinued } from './starweaver/write.js';

/** Keys at the top of a checkpoint; three of them are enough, so that one that lacks some is refused by name. */
const KEYS = ['checkpoint_id', 'conversation_id', 'node', 'run_step', 'resume', 'state'];
const ENOUGH = 3;

/** starweaver's AgentCheckpoint (FORMATS 4): a versioned envelope or a bare record, approvals and deferred calls in its state. */
export const starweaver: CheckpointFormat = {
  system: 'starweaver',
  detect,
  read: readStarweaver,
  checkDecision,
  handOver,
  // Its latch is a claim record beside the checkpoint, which never changes (S16, S19).
  latchedView: (bytes) => bytes,
  writeContinued,
  keepsFinished: true,
  nextRunId: (bytes) => derivedRunId(viewAgain(bytes).text),
  succession,
  sameContent,
  claimLost,
  storedOutcome,
  neighbour,
  withNeighbours,
};

function detect(root: JsonNode): string | null {
  const schema = member(root, 'schema');
  if (schema?.kind === 'string' && schema.value.startsWith('starweaver.')) {
    return `starweaver: the envelope's schema ${schema.value.slice(0, 80)}`;
  }
  const neighbour = neighbourSchema(root);
  if (neighbour !== null) return `starweaver: the keys of a bare ${neighbour}`;
  const payload = member(root, 'payload');
  const inside = payload !== undefined && keysOf(payload).length >= ENOUGH;
  const found = keysOf(inside ? payload : root);
  return found.length >= ENOUGH ? `starweaver: the ${inside ? 'payload' : 'top-level'} keys ${found.join(', ')}` : null;
}

function keysOf(node: JsonNode): string[] {
  return KEYS.filter((key) => member(node, key) !== undefined);
}
