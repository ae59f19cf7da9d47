import { jsonObject, jsonText } from '../json-text.js';
import type { Stand } from './continued-stand.js';
import { objectOf, textOf } from './nodes.js';
import type { View } from './parsed-view.js';
import { carried, membersWithout, present, rawMember } from './raw-object.js';
import { CURSOR_KEYS, RESUME_KEYS } from './shape.js';

/** Resume evidence as starweaver derives it from the state; a revision and a reference only where they are texts. */
export function evidenceText(view: View, stand: Stand): string {
  const { text, state, resume } = view;
  const metadata = objectOf(state, 'metadata');
  const fromMetadata = (key: string): string | undefined => {
    const found = textOf(metadata, key);
    return found === null ? undefined : jsonText(found);
  };
  const cursor = objectOf(resume, 'cursor');
  const step = String(stand.step);
  const cursorText = jsonObject(
    present([
      ['model_request_attempt', step],
      ['tool_call_batch_id', stand.batch.length === 0 ? undefined : jsonText(`tool_batch_${step}`)],
      ['output_validation_attempt', '0'],
      ['stream_cursor', carried(text, cursor, 'stream_cursor')],
      ['message_cursor', String(stand.history.length)],
      ...membersWithout(text, cursor, CURSOR_KEYS),
    ]),
  );
  return jsonObject(
    present([
      ['node', jsonText(stand.node)],
      ['status', jsonText(stand.status)],
      ['run_step', step],
      ['cursor', cursorText],
      ['usage', rawMember(text, state, 'usage')],
      ['context_revision', fromMetadata('context_revision')],
      ['environment_ref', fromMetadata('environment_ref')],
      ['pending_approval_count', String(stand.approvals.length)],
      ['deferred_tool_count', '0'],
      ['trace_context', carried(text, resume, 'trace_context')],
      ['metadata', carried(text, resume, 'metadata')],
      ...membersWithout(text, resume, RESUME_KEYS),
    ]),
  );
}
