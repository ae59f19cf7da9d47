import type { JsonNode } from '../../../shared/json.js';
import { jsonList, jsonObject, jsonText } from '../json-text.js';

/**
 * A value as runifold writes free-form JSON (J1, J2): compact, keys sorted by their UTF-8 bytes at every depth. Numbers
 * keep their text, and duplicate keys stay (I6). `replaced` holds JSON texts that stand in for single values.
 */
export function sortedText(node: JsonNode, replaced: ReadonlyMap<JsonNode, string> = new Map()): string {
  const instead = replaced.get(node);
  if (instead !== undefined) return instead;
  switch (node.kind) {
    case 'object':
      return sortedObject(node.entries.map(({ key, value }) => [key, sortedText(value, replaced)]));
    case 'array':
      return jsonList(node.items.map((item) => sortedText(item, replaced)));
    case 'string':
      return jsonText(node.value);
    case 'number':
      return node.text;
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
  }
}

/** An object with sorted keys; the values are JSON already. */
export function sortedObject(fields: readonly (readonly [key: string, value: string])[]): string {
  return jsonObject(fields.toSorted(([a], [b]) => byCodePoints(a, b)));
}

/** The order of UTF-8 bytes is that of code points, which UTF-16 units do not keep. */
function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [at, letter] of left.entries()) {
    const other = right[at];
    if (other === undefined) return 1;
    const difference = (letter.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
