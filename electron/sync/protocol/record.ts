import { z } from 'zod';
import { Decision } from '../../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { textDigest } from '../../formats/text-digest.js';
import { type DecisionRef, MOST_DECISIONS, type SharedHead } from './head.js';
import { decisionKey, readKey, reviewerToken } from './keys.js';
import { decode } from './read.js';

const base = { v: z.literal(1), id: z.string().min(1).max(300), epoch: z.number().int().min(0) };
const said = { decisionId: z.string().min(1).max(300), by: z.string().min(1).max(300), at: z.string().max(40) };

/** What stands under a decision's key, for good: the whole record of one act of one reviewer. */
export const SharedRecord = z.discriminatedUnion('kind', [
  /** The decision as its author's store holds it, signatures included. */
  z.strictObject({ ...base, kind: z.literal('decision'), decision: Decision }),
  /** Its author takes one of his own back. */
  z.strictObject({ ...base, ...said, kind: z.literal('taken_back'), names: z.array(z.string()).length(1) }),
  /** Holds the run until somebody decides over it by name (H10). */
  z.strictObject({ ...base, ...said, kind: z.literal('objection'), text: z.string().max(4000) }),
]);
export type SharedRecord = z.infer<typeof SharedRecord>;

/** Equal for decisions that have the same effect on the same record: verdicts, edits and answers count, words do not. */
export function markOf({ digest, verdicts, step, retry, repair }: Decision): string {
  const calls = [...verdicts]
    .sort((a, b) => a.index - b.index)
    .map((one) => [one.index, one.argumentsSha256, one.verdict, one.editedSha256 ?? null, one.answer ?? null]);
  return textDigest(JSON.stringify([digest, calls, step?.verdict ?? null, retry?.turn ?? null, repair ?? null]));
}

function verdictOf({ verdicts, step }: Decision): DecisionRef['verdict'] {
  const all = [...verdicts.map((one) => one.verdict), ...(step ? [step.verdict] : [])];
  if (!all.includes('reject')) return 'approve';
  return all.every((one) => one === 'reject') ? 'reject' : 'mixed';
}

export const idOf = (record: SharedRecord): string =>
  record.kind === 'decision' ? record.decision.decisionId : record.decisionId;
export const authorOf = (record: SharedRecord): string =>
  record.kind === 'decision' ? record.decision.reviewer.name : record.by;
export const keyOf = (record: SharedRecord): string => decisionKey(authorOf(record), record.id, idOf(record));

/** The short form of a record that goes into the head; a function of the record alone, so anybody can check it. */
export function refOf(record: SharedRecord): DecisionRef {
  // In the order of the schema, so that the text of two equal ones is equal.
  const who = { decisionId: idOf(record), key: keyOf(record), by: authorOf(record) };
  if (record.kind === 'decision') {
    const { decision, epoch } = record;
    const names = (decision.supersedes ?? []).slice(0, MOST_DECISIONS);
    return { ...who, at: decision.decidedAt, verdict: verdictOf(decision), mark: markOf(decision), names, epoch };
  }
  const { kind, at, epoch } = record;
  const names = kind === 'taken_back' ? record.names : [];
  return { ...who, at, verdict: kind, mark: textDigest(`${kind} ${record.decisionId}`), names, epoch };
}

/** Whether a decision carries what its team asks for; given by whoever knows the reviewers and their keys. */
export type Verify = (decision: Decision) => Outcome<unknown>;

/** The record under a reference's key, checked against it; `verify` checks a decision's signatures. */
export function checkRecord(
  ref: DecisionRef,
  bytes: Uint8Array | null,
  head: SharedHead,
  id: string,
  verify: Verify,
): Outcome<SharedRecord> {
  const not = (text: string): Outcome<never> =>
    refused('not_allowed', `The engine's record of ${ref.by}'s decision is not to be trusted: ${text}.`, {
      key: ref.key,
    });
  if (bytes === null) return not('it is not there');
  const parsed = SharedRecord.safeParse(decode(bytes));
  if (!parsed.success) return not('it cannot be read');
  const record = parsed.data;
  const key = readKey(ref.key);
  if (record.id !== id || key.kind !== 'decision' || key.id !== id) return not('it is about another run');
  if (key.reviewer !== reviewerToken(authorOf(record))) return not('it stands under another reviewer than it names');
  if (JSON.stringify(refOf(record)) !== JSON.stringify(ref)) return not('the head says it otherwise');
  if (record.kind !== 'decision') return accepted(record);
  const { decision } = record;
  if (decision.digest !== head.digest || decision.resumeStep !== head.resumeStep)
    return not('it was made over other content');
  const { system, runId } = decision.suspension;
  if (system !== head.suspension.system || runId !== head.suspension.runId) return not('it is about another run');
  const verified = verify(decision);
  return verified.ok ? accepted(record) : verified;
}

/**
 * May a head's decision in force be acted on? Every reference is checked against its own record, those that take others
 * out of force first of all: whoever may write a head cannot decide by it. Gives the decision in force.
 */
export function checkDecisions(
  head: SharedHead,
  id: string,
  recordAt: (key: string) => Uint8Array | null,
  verify: Verify,
): Outcome<Decision> {
  let inForce: Decision | null = null;
  for (const ref of head.decisions) {
    const record = checkRecord(ref, recordAt(ref.key), head, id, verify);
    if (!record.ok) return record;
    const [taken] = record.value.kind === 'taken_back' ? record.value.names : [];
    const of = taken === undefined ? undefined : head.decisions.find((one) => one.decisionId === taken);
    if (of !== undefined && reviewerToken(of.by) !== reviewerToken(ref.by))
      return refused('not_allowed', `${ref.by} took back what ${of.by} decided; that is not theirs to take back.`);
    if (record.value.kind === 'decision' && ref.decisionId === head.decision) inForce = record.value.decision;
  }
  return inForce === null ? refused('not_decided', 'No decision is in force.') : accepted(inForce);
}
