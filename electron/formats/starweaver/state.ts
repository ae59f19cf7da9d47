import type { NormalRecord } from '../../../shared/checkpoint.js';
import type { History } from './history.js';
import { CHECKPOINT } from './names.js';
import { listOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import type { PendingItem } from './pending.js';

interface Standing {
  state: NormalRecord['state'];
  classification: string;
  about: { name: string; value: string }[];
}

const TERMINAL = new Set(['completed', 'failed', 'cancelled']);
/** Where calls are made; a batch that stands in a record of another node is over (S5). */
const AT_TOOLS = new Set(['tool_call', 'tool_return']);

/**
 * Where a run stands by its checkpoint alone (H18). Nearly every checkpoint is an ordinary boundary (S4); a run waits for
 * a person only when its status says so and something pends, and a list that is filled already does not make it wait (S6).
 */
export function standingOf(view: View, items: readonly PendingItem[], history: History): Standing {
  const status = textOf(view.state, 'status') ?? '';
  const node = textOf(view.payload, 'node') ?? '';
  const about = [
    { name: 'node', value: node },
    { name: 'status', value: status },
    { name: 'envelope', value: view.envelope === 'v1' ? `${CHECKPOINT} v1` : 'bare v0' },
    ...reasons(items),
    ...lastMessage(view),
  ];
  if (TERMINAL.has(status)) {
    const stale = listOf(view.state, 'pending_tool_calls').length;
    const batch = stale === 1 ? 'one call' : `${stale} calls`;
    const left = stale === 0 ? '' : ` (its last batch still stands in it: ${batch})`;
    const ended = status === 'completed' ? 'finished' : status;
    return { state: 'finished', classification: `${ended}; nothing to decide${left}`, about };
  }
  if (status === 'waiting' && items.length > 0) {
    return { state: 'waiting', classification: `waiting for ${counted(items)}`, about };
  }
  if (status === 'waiting') {
    return { state: 'running', classification: 'waiting, but for nothing that a person could decide', about };
  }
  const more = items.length === 0 ? '' : `${counted(items)} will be needed once the other calls of the batch are done`;
  const inFlight = AT_TOOLS.has(node) ? unanswered(view, items, history) : [];
  if (inFlight.length > 0) {
    const may = `in flight: ${inFlight.join(', ')} of step ${stepOf(view)} may have run`;
    return { state: 'in_flight', classification: more === '' ? may : `${may}; ${more}`, about };
  }
  const interrupted = `interrupted after step ${stepOf(view)}, at ${node}; nothing waits for a person`;
  return { state: 'running', classification: more === '' ? interrupted : `not waiting yet: ${more}`, about };
}

/** The calls of the batch that have no answer and wait for none: they were about to run, or were running. */
function unanswered(view: View, items: readonly PendingItem[], history: History): string[] {
  const settled = new Set([...items.map((item) => item.callId), ...history.messages.map((said) => said.toolCallId)]);
  return listOf(view.state, 'pending_tool_calls')
    .filter((call) => !settled.has(textOf(call, 'id')))
    .map((call) => textOf(call, 'name') ?? '');
}

/** Completed steps; the shape bounds them to exact numbers. */
export function stepOf(view: View): number {
  const found = view.payload.entries.findLast((entry) => entry.key === 'run_step')?.value;
  return found?.kind === 'number' ? Number(found.text) : 0;
}

function counted(items: readonly PendingItem[]): string {
  const approvals = items.filter((item) => item.needs === 'approval').length;
  const results = items.length - approvals;
  const parts = [
    ...(approvals === 0 ? [] : [approvals === 1 ? 'one approval' : `${approvals} approvals`]),
    ...(results === 0
      ? []
      : [results === 1 ? 'one result of a deferred call' : `${results} results of deferred calls`]),
  ];
  return parts.join(' and ');
}

function reasons(items: readonly PendingItem[]): { name: string; value: string }[] {
  return items.flatMap((item, index) => {
    const reason = textOf(item.request, 'reason');
    const deferred = item.needs === 'result' ? [{ name: `call ${index + 1}`, value: 'deferred: needs a result' }] : [];
    return reason === null ? deferred : [...deferred, { name: `why call ${index + 1} stopped`, value: reason }];
  });
}

/** A checkpoint has no time of its own. */
function lastMessage(view: View): { name: string; value: string }[] {
  const times = listOf(view.state, 'message_history').map((message) => textOf(message, 'timestamp'));
  const last = times.findLast((time) => time !== null);
  return last == null ? [] : [{ name: 'last message', value: last }];
}
