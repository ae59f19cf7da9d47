import type { Decision, Verdict } from '../../../shared/decision.js';
import { raw } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import { textDigest } from '../text-digest.js';
import { type ApprovalRecord, readApproval, resumesAs } from './approval-record.js';
import { decideApproval } from './decide-approval.js';
import { type DeferredRecord, deferredWith, readDeferred, resultOf } from './deferred-record.js';
import { durableBytes } from './durable-record.js';
import { canonicalTime } from './instants.js';
import type { Neighbours } from './match-neighbours.js';
import { type Mutation, nextRevision } from './mutation.js';
import { APPROVAL, approvalId, DEFERRED, deferredId, refusedAs } from './names.js';
import { textOf } from './nodes.js';
import { type PendingItem, pendingItems, sameText } from './pending.js';
import { prepareContinuation } from './prepare.js';
import { ANSWERS, questionsOf, recordMetadata } from './question.js';
import { present } from './raw-object.js';
import type { RecordedDecision } from './recorded-decision.js';
import { resolveDeferred } from './resolve-deferred.js';
import { viewAgain } from './view.js';

interface Deciding {
  decision: Decision;
  sessionId: string;
  runId: string;
  text: string;
}

/**
 * The records beside a checkpoint as a decision makes them, gone through as starweaver prepares a continuation (S8-S13).
 * For a call whose record did not come the one is checked that its checkpoint would have made. Answers with the records
 * that came, decided; nothing is written here.
 */
export function decideNeighbours(bytes: Uint8Array, beside: Neighbours, decision: Decision): Outcome<string[]> {
  const view = viewAgain(bytes);
  const runId = textOf(view.payload, 'run_id') ?? '';
  const sessionId = [...beside.approvals, ...beside.deferred][0]?.sessionId ?? '';
  const deciding: Deciding = { decision, sessionId, runId, text: view.text };
  const items = pendingItems(view);
  const approvals = [...beside.approvals];
  const deferred = [...beside.deferred];
  for (const [index, item] of items.entries()) {
    const verdict = decision.verdicts.find((said) => said.index === index);
    // A call that is settled already is none of this decision's.
    if (verdict === undefined) return accepted([]);
    if (item.needs === 'approval') {
      const decided = approvalOf(deciding, item, verdict, approvals);
      if (!decided.ok) return decided;
    } else {
      const resolved = deferredOf(deciding, item, verdict, deferred);
      if (!resolved.ok) return resolved;
    }
  }
  const prepared = prepareContinuation({ sessionId, runStatus: 'waiting', checkpoint: bytes, approvals, deferred });
  if (!prepared.ok) return prepared;
  const came = new Set([
    ...beside.approvals.map((one) => one.approvalId),
    ...beside.deferred.map((one) => one.deferredId),
  ]);
  return accepted(
    [...approvals, ...deferred]
      .filter((record) => came.has('approvalId' in record ? record.approvalId : record.deferredId))
      .map(({ source }) => source.text),
  );
}

/** Puts the decided record in the place of the pending one, or of none. */
function approvalOf(deciding: Deciding, item: PendingItem, verdict: Verdict, all: ApprovalRecord[]): Outcome<null> {
  const at = all.findIndex((record) => record.actionId === item.callId);
  const came = all[at];
  const read = came ? accepted(came) : readApproval(missingApproval(deciding, item));
  if (!read.ok) return read;
  const { decision } = deciding;
  const questions = questionsOf(item.name, item.arguments)?.questions ?? [];
  const answered = verdict.answer?.status === 'completed' ? verdict.answer.text : null;
  const why = answered === null ? (verdict.answer?.text ?? verdict.reason) : undefined;
  const said: RecordedDecision = {
    status: verdict.verdict === 'approve' || answered !== null ? 'approved' : 'denied',
    decidedBy: decision.reviewer.name,
    decidedAt: decision.decidedAt,
    ...(why?.trim() ? { reason: why } : {}),
    ...(verdict.editedArguments === undefined ? {} : { overrideArguments: verdict.editedArguments }),
    ...(answered === null ? {} : { metadata: recordMetadata(questions, answered) }),
  };
  if (read.value.decision !== null && agrees(read.value, said)) return accepted(null);
  const decided = decideApproval(read.value, mutationOf(deciding, read.value.revision, verdict), said);
  if (!decided.ok) return decided;
  const again = readApproval(decided.value.result);
  if (!again.ok) return again;
  put(all, at, again.value);
  return accepted(null);
}

function put<T>(all: T[], at: number, record: T): void {
  if (at === -1) all.push(record);
  else all[at] = record;
}

/** Somebody decided the same before, in starweaver itself: the two agree (H10). */
function agrees(record: ApprovalRecord, said: RecordedDecision): boolean {
  const known = resumesAs(record);
  if (!known.ok || known.value.decision !== said.status) return false;
  return (
    same(record.decision?.overrideArguments, said.overrideArguments) &&
    same(answersIn(record.decision), answersIn(said))
  );
}

const same = (a: string | undefined, b: string | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && sameText(a, b));

const answersIn = (decision: RecordedDecision | null): string | undefined =>
  decision?.metadata?.find(([key]) => key === ANSWERS)?.[1];

function deferredOf(deciding: Deciding, item: PendingItem, verdict: Verdict, all: DeferredRecord[]): Outcome<null> {
  const id = deferredId(deciding.runId, item.callId);
  const at = all.findIndex((record) => record.deferredId === id);
  const came = all[at];
  const read = came ? accepted(came) : readDeferred(missingDeferred(deciding, item));
  if (!read.ok) return read;
  const record = read.value;
  const status = verdict.answer?.status ?? 'cancelled';
  const given = verdict.answer?.text ?? (verdict.reason?.trim() ? verdict.reason : undefined);
  const response = given === undefined ? 'null' : jsonText(given);
  const known = resultOf(record);
  if (known.ok && known.value.status === status && sameText(known.value.response, response)) return accepted(null);
  const mutation = mutationOf(deciding, record.revision, verdict);
  const resolved =
    status === 'cancelled'
      ? cancelled(record, mutation, response)
      : resolveDeferred(record, mutation, { status, response });
  if (!resolved.ok) return resolved;
  const again = readDeferred(resolved.value instanceof Uint8Array ? resolved.value : resolved.value.result);
  if (!again.ok) return again;
  put(all, at, again.value);
  return accepted(null);
}

function cancelled(record: DeferredRecord, mutation: Mutation, response: string): Outcome<Uint8Array> {
  const what = `deferred tool ${record.deferredId}`;
  const revision = nextRevision(what, record.revision, mutation);
  if (!revision.ok) return revision;
  if (record.status !== 'pending' && record.status !== 'waiting')
    return refusedAs('Conflict', `${what} is already ${record.status}`, { status: record.status }, 'already_decided');
  const set = new Map([
    ['revision', revision.value],
    ['status', '"cancelled"'],
    ['response', response],
    ['updated_at', jsonText(canonicalTime(mutation.at))],
  ]);
  return accepted(deferredWith(record, set));
}

function mutationOf({ decision }: Deciding, expectedRevision: string, verdict: Verdict): Mutation {
  return {
    authority: 'holdpoint',
    expectedRevision,
    idempotencyKey: `${decision.decisionId}:${verdict.index}`,
    fingerprint: textDigest(JSON.stringify(verdict)),
    at: decision.decidedAt,
  };
}

/** The records that starweaver makes of a pending item, as far as its checkpoint tells. */
function missingApproval({ sessionId, runId, text, decision }: Deciding, item: PendingItem): Uint8Array {
  return durableBytes(
    APPROVAL,
    jsonObject(
      present([
        ['approval_id', jsonText(approvalId(runId, item.callId))],
        ['session_id', jsonText(sessionId)],
        ['run_id', jsonText(runId)],
        ['action_id', jsonText(item.callId)],
        ['action_name', jsonText(item.name)],
        ['request', item.request && raw(text, item.request)],
        ['reviewed_arguments', item.reviewed && raw(text, item.reviewed)],
        ['created_at', jsonText(decision.decidedAt)],
        ['updated_at', jsonText(decision.decidedAt)],
      ]),
    ),
  );
}

function missingDeferred({ sessionId, runId, text, decision }: Deciding, item: PendingItem): Uint8Array {
  return durableBytes(
    DEFERRED,
    jsonObject(
      present([
        ['deferred_id', jsonText(deferredId(runId, item.callId))],
        ['session_id', jsonText(sessionId)],
        ['run_id', jsonText(runId)],
        ['tool_call_id', jsonText(item.callId)],
        ['tool_name', jsonText(item.name)],
        ['request', item.request && raw(text, item.request)],
        ['status', '"waiting"'],
        ['created_at', jsonText(decision.decidedAt)],
        ['updated_at', jsonText(decision.decidedAt)],
      ]),
    ),
  );
}
