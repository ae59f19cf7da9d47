import { type JsonNode, member } from '../../../shared/json.js';
import { isEnvelope } from './envelope.js';
import { APPROVAL, CHECKPOINT, CLAIM, DEFERRED } from './names.js';

const BARE: readonly { schema: string; word: string; keys: readonly string[] }[] = [
  { schema: APPROVAL, word: 'approval', keys: ['approval_id', 'action_id', 'run_id'] },
  { schema: DEFERRED, word: 'deferred tool', keys: ['deferred_id', 'tool_call_id', 'run_id'] },
  { schema: CLAIM, word: 'resume claim', keys: ['claim_id', 'session_id', 'run_id'] },
];

/** The schema of a record beside a checkpoint, told from its content; null when it is none (FORMATS 4.3). */
export function neighbourSchema(root: JsonNode): string | null {
  const named = member(root, 'schema');
  if (named?.kind === 'string') return BARE.find(({ schema }) => schema === named.value)?.schema ?? null;
  return isEnvelope(root) ? null : (bareKind(root)?.schema ?? null);
}

/** Why a bare record of a neighbour is no checkpoint, in starweaver's names where it has one (S2). */
export function bareNeighbour(root: JsonNode): { code: string; words: string } | null {
  const kind = isEnvelope(root) ? undefined : bareKind(root);
  if (kind === undefined) return null;
  if (kind.schema === CLAIM) {
    return { code: 'BareV0Unsupported', words: `bare v0 JSON is not supported for durable schema ${CLAIM}` };
  }
  const words = `expected durable schema ${CHECKPOINT}, received a bare ${kind.schema}`;
  return { code: 'WrongSchema', words: `${words}: this ${kind.word} record belongs beside its checkpoint` };
}

function bareKind(root: JsonNode): (typeof BARE)[number] | undefined {
  return BARE.find(({ keys }) => keys.every((key) => member(root, key) !== undefined));
}
