import { sameJson } from '../../../shared/json-compare.js';
import type { Lineage, Succession } from '../format.js';
import { laterOnly } from '../order.js';
import { listOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { stepOf } from './state.js';
import { viewAgain } from './view.js';

/**
 * The boundaries of one value of run_step, in the order in which a run passes them: it counts up right before the model
 * answers, so what prepares a request still bears the number of the step before. Calls and their returns alternate.
 */
const NODES: readonly (readonly string[])[] = [
  ['run_start'],
  ['model_response'],
  ['tool_call', 'tool_return'],
  ['validate_output'],
  ['prepare_model_request'],
  ['before_model_request'],
  ['run_complete', 'run_failed'],
];
const STATUSES: readonly (readonly string[])[] = [
  ['starting'],
  ['running'],
  ['waiting'],
  ['completed', 'failed', 'cancelled'],
];

/** How far a run had come when a checkpoint was written; a checkpoint has no time of its own (S4, S6). */
export function orderOf(view: View): string {
  const { payload, state } = view;
  const returns = ['pending_tool_returns', 'pending_approval_tool_returns', 'deferred_tool_returns'];
  return [
    stepOf(view),
    placeIn(NODES, textOf(payload, 'node')),
    placeIn(STATUSES, textOf(state, 'status')),
    listOf(state, 'message_history').length,
    returns.reduce((sum, key) => sum + listOf(state, key).length, 0),
  ].join(' ');
}

function placeIn(order: readonly (readonly string[])[], word: string | null): number {
  return Math.max(
    0,
    order.findIndex((words) => words.includes(word ?? '')),
  );
}

/**
 * An earlier boundary never takes the place of a later one. Checkpoints are only ever added: other content under an id
 * that is known is what starweaver's store calls a Conflict (S19); here it is the next suspension, and says so.
 */
export function succession(before: Lineage, next: Lineage): Succession {
  const said = laterOnly(before, next, 'it was written at an earlier boundary of the run than the one that is known');
  if (said.kind !== 'supersedes' || before.checkpointId !== next.checkpointId) return said;
  const conflict = `checkpoint ${next.checkpointId} is known with other content, which starweaver's own store refuses as Conflict: look at what differs`;
  return { ...said, conflict };
}

/** The same checkpoint in other bytes, bare or in an envelope, is no conflict (S3, S19). */
export function sameContent(before: Uint8Array, next: Uint8Array): boolean {
  return sameJson(viewAgain(before).payload, viewAgain(next).payload);
}
