import { readJsonText } from '../../../shared/json.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import { type DeferredRecord, deferredWith } from './deferred-record.js';
import { canonicalTime } from './instants.js';
import { checkMutation, type Mutation, nextRevision, type Receipt, receiptOf, replayOf, targetOf } from './mutation.js';
import { refusedAs } from './names.js';
import { objectOf } from './nodes.js';
import { membersWithout } from './raw-object.js';

/** The end of a deferred call, as a person types or attaches it; free-form values are JSON texts. */
export interface DeferredOutcome {
  status: 'completed' | 'failed';
  response: string;
  /** Joins the record's metadata; equal keys are replaced. */
  metadata?: readonly (readonly [key: string, value: string])[];
}

/**
 * Gives a deferred call its terminal result (S8, S9, S12): the expected revision must be the record's own, and the call
 * pending or waiting. The same command again gets the first result. Nothing changes on a refusal.
 */
export function resolveDeferred(
  record: DeferredRecord,
  mutation: Mutation,
  outcome: DeferredOutcome,
  receipts: readonly Receipt[] = [],
): Outcome<Receipt> {
  const what = `deferred tool ${record.deferredId}`;
  const valid = checkMutation(mutation);
  if (!valid.ok) return valid;
  const response = readJsonText(outcome.response);
  if (!response.ok) return refused('bad_request', `The result is not JSON: ${response.fault.text}`);
  const operation = outcome.status === 'completed' ? 'deferred.complete' : 'deferred.fail';
  const target = targetOf('deferred', record.sessionId, record.runId, record.deferredId);
  const replay = replayOf(receipts, mutation, operation, target);
  if (!replay.ok) return replay;
  if (replay.value !== null) return accepted(replay.value);
  if (record.source.repeated.length > 0)
    return refused('blocked_by_warning', `${what} has keys that stand twice: nobody can say what it asks.`);
  const revision = nextRevision(what, record.revision, mutation);
  if (!revision.ok) return revision;
  if (record.status !== 'pending' && record.status !== 'waiting')
    return refusedAs('Conflict', `${what} is already ${record.status}`, { status: record.status }, 'already_decided');
  const bytes = deferredWith(
    record,
    new Map([
      ['revision', revision.value],
      ['status', jsonText(outcome.status)],
      ['response', outcome.response],
      ['updated_at', jsonText(canonicalTime(mutation.at))],
      ...joinedMetadata(record, outcome),
    ]),
  );
  return accepted(receiptOf(mutation, operation, target, bytes));
}

function joinedMetadata({ source }: DeferredRecord, { metadata = [] }: DeferredOutcome): [string, string][] {
  if (metadata.length === 0) return [];
  const kept = membersWithout(source.text, objectOf(source.payload, 'metadata'), new Set(metadata.map(([key]) => key)));
  const all = [...kept, ...metadata].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return [['metadata', jsonObject(all)]];
}
