import type { Message, ToolCall } from '../../../shared/checkpoint.js';
import { type JsonNode, member, readJsonText } from '../../../shared/json.js';
import { fitsInRecord, jsonList, jsonText } from '../json-text.js';
import { sortedObject, sortedText } from './sorted.js';

/** Levels above the arguments of a call: envelope, payload, transcript, message, content, part. */
const ABOVE_ARGUMENTS = 6;

/** A message that is new in the transcript, in runifold's own form (FORMATS 5.2). `tool` is the name behind an answer. */
export function messageText(message: Message, answer: { tool: string | null; failed: boolean }): string {
  const { role, content, toolCalls, toolCallId } = message;
  const parts =
    role === 'tool'
      ? [resultText(toolCallId ?? '', answer.tool, content, answer.failed)]
      : [...(content !== '' || toolCalls.length === 0 ? [textPart(content)] : []), ...toolCalls.map(callText)];
  return sortedObject([
    ['content', jsonList(parts)],
    ['metadata', '{}'],
    ['role', jsonText(role)],
  ]);
}

/** A message of the record, as it stands there but for ids that were replaced (H8). */
export function keptText(node: JsonNode, messages: readonly { message: Message; part: number | null }[]): string {
  const content = member(node, 'content');
  const parts = content?.kind === 'array' ? content.items : [];
  const replaced = new Map<JsonNode, string>();
  for (const { message, part } of messages) {
    if (part !== null) replaceId(replaced, parts[part], 'call_id', message.toolCallId);
    const calls = part === null ? parts.filter((item) => isCall(item)) : [];
    for (const [at, call] of calls.entries()) replaceId(replaced, call, 'id', message.toolCalls[at]?.id);
  }
  return sortedText(node, replaced);
}

export function textPart(text: string): string {
  return sortedObject([
    ['text', jsonText(text)],
    ['type', '"text"'],
  ]);
}

/**
 * `arguments` holds the value, sorted like everything free-form; the model's own text stands beside it where the two
 * differ. Text that is no JSON, as a model may write it, is kept as a JSON string.
 */
function callText({ id, name, arguments: written }: ToolCall): string {
  const read = fitsInRecord(written, ABOVE_ARGUMENTS) ? readJsonText(written) : null;
  const value = read?.ok ? sortedText(read.root) : jsonText(written);
  return sortedObject([
    ['arguments', value],
    ['id', jsonText(id ?? '')],
    ['metadata', '{}'],
    ['name', jsonText(name)],
    ['raw_arguments', value === written ? 'null' : jsonText(written)],
    ['type', '"tool_call"'],
  ]);
}

function resultText(callId: string, tool: string | null, content: string, failed: boolean): string {
  return sortedObject([
    ['call_id', jsonText(callId)],
    ['content', jsonList([textPart(content)])],
    ['is_error', String(failed)],
    ['metadata', '{}'],
    ['name', tool === null ? 'null' : jsonText(tool)],
    ['type', '"tool_result"'],
  ]);
}

function isCall(part: JsonNode): boolean {
  const type = member(part, 'type');
  return type?.kind === 'string' && type.value === 'tool_call';
}

function replaceId(
  replaced: Map<JsonNode, string>,
  part: JsonNode | undefined,
  key: string,
  id: string | null | undefined,
): void {
  const node = part === undefined ? undefined : member(part, key);
  if (node !== undefined && id != null) replaced.set(node, jsonText(id));
}
