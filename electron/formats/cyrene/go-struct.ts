import type { JsonNode } from '../../../shared/json.js';
import { pathText } from '../../../shared/json-path.js';

/** Which keys a Go struct has, and what stands under them; null is a plain value. */
export type GoShape = { fields: Readonly<Record<string, GoShape | null>> } | { items: GoShape };

/** A field that the text gives more than once, in whatever letter case. */
export interface Repeated {
  path: string;
  field: string;
  spellings: string[];
}

/**
 * The value as Go's encoding/json sees it (FORMATS 6): keys match in any letter case, the last of several counts, and
 * null leaves a field at its zero value, so it is left out here. Keys of no field stay. Places stay those of the text.
 */
export function asGo(node: JsonNode, shape: GoShape, repeated: Repeated[], path: (string | number)[] = []): JsonNode {
  if ('items' in shape) {
    if (node.kind !== 'array') return node;
    return { ...node, items: node.items.map((item, at) => asGo(item, shape.items, repeated, [...path, at])) };
  }
  if (node.kind !== 'object') return node;
  const { entries } = node;
  const names = new Map(Object.keys(shape.fields).map((name) => [folded(name), name]));
  const unknown = entries.filter((entry) => !names.has(folded(entry.key)));
  const known = [...names].flatMap(([fold, field]) => {
    const found = entries.filter((entry) => folded(entry.key) === fold);
    if (found.length > 1) repeated.push({ path: pathText(path), field, spellings: found.map((entry) => entry.key) });
    const last = found.findLast((entry) => entry.value.kind !== 'null');
    if (last === undefined) return [];
    const inner = shape.fields[field] ?? null;
    const value = inner === null ? last.value : asGo(last.value, inner, repeated, [...path, field]);
    return [{ ...last, key: field, value }];
  });
  return { ...node, entries: [...known, ...unknown] };
}

/** The member that Go takes for a field, as it is written; of several the last. */
export function goMember(node: JsonNode, field: string): JsonNode | undefined {
  if (node.kind !== 'object') return undefined;
  return node.entries.findLast((entry) => folded(entry.key) === folded(field))?.value;
}

/** Go folds the letters of ASCII, and the two letters beyond it that fold into them: U+017F and U+212A. */
export function folded(key: string): string {
  return key.replace(/[A-Z\u017f\u212a]/g, (letter) =>
    letter === '\u017f' ? 's' : letter === '\u212a' ? 'k' : letter.toLowerCase(),
  );
}
