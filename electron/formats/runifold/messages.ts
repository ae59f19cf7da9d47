import type { Message, ToolCall, Warning } from '../../../shared/checkpoint.js';
import { type JsonNode, raw, readJsonText } from '../../../shared/json.js';
import { sameJson } from '../../../shared/json-compare.js';
import type { Part, RunifoldMessage } from './content-shape.js';

/** Where a message of the normal form stands: an item of the list, and in it the part that is a tool's result. */
export interface Source {
  item: number;
  part: number | null;
}

export interface ReadMessages {
  messages: Message[];
  sources: Source[];
  warnings: Warning[];
}

/**
 * runifold's rich messages in the normal form. One message with several tool results becomes several. What is no text
 * is named in brackets where a model would see it; what only runifold sends back to its model is left out, and told.
 * `place` is the path of one item in the record.
 */
export function readMessages(
  text: string,
  items: readonly RunifoldMessage[],
  place: (item: number) => string,
): ReadMessages {
  const read: ReadMessages = { messages: [], sources: [], warnings: [] };
  for (const [item, { role, content }] of items.entries()) {
    const results = content.flatMap((part, at) => (part.type === 'tool_result' ? [{ part, at }] : []));
    const rest = content.filter((part) => part.type !== 'tool_result');
    if (rest.length > 0 || results.length === 0) {
      const toolCalls = rest.flatMap((part) => (part.type === 'tool_call' ? [readCall(text, part)] : []));
      read.messages.push({ role, content: contentText(rest), toolCalls, toolCallId: null });
      read.sources.push({ item, part: null });
    }
    for (const { part, at } of results) {
      const structured = part.structured_content === null ? '' : raw(text, part.structured_content);
      const answer = contentText(part.content) || structured;
      read.messages.push({ role: 'tool', content: answer, toolCalls: [], toolCallId: part.call_id });
      read.sources.push({ item, part: at });
    }
    read.warnings.push(...leftOut(content, place(item)));
  }
  return read;
}

/**
 * `arguments` is what runifold runs. The original text beside it stands for it where it says the same, because it keeps
 * the model's own writing, and where the model wrote no JSON at all.
 */
function readCall(text: string, part: Extract<Part, { type: 'tool_call' }>): ToolCall {
  const written = raw(text, part.arguments);
  return { id: part.id, name: part.name, arguments: originalText(part.arguments, part.raw_arguments) ?? written };
}

function originalText(value: JsonNode, original: string | null): string | null {
  if (original === null) return null;
  // Text that could not stand there as a value is kept as a text.
  if (value.kind === 'string' && value.value === original) return original;
  const read = readJsonText(original);
  return read.ok && sameJson(read.root, value) ? original : null;
}

function contentText(parts: readonly Part[]): string {
  const pieces = parts.flatMap((part) => partText(part) ?? []);
  const plain = parts.every((part) => part.type === 'text' || part.type === 'tool_call');
  return pieces.join(plain ? '' : '\n');
}

function partText(part: Part): string | null {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text;
    case 'image':
    case 'audio':
      return `[${part.type}: ${part.source.type}]`;
    case 'document':
      return `[document: ${part.name ?? part.source.type}]`;
    case 'resource_link':
      return `[resource_link: ${part.uri}]`;
    case 'tool_result':
      return contentText(part.content);
    case 'tool_call':
    case 'reasoning':
    case 'citation':
    case 'provider_opaque':
      return null;
  }
}

function leftOut(content: readonly Part[], path: string): Warning[] {
  const kinds = content
    .flatMap((part) => (part.type === 'tool_result' ? [part, ...part.content] : [part]))
    .map((part) => part.type)
    .filter((type) => !['text', 'tool_call', 'tool_result', 'refusal'].includes(type));
  const listed = [...new Set(kinds)].join(', ');
  if (listed === '') return [];
  const text = `holds ${listed}: kept in the record, but a model that goes on here sees text only`;
  return [{ code: 'content_not_text', path, text, blocksApproval: false }];
}
