import { jsonObject, jsonText } from '../json-text.js';
import { deferredId } from './names.js';
import { present } from './raw-object.js';

/** The call that is answered. */
export interface Answered {
  callId: string;
  name: string;
}

/** What stands in an answer of a deferred call; the response is JSON text. */
export interface DeferredResult {
  status: 'completed' | 'failed' | 'cancelled';
  response: string;
}

/** A tool's own answer; the content is JSON text. */
export function plainReturn(call: Answered, content: string, isError: boolean): string {
  return toolReturn(call, content, isError, []);
}

/** The answer of a call that was approved and ran (S14). */
export function approvedReturn(call: Answered, content: string, isError: boolean): string {
  return toolReturn(call, content, isError, [
    ['approval_state', '"approved"'],
    ['hitl_state', '"resolved"'],
  ]);
}

/** The answer of a call that a person denied: an error that says so, with the reason where there is one (S14). */
export function deniedReturn(call: Answered, denied: { reason?: string; by?: string; metadata?: string }): string {
  const content = jsonObject([
    ['kind', '"approval_denied"'],
    ['message', jsonText(denied.reason ?? 'A person denied this call and gave no reason.')],
    ['tool_call_id', jsonText(call.callId)],
    ['tool_name', jsonText(call.name)],
  ]);
  return toolReturn(
    call,
    content,
    true,
    present([
      ['approval_metadata', denied.metadata],
      ['approval_state', '"denied"'],
      ['decided_by', denied.by === undefined ? undefined : jsonText(denied.by)],
      ['hitl_state', '"resolved"'],
    ]),
  );
}

/** The answer of a deferred call: its response when it completed, else an error with status and response (S14). */
export function deferredReturn(runId: string, call: Answered, { status, response }: DeferredResult): string {
  const metadata: [string, string][] = [
    ['deferred_id', jsonText(deferredId(runId, call.callId))],
    ['deferred_status', jsonText(status)],
    ['hitl_state', '"resolved"'],
  ];
  if (status === 'completed') return toolReturn(call, response, false, metadata);
  const content = jsonObject([
    ['kind', jsonText(`deferred_${status}`)],
    ['response', response],
    ['status', jsonText(status)],
  ]);
  return toolReturn(call, content, true, metadata);
}

/** A tool return in starweaver's order of keys; metadata is sorted and left out when empty (J2). */
function toolReturn(
  call: Answered,
  content: string,
  isError: boolean,
  metadata: readonly (readonly [string, string])[],
): string {
  return jsonObject(
    present([
      ['tool_call_id', jsonText(call.callId)],
      ['name', jsonText(call.name)],
      ['content', content],
      ['is_error', String(isError)],
      ['metadata', metadata.length === 0 ? undefined : jsonObject(metadata)],
    ]),
  );
}
