import { type JsonNode, member, raw } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { reopen } from './open.js';
import { agentOutcome } from './outcome.js';
import { refusedAs } from './refused-as.js';
import { compareAndSwap } from './revision.js';
import { agentTurns } from './turn.js';

/** What the store has now: the version of the conversation, and the revision of the checkpoint. */
export interface DurableStore {
  conversationVersion: bigint;
  checkpointRevision: bigint;
}

export interface DurableCommit {
  conversationId: string;
  namespace: string;
  /** After the commit. */
  conversationVersion: bigint;
  /** The messages to append, as JSON texts. */
  append: string[];
  /** The completed checkpoint that is written with them. */
  checkpoint: Uint8Array;
}

/**
 * The one transaction that ends a durable turn (R10): append at the expected version and completed checkpoint together.
 * Where either precondition is stale it is a Conflict that writes nothing and hands the outcome back in its facts.
 */
export function durableCommit(completed: Uint8Array, store: DurableStore): Outcome<DurableCommit> {
  const document = reopen(completed);
  const outcome = document.kind === 'agent' ? agentOutcome(document) : null;
  const durable = document.kind === 'agent' ? document.state.durable_conversation : null;
  if (document.kind !== 'agent' || outcome === null || durable === null)
    return refusedAs('InvalidPayload', 'checkpoint is not a durable conversation turn');
  const { transcript } = document.state;
  const { id, revision } = document.envelope;
  if (durable.persisted_prefix_len >= BigInt(transcript.length))
    return refusedAs('InvalidPayload', 'durable conversation checkpoint has an invalid transcript prefix');
  // The first messages were there for the model only, and so is what is flagged as transient.
  const nodes = agentTurns(document).nodes.slice(Number(durable.persisted_prefix_len));
  const kept = nodes.filter((node) => !isTransient(node));
  const roles = kept.map((node) => member(node, 'role'));
  if (roles.some((role) => role?.kind === 'string' && role.value === 'system'))
    return refusedAs('InvalidInput', 'system instructions cannot be persisted as conversation transcript');
  if (kept.length === 0) return refusedAs('InvalidInput', 'conversation append requires at least one message');
  const handedBack = { answer: outcome.answer, response: outcome.response };
  if (store.conversationVersion !== durable.expected_version)
    return refusedAs('Conflict', `conversation \`${durable.conversation_id}\` moved on to another version`, {
      expected: String(durable.expected_version),
      actual: String(store.conversationVersion),
      outcome: handedBack,
    });
  const swap = compareAndSwap({ id, revision: store.checkpointRevision }, { id, revision }, revision - 1n);
  if (!swap.ok)
    return { ok: false, refusal: { ...swap.refusal, facts: { ...swap.refusal.facts, outcome: handedBack } } };
  return accepted({
    conversationId: durable.conversation_id,
    namespace: durable.namespace,
    conversationVersion: durable.expected_version + 1n,
    append: kept.map((node) => raw(document.text, node)),
    checkpoint: completed,
  });
}

function isTransient(node: JsonNode): boolean {
  const metadata = member(node, 'metadata');
  const flag = metadata === undefined ? undefined : member(metadata, 'runifold.context.transient');
  return flag?.kind === 'boolean' && flag.value;
}
