import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import type { ApprovalRecord } from './approval-record.js';
import type { DeferredRecord } from './deferred-record.js';
import { refusedAs } from './names.js';
import { textOf } from './nodes.js';
import { evidenceFaults, pendingItems } from './pending.js';
import { checkApprovals } from './prepare-approvals.js';
import { checkDeferred } from './prepare-deferred.js';
import type { RunStatus } from './shape.js';
import { viewOf } from './view.js';
import type { Prepared, Waiting } from './waiting-run.js';

/** Everything durable about a waiting run. */
export interface Evidence {
  sessionId: string;
  /** Of the durable run record; it alone decides whether the run waits (S6). */
  runStatus: RunStatus | 'queued';
  /** Null when the run has none that could be resumed. */
  checkpoint: Uint8Array | null;
  approvals: readonly ApprovalRecord[];
  deferred: readonly DeferredRecord[];
}

/**
 * Goes through a waiting run as starweaver does before anything may fire, and refuses under its names (S11-S13). Nothing
 * is written, and no tool is run.
 */
export function prepareContinuation(evidence: Evidence): Outcome<Prepared> {
  if (evidence.runStatus !== 'waiting') return refusedAs('SourceNotWaiting', 'the run is not waiting');
  if (evidence.checkpoint === null)
    return refusedAs('MissingCheckpoint', 'the waiting run has no resumable checkpoint');
  const viewed = viewOf(evidence.checkpoint);
  if (!viewed.ok) {
    const { refusal: read } = viewed;
    if (read.code === 'IdentityMismatch') return refusedAs('IdentityMismatch', read.text, { read });
    return refused('unreadable', read.text, { read });
  }
  const { view } = viewed;
  if (view.duplicates.length > 0) return refused('blocked_by_warning', view.duplicates[0]?.text ?? '');
  const items = pendingItems(view);
  const runId = textOf(view.payload, 'run_id') ?? '';
  if (items.length === 0) return refusedAs('NoPendingHitl', `waiting run ${runId} has no pending HITL work`);
  const [fault] = evidenceFaults(runId, items, view.text);
  if (fault !== undefined) return refusedAs(fault.name, fault.text, { path: fault.path });
  const waiting: Waiting = { sessionId: evidence.sessionId, runId, text: view.text, items };
  const decisions = checkApprovals(waiting, evidence.approvals);
  if (!decisions.ok) return decisions;
  const results = checkDeferred(waiting, evidence.deferred);
  if (!results.ok) return results;
  return accepted({ decisions: decisions.value, results: results.value });
}
