import { pathText } from '../../../shared/json-path.js';
import { listOf, numberOf, objectOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';

/** Two places of one fact that do not agree. `path` is the second of them. */
export interface Contradiction {
  path: readonly string[];
  words: string;
}

/**
 * Facts that stand more than once in a checkpoint: ids, node, run step, status, counts and cursor in the record, in its
 * resume evidence and in its state (S11 IdentityMismatch). Null when all agree.
 */
export function findContradiction(view: View): Contradiction | null {
  const { payload, resume, state, base } = view;
  const cursor = objectOf(resume, 'cursor');
  const step = numberOf(payload, 'run_step');
  const calls = listOf(state, 'pending_tool_calls').length;
  const facts: [second: string[], is: string | null, first: string, was: string | null][] = [
    [['state', 'run_id'], textOf(state, 'run_id'), 'run_id', textOf(payload, 'run_id')],
    [
      ['state', 'conversation_id'],
      textOf(state, 'conversation_id'),
      'conversation_id',
      textOf(payload, 'conversation_id'),
    ],
    [['resume', 'node'], textOf(resume, 'node'), 'node', textOf(payload, 'node')],
    [['resume', 'run_step'], numberOf(resume, 'run_step'), 'run_step', step],
    [['state', 'run_step'], numberOf(state, 'run_step'), 'run_step', step],
    [['resume', 'status'], textOf(resume, 'status'), 'state.status', textOf(state, 'status')],
    counted('pending_approval_count', 'pending_approval_tool_returns'),
    counted('deferred_tool_count', 'deferred_tool_returns'),
    [
      ['resume', 'cursor', 'message_cursor'],
      numberOf(cursor, 'message_cursor'),
      'the length of state.message_history',
      String(listOf(state, 'message_history').length),
    ],
    [['resume', 'cursor', 'model_request_attempt'], numberOf(cursor, 'model_request_attempt'), 'run_step', step],
    [
      ['resume', 'cursor', 'tool_call_batch_id'],
      textOf(cursor, 'tool_call_batch_id'),
      calls === 0 ? 'state.pending_tool_calls, which is empty' : 'state.pending_tool_calls and run_step',
      calls === 0 ? null : `tool_batch_${step}`,
    ],
  ];
  const differs = facts.find(([, is, , was]) => is !== was);
  if (differs === undefined) return null;
  const [second, is, first, was] = differs;
  const path = [...base, ...second];
  return { path, words: `${pathText(path)} is ${shown(is)}, but by ${first} it should be ${shown(was)}` };

  function counted(count: string, list: string): (typeof facts)[number] {
    return [
      ['resume', count],
      numberOf(resume, count),
      `the length of state.${list}`,
      String(listOf(state, list).length),
    ];
  }
}

function shown(fact: string | null): string {
  return fact === null ? 'absent' : JSON.stringify(fact.length <= 80 ? fact : `${fact.slice(0, 80)}…`);
}
