import type { ApprovalRecord } from './approval-record.js';
import type { Claim } from './claim.js';
import type { DeferredRecord } from './deferred-record.js';
import { textOf } from './nodes.js';
import { pendingItems } from './pending.js';
import { viewAgain } from './view.js';

/** Records that came beside a checkpoint, or apart from it. */
export interface Neighbours {
  approvals: readonly ApprovalRecord[];
  deferred: readonly DeferredRecord[];
  claims: readonly Claim[];
}

export interface Matched {
  /** By the position of the pending call. */
  calls: { index: number; approvals: ApprovalRecord[]; deferred: DeferredRecord[] }[];
  claims: Claim[];
  /** Records of another run, or of no pending call of this one. */
  strays: (ApprovalRecord | DeferredRecord | Claim)[];
}

/** Finds the records of a checkpoint by run and call. What they say is not judged here: `prepareContinuation` does. */
export function matchNeighbours(bytes: Uint8Array, { approvals, deferred, claims }: Neighbours): Matched {
  const view = viewAgain(bytes);
  const runId = textOf(view.payload, 'run_id');
  const calls = pendingItems(view).map(({ needs, callId }, index) => ({
    index,
    approvals: approvals.filter(
      (record) => needs === 'approval' && record.runId === runId && record.actionId === callId,
    ),
    deferred: deferred.filter((record) => needs === 'result' && record.runId === runId && record.callId === callId),
  }));
  const own = claims.filter((claim) => claim.runId === runId);
  const taken = new Set([...calls.flatMap((call) => [...call.approvals, ...call.deferred]), ...own]);
  return { calls, claims: own, strays: [...approvals, ...deferred, ...claims].filter((record) => !taken.has(record)) };
}
