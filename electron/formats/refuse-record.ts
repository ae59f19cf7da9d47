import type { ReadRefusal } from '../../shared/checkpoint.js';
import { type JsonFault, type JsonNode, member } from '../../shared/json.js';
import { pathText } from '../../shared/json-path.js';
import { placesOf } from '../../shared/text-place.js';

/** A fault of the JSON text as the refusal of its record. */
export function refusalOf({ code, path, offset, line, column, text }: JsonFault): ReadRefusal {
  return { code, path, offset, line, column, text };
}

/** A refusal at one value of a record, placed at the nearest value that is there; `words` begin with the field. */
export function refusalAt(
  text: string,
  root: JsonNode,
  path: readonly (string | number)[],
  code: string,
  words: string,
): ReadRefusal {
  let node = root;
  for (const part of path) {
    const next = child(node, part);
    if (next === undefined) break;
    node = next;
  }
  const place = placesOf(text, [node.start])[0] ?? { offset: 0, line: 1, column: 1 };
  return { code, path: pathText(path), ...place, text: `line ${place.line}, column ${place.column}: ${words}` };
}

export function child(node: JsonNode, part: string | number): JsonNode | undefined {
  if (typeof part === 'string') return member(node, part);
  return node.kind === 'array' ? node.items[part] : undefined;
}

/** A value in a few words, for "must be ..., not ...". */
export function inFewWords(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return 'an object';
    case 'array':
      return 'a list';
    case 'string':
      return JSON.stringify(node.value.length <= 40 ? node.value : `${node.value.slice(0, 40)}…`);
    case 'number':
      return node.text.length <= 40 ? node.text : `${node.text.slice(0, 40)}…`;
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
  }
}
