import { type JsonNode, member } from '../../shared/json.js';
import type { CheckpointFormat } from './format.js';
import { checkDecision } from './klieo/check-decision.js';
import { handOver } from './klieo/hand-over.js';
import { latchedView } from './klieo/latch.js';
import { readKlieo } from './klieo/read.js';
import { writeContinued } from './klieo/write.js';
import { laterOnly } from './order.js';

/** Keys that no other system writes at the top of a record. */
const OWN_KEYS = ['step_index', 'thread_id', 'pending_tool_calls', 'resume_attempted'];
const SHARED_KEYS = ['run_id', 'messages', 'created_at'];

/** klieo-core's RunCheckpoint (FORMATS 3): one JSON object a run, its pending calls in `pending_tool_calls`. */
export const klieo: CheckpointFormat = {
  system: 'klieo',
  detect,
  read: readKlieo,
  checkDecision,
  handOver,
  latchedView,
  writeContinued,
  /** The step never goes back (K6), and a record is written anew at each stop (K4). */
  succession: (before, next) =>
    laterOnly(before, next, 'its step, or at the same step its created_at, is before that of the one that is known'),
};

/** Two known keys are enough, one of them klieo's own: a record that lacks one is refused by name, not unknown. */
function detect(root: JsonNode): string | null {
  const has = (key: string): boolean => member(root, key) !== undefined;
  const own = OWN_KEYS.filter(has);
  const found = [...own, ...SHARED_KEYS.filter(has)];
  return own.length > 0 && found.length > 1 ? `klieo: the top-level keys ${found.join(', ')}` : null;
}
