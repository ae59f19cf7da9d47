import { accepted, type Outcome } from '../../../shared/refusal.js';
import { type DeferredRecord, resultOf } from './deferred-record.js';
import { deferredId, refusedAs } from './names.js';
import { ownedBy } from './prepare-owner.js';
import type { Prepared, Waiting } from './waiting-run.js';

/** One terminal record for each deferred call, and no other record (S11, S12). */
export function checkDeferred(waiting: Waiting, records: readonly DeferredRecord[]): Outcome<Prepared['results']> {
  const byId = new Map<string, DeferredRecord>();
  for (const record of records) {
    const id = record.deferredId;
    const owned = ownedBy(waiting, record, `deferred record ${id}`);
    if (!owned.ok) return owned;
    if (byId.has(id)) {
      const text = `duplicate durable deferred decision for ${id}`;
      return refusedAs('DuplicateDecision', text, { kind: 'deferred', id });
    }
    byId.set(id, record);
  }
  const results: Prepared['results'] = [];
  for (const [index, item] of waiting.items.entries()) {
    if (item.needs !== 'result') continue;
    const id = deferredId(waiting.runId, item.callId);
    const record = byId.get(id);
    const facts = { kind: 'deferred', id };
    if (record === undefined)
      return refusedAs('MissingDecision', `missing terminal durable deferred decision for ${id}`, facts);
    if (record.callId !== item.callId) {
      const text = `durable deferred decision ${id} references ${record.callId}; expected ${item.callId}`;
      return refusedAs('MismatchedDecisionIdentity', text, { ...facts, actual: record.callId, expected: item.callId });
    }
    const result = resultOf(record);
    if (!result.ok) return result;
    byId.delete(id);
    results.push({ index, result: result.value });
  }
  const [stray] = byId.keys();
  if (stray === undefined) return accepted(results);
  return refusedAs('UnknownDecision', `unknown durable deferred decision for ${stray}`, {
    kind: 'deferred',
    id: stray,
  });
}
