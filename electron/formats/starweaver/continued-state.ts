import { readJsonText } from '../../../shared/json.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';
import type { Stand } from './continued-stand.js';
import { textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { carried, membersWithout, present, rawMember } from './raw-object.js';
import { STATE_KEYS } from './shape.js';

/** The state of the continued run, in declared order; what was not measured here, such as usage, stays as it was. */
export function stateText(view: View, stand: Stand): string {
  const { state } = view;
  const response = stand.history.findLast((text) => kindOf(text) === 'response');
  const list = (texts: readonly string[]): string | undefined => (texts.length === 0 ? undefined : jsonList(texts));
  return jsonObject(
    present([
      ['run_id', jsonText(stand.runId)],
      ['conversation_id', jsonText(stand.conversationId)],
      ['message_history', jsonList(stand.history)],
      ['usage', rawMember(view.text, state, 'usage')],
      ['run_step', String(stand.step)],
      ['status', jsonText(stand.status)],
      ['output', stand.answer],
      ['latest_response', response === undefined ? undefined : withoutKind(response)],
      ['pending_tool_calls', list(stand.batch)],
      ['pending_approval_tool_returns', list(stand.approvals)],
      ['idle_messages', rawMember(view.text, state, 'idle_messages')],
      ['parent_run_id', carried(view.text, state, 'parent_run_id')],
      ['parent_task_id', carried(view.text, state, 'parent_task_id')],
      ['metadata', carried(view.text, state, 'metadata')],
      ...membersWithout(view.text, state, STATE_KEYS),
    ]),
  );
}

function kindOf(message: string): string | null {
  const read = readJsonText(message);
  return read.ok ? textOf(read.root, 'kind') : null;
}

/** `latest_response` is the response without its tag. */
function withoutKind(response: string): string {
  const read = readJsonText(response);
  return jsonObject(membersWithout(response, read.ok ? read.root : undefined, new Set(['kind'])));
}
