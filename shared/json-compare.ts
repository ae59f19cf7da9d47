import type { JsonNode, JsonObject } from './json-node.js';
import { childPath } from './json-path.js';

/** Equal as values: number texts as written, strings decoded, members in any order, the same number of duplicates. */
export function sameJson(a: JsonNode, b: JsonNode): boolean {
  if (a.kind === 'number' && b.kind === 'number') return a.text === b.text;
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value;
  if (a.kind === 'boolean' && b.kind === 'boolean') return a.value === b.value;
  if (a.kind === 'array' && b.kind === 'array') {
    return a.items.length === b.items.length && a.items.every((item, index) => same(item, b.items[index]));
  }
  if (a.kind === 'object' && b.kind === 'object') {
    const [left, right] = [byKey(a), byKey(b)];
    return (
      left.length === right.length &&
      left.every((entry, index) => entry.key === right[index]?.key && same(entry.value, right[index]?.value))
    );
  }
  return a.kind === 'null' && b.kind === 'null';
}

export interface KindChange {
  /** '' for the whole. */
  path: string;
  was: JsonNode['kind'];
  is: JsonNode['kind'];
}

/** Values that stand in both at the same path but are of another JSON type in `b` (C20). */
export function kindChanges(a: JsonNode, b: JsonNode, path = ''): KindChange[] {
  if (a.kind !== b.kind) return [{ path, was: a.kind, is: b.kind }];
  if (a.kind === 'array' && b.kind === 'array') {
    return a.items.flatMap((item, index) => {
      const now = b.items[index];
      return now === undefined ? [] : kindChanges(item, now, childPath(path, index));
    });
  }
  if (a.kind === 'object' && b.kind === 'object') {
    const now = new Map(b.entries.map((entry) => [entry.key, entry.value]));
    return a.entries.flatMap(({ key, value }) => {
      const edited = now.get(key);
      return edited === undefined ? [] : kindChanges(value, edited, childPath(path, key));
    });
  }
  return [];
}

function same(a: JsonNode, b: JsonNode | undefined): boolean {
  return b !== undefined && sameJson(a, b);
}

/** A stable order: duplicates of one key keep theirs. */
function byKey(node: JsonObject): JsonObject['entries'] {
  return node.entries.toSorted((x, y) => (x.key < y.key ? -1 : x.key > y.key ? 1 : 0));
}
