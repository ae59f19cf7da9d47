import { type JsonNode, member, readJsonText } from '../../shared/json.js';
import { checkDecision } from './cyrene/check-decision.js';
import { handOver } from './cyrene/hand-over.js';
import { mayContinue } from './cyrene/next-row.js';
import { readCyrene } from './cyrene/read.js';
import { storedOutcome } from './cyrene/stored-outcome.js';
import { writeContinued } from './cyrene/write.js';
import type { CheckpointFormat } from './format.js';
import { laterOnly } from './order.js';

const COLUMNS = ['id', 'agent_id', 'step', 'updated_at', 'state'];

/** Cyrene's rows of persist.Checkpoint (FORMATS 6): one row, a list of rows, or one row a line. */
export const cyrene: CheckpointFormat = {
  system: 'cyrene',
  detect,
  detectLines,
  read: readCyrene,
  checkDecision,
  handOver,
  /** A row has no claim of its own (C5): Holdpoint's latch is the only one. */
  latchedView: (bytes) => bytes,
  writeContinued,
  keepsFinished: true,
  /** The most recently updated row is the one that counts (C2): one that was updated before it is never loaded. */
  succession: (before, next) =>
    laterOnly(
      before,
      next,
      'its latest row was updated before the latest one that is known, or at the same time at a lower step',
    ),
  mayContinue,
  storedOutcome,
};

function detect(root: JsonNode): string | null {
  if (root.kind !== 'array') return rowRule(root, 'a row');
  const [first] = root.items;
  return first === undefined ? null : rowRule(first, `a list of ${root.items.length} rows`);
}

/** Rows as lines are no JSON document as a whole: the first line tells. */
function detectLines(text: string): string | null {
  const [line = ''] = text.trimStart().split('\n', 1);
  const first = readJsonText(line);
  return first.ok ? rowRule(first.root, 'lines, each a row') : null;
}

/** Three of its columns, one of them a session or a state: a row that lacks one is refused by name, not unknown. */
function rowRule(node: JsonNode, what: string): string | null {
  const found = COLUMNS.filter((key) => member(node, key) !== undefined);
  const own = found.includes('agent_id') || (found.includes('state') && found.includes('updated_at'));
  return own && found.length > 2 ? `cyrene: ${what} with the columns ${found.join(', ')}` : null;
}
