import type { Message, ToolCall } from '../../../shared/checkpoint.js';
import type { Continued } from '../format.js';
import { fitsInRecord, jsonList, jsonObject, jsonText } from '../json-text.js';
import { readKlieo } from './read.js';

/**
 * The record one step further in klieo's compact form: keys in declared order, arguments as raw text, a fresh latch
 * (K4, J1, J2). Unknown keys belong to the stop they came with and are not carried on.
 */
export function writeContinued(bytes: Uint8Array, continued: Continued): Uint8Array {
  const before = readKlieo(bytes);
  if (!before.ok) throw new Error(`not a readable klieo record: ${before.refusal.text}`);
  const { runId, threadId } = before.record;
  const pending = continued.pending === null ? 'null' : jsonList(continued.pending.map(callText));
  const record = jsonObject([
    ['run_id', jsonText(runId)],
    ['step_index', String(continued.step)],
    ['thread_id', jsonText(threadId ?? '')],
    ['messages', jsonList(continued.messages.map(messageText))],
    ['pending_tool_calls', pending],
    ['resume_attempted', 'false'],
    ['created_at', jsonText(continued.createdAt)],
  ]);
  return new TextEncoder().encode(record);
}

/** One message in klieo's compact form. */
export function messageText({ role, content, toolCalls, toolCallId }: Message): string {
  const id = toolCallId === null ? 'null' : jsonText(toolCallId);
  return `{"role":"${role}","content":${jsonText(content)},"tool_calls":${jsonList(toolCalls.map(callText))},"tool_call_id":${id}}`;
}

function callText({ id, name, arguments: written }: Pick<ToolCall, 'id' | 'name' | 'arguments'>): string {
  return `{"id":${jsonText(id ?? '')},"name":${jsonText(name)},"args":${argsText(written)}}`;
}

/** Text that is no JSON, as a model may write it, is kept as a JSON string: a record has no other place for it. */
function argsText(written: string): string {
  // In the record it stands five levels deep, and 127 is the limit for the whole.
  return fitsInRecord(written, 5) ? written : jsonText(written);
}
