import type { Decision, SuspensionKey } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import { decisionText } from '../../shared/signature.js';
import { formatNs } from '../../shared/time.js';
import type { Ports } from '../ports.js';
import type { KvStore } from '../store/contract.js';
import { HEADS, parseSuspension } from './keys.js';
import { readDecision, readHead, writeDecision } from './records.js';
import { type KnownKey, readSignatures, verifyDecision, withSignature } from './signatures.js';

/**
 * Adds what others signed of the very decision that stands here: everything but the signatures must be the same, to the
 * last character. Answers with who was added; nobody when all of them are there already.
 */
export async function addSignatures(store: KvStore, ports: Ports, brought: Decision): Promise<Outcome<KnownKey[]>> {
  const known = ports.signing.known();
  const by = verifyDecision(brought, known);
  if (!by.ok) return by;
  const at = await readDecision(store, brought.suspension);
  if (at.kind !== 'decision' || at.decision.decisionId !== brought.decisionId)
    return refused('not_found', 'No decision here is the one that was signed.', { decisionId: brought.decisionId });
  if (decisionText(at.decision) !== decisionText(brought))
    return refused('changed_since_you_looked', 'What was signed differs from the decision that stands here.');
  const head = await readHead(store, brought.suspension);
  if (head?.head.latch) return refused('too_late', `Too late: claimed at ${head.head.latch.at}.`);
  if (at.decision.withdrawn) return refused('not_decided', `${at.decision.withdrawn.by} took this decision back.`);
  const there = at.decision.signatures.map(({ keyId }) => keyId);
  const more = readSignatures(brought, known).filter(
    ({ state, signature }) => state === 'good' && !there.includes(signature.keyId),
  );
  if (more.length === 0) return accepted([]);
  const signatures = [...at.decision.signatures, ...more.map(({ signature }) => signature)];
  await writeDecision(store, { ...at.decision, signatures }, at.revision);
  return accepted(more.flatMap(({ key }) => (key ? [key] : [])));
}

/**
 * The hold here that a decision from elsewhere speaks of: the same run with the same bytes. Refused unless a known reviewer
 * signed it, and when the record is not here: nobody signs what they could not read.
 */
export async function holdOf(store: KvStore, ports: Ports, decision: Decision): Promise<Outcome<SuspensionKey>> {
  const by = verifyDecision(decision, ports.signing.known());
  if (!by.ok) return by;
  for (let cursor: string | null = null; ; ) {
    const page = await store.keysPage(HEADS, cursor, 256);
    for (const { key: name } of page.heads) {
      const key = parseSuspension(name);
      if (key?.runId !== decision.suspension.runId || key.system !== decision.suspension.system) continue;
      if ((await readHead(store, key))?.head.digest === decision.digest) return accepted(key);
    }
    if (page.next === null) break;
    cursor = page.next;
  }
  return refused(
    'not_found',
    'The record of this decision is not here. Take it in, read it, and bring the decision again.',
  );
}

/** The same decision with this reviewer's own signature too; nothing is written. Refused when it is there already. */
export async function countersigned(ports: Ports, decision: Decision, name: string): Promise<Outcome<Decision>> {
  const signer = await ports.signing.signer();
  if (!signer.ok) return signer;
  if (decision.signatures.some(({ keyId }) => keyId === signer.value.keyId))
    return refused(
      'already_known',
      'You have signed this decision already; a second reviewer signs it with a key of their own.',
    );
  return accepted(withSignature(decision, signer.value, name, formatNs(ports.clock.now())));
}
