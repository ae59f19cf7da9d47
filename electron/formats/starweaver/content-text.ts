import { type JsonNode, raw } from '../../../shared/json.js';
import { listOf, textOf } from './nodes.js';

/** Several parts in a row as one text; what is no text stands there as a mark of its own. `note` hears its kind. */
export function contentText(parts: readonly JsonNode[], note: (kind: string) => void): string {
  return parts
    .flatMap((part) => {
      const kind = textOf(part, 'kind') ?? '';
      if (kind === 'text') return [textOf(part, 'text') ?? ''];
      // Tells a provider where its cache ends; no model sees it.
      if (kind === 'cache_point') return [];
      note(kind);
      return [mark(kind, part)];
    })
    .join('\n');
}

function mark(kind: string, part: JsonNode): string {
  const type = textOf(part, 'media_type');
  switch (kind) {
    case 'image_url':
      return `[image: ${textOf(part, 'url')}]`;
    case 'file_url':
      return `[file, ${type}: ${textOf(part, 'url')}]`;
    case 'resource_ref':
      return `[${textOf(part, 'resource_type')}, ${type}: ${textOf(part, 'uri')}]`;
    case 'binary':
      return `[data, ${type}: ${listOf(part, 'data').length} bytes]`;
    default:
      return `[data, ${type}: ${(textOf(part, 'data_url') ?? '').length} characters]`;
  }
}

/** What a model reads of a tool's answer: a text as it is, anything else as JSON, byte for byte. */
export function returnText(text: string, content: JsonNode | undefined): string {
  if (content === undefined) return '';
  return content.kind === 'string' ? content.value : raw(text, content);
}
