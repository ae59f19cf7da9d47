import type { Message } from '../../../shared/checkpoint.js';
import { type JsonNode, raw } from '../../../shared/json.js';
import { type Patch, patchSpans } from '../../../shared/json-patch.js';
import { jsonList, jsonObject } from '../json-text.js';
import { goMember } from './go-struct.js';
import { goText } from './go-text.js';

/** A message that is new in the window, in the form that Cyrene's messages have (an assumption, FORMATS 6). */
export function messageText({ role, content, toolCalls, toolCallId }: Message): string {
  const calls = toolCalls.map(({ id, name, arguments: written }) =>
    jsonObject([
      ['id', goText(id ?? '')],
      ['type', '"function"'],
      [
        'function',
        jsonObject([
          ['name', goText(name)],
          ['arguments', goText(written)],
        ]),
      ],
    ]),
  );
  return jsonObject([
    ['role', goText(role)],
    ['content', goText(content)],
    ...(calls.length === 0 ? [] : [['tool_calls', jsonList(calls)] as const]),
    ...(toolCallId === null || toolCallId === '' ? [] : [['tool_call_id', goText(toolCallId)] as const]),
  ]);
}

/** A message of the row as it is written there, but for ids that were replaced (H8). `before` is its normal form. */
export function keptText(text: string, node: JsonNode, before: Message, now: Message): string {
  const calls = goMember(node, 'tool_calls');
  const nodes = calls?.kind === 'array' ? calls.items : [];
  const patches = nodes.flatMap((call, at) => idPatch(call, 'id', before.toolCalls[at]?.id, now.toolCalls[at]?.id));
  patches.push(...idPatch(node, 'tool_call_id', before.toolCallId, now.toolCallId));
  const local = patches.map((patch) => ({ ...patch, start: patch.start - node.start, end: patch.end - node.start }));
  return patchSpans(raw(text, node), local);
}

function idPatch(node: JsonNode, key: string, was: string | null | undefined, is: string | null | undefined): Patch[] {
  if (is == null || is === was || node.kind !== 'object') return [];
  const id = goMember(node, key);
  if (id !== undefined) return [{ start: id.start, end: id.end, replacement: goText(is) }];
  const at = node.start + 1;
  const comma = node.entries.length === 0 ? '' : ',';
  return [{ start: at, end: at, replacement: `"${key}":${goText(is)}${comma}` }];
}
