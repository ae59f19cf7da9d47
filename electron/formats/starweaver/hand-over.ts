import type { NormalRecord, PendingCall } from '../../../shared/checkpoint.js';
import type { Decision, Verdict } from '../../../shared/decision.js';
import type { HandedOver } from '../format.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import { decisionOf, decisionToText } from './decision.js';
import { deferredId } from './names.js';
import { present } from './raw-object.js';
import { viewAgain } from './view.js';

/**
 * What starweaver needs to go on (H13): its own result set, a decision for each approval under the call's id and a
 * result for each deferred call, and the record as it came. It takes a mixed and an edited batch as it is.
 */
export function handOver(bytes: Uint8Array, record: NormalRecord, decision: Decision): HandedOver {
  const said = (record.pending ?? []).flatMap((call) => {
    const verdict = decision.verdicts.find((candidate) => candidate.index === call.index);
    return verdict === undefined ? [] : [{ call, verdict }];
  });
  const approvals = said
    .filter(({ call }) => !isDeferred(call))
    .map(({ call, verdict }): [string, string] => [
      call.id ?? '',
      decisionToText(decisionOf(call, verdict, decision.reviewer.name)),
    ])
    .toSorted(([a], [b]) => bytewise(a, b));
  const results = said
    .filter(({ call }) => isDeferred(call))
    .map(({ call, verdict }) => resultText(record.runId, call, verdict));
  const systemDecision = jsonObject(
    present([
      ['approvals', approvals.length === 0 ? undefined : jsonObject(approvals)],
      ['deferred_results', results.length === 0 ? undefined : jsonObject([['results', jsonList(results)]])],
    ]),
  );
  return { systemDecision, record: viewAgain(bytes).text, notes: notes(said, decision) };
}

const isDeferred = ({ needs, question }: PendingCall): boolean => needs === 'result' && !question;

/** What the reviewer gave; a rejection of a deferred call is a terminal result too: nobody wants it any more. */
function resultText(runId: string, call: PendingCall, verdict: Verdict): string {
  const reason = verdict.answer?.text ?? (verdict.reason?.trim() ? verdict.reason : undefined);
  return jsonObject(
    present([
      ['deferred_id', jsonText(deferredId(runId, call.id ?? ''))],
      ['status', jsonText(verdict.answer?.status ?? 'cancelled')],
      ['response', reason === undefined ? undefined : jsonText(reason)],
    ]),
  );
}

function notes(said: readonly { call: PendingCall; verdict: Verdict }[], decision: Decision): string[] {
  const lines = said.flatMap(({ call, verdict }) => {
    const name = `call ${call.index + 1} (${call.name})`;
    if (call.question) return verdict.answer ? [`${name} is a question; its answer is in the decision's metadata`] : [];
    if (call.needs === 'result')
      return verdict.answer === undefined
        ? [`${name} was deferred; the rejection is handed over as its result, cancelled`]
        : [`${name} was deferred; its result (${verdict.answer.status}) is the one that the reviewer gave`];
    if (verdict.editedArguments === undefined) return [];
    return [`${name} runs with the arguments that the reviewer edited; they are its override_arguments`];
  });
  if (decision.repair === undefined) return lines;
  return [...lines, 'calls without an answer and answers to no call stay in the history: the record is not changed'];
}

/** Maps are written with their keys sorted by their bytes (J2). */
function bytewise(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, index) => character !== right[index]);
  if (at === -1) return left.length - right.length;
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1);
}
