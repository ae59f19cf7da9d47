import type { Message, ToolCall } from '../../../shared/checkpoint.js';
import { type JsonNode, member } from '../../../shared/json.js';
import { executedArguments } from './arguments.js';
import { listOf, textOf } from './nodes.js';

/**
 * A response as one message of the normal form; none when it says nothing and calls nothing. Thinking is not told to a
 * model again, and what the provider did itself is only named.
 */
export function responseMessage(text: string, response: JsonNode, note: (kind: string) => void): Message[] {
  let said = '';
  const marks: string[] = [];
  for (const part of listOf(response, 'parts')) {
    const kind = textOf(part, 'kind') ?? '';
    if (kind === 'text' || kind === 'provider_text') {
      said += textOf(part, 'text') ?? '';
      continue;
    }
    const mark = markOf(kind, part);
    if (mark === null) continue;
    note(kind);
    marks.push(mark);
  }
  const content = [...(said === '' ? [] : [said]), ...marks].join('\n');
  const toolCalls = callsOf(text, response);
  if (content === '' && toolCalls.length === 0) return [];
  return [{ role: 'assistant', content, toolCalls, toolCallId: null }];
}

/** The tool calls of a response as they would be executed. */
function callsOf(text: string, response: JsonNode): ToolCall[] {
  return callParts(response).map(({ node }) => callOf(text, node));
}

/** The calls of a response, whichever of the two kinds of parts they stand in, with their paths in it. */
export function callParts(response: JsonNode | undefined): { node: JsonNode; path: (string | number)[] }[] {
  return listOf(response, 'parts').flatMap((part, index) => {
    const kind = textOf(part, 'kind');
    if (kind === 'tool_call') return [{ node: part, path: ['parts', index] }];
    const call = kind === 'provider_tool_call' ? member(part, 'call') : undefined;
    return call === undefined ? [] : [{ node: call, path: ['parts', index, 'call'] }];
  });
}

export function callOf(text: string, call: JsonNode): ToolCall {
  return {
    id: textOf(call, 'id'),
    name: textOf(call, 'name') ?? '',
    arguments: executedArguments(text, member(call, 'arguments')),
  };
}

function markOf(kind: string, part: JsonNode): string | null {
  switch (kind) {
    case 'native_tool_call':
      return `[the provider's own tool ${textOf(part, 'tool_type')} was called]`;
    case 'native_tool_return':
      return `[the provider's own tool ${textOf(part, 'tool_type')} answered]`;
    case 'file':
      return `[file, ${textOf(part, 'media_type')}: ${textOf(part, 'url')}]`;
    case 'compaction':
      return `[summary of what came before] ${textOf(part, 'summary')}`;
    case 'provider_opaque':
      return `[the provider's own ${textOf(part, 'item_type')}]`;
    default:
      // Calls stand in the message itself; thinking belongs to the model that thought it.
      return null;
  }
}
