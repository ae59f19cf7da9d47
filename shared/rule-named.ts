import type { JsonNode } from './json-node.js';
import type { RuleCondition } from './rule.js';

/** The place of a member below another, as a JSON pointer (RFC 6901). */
export const pointerBelow = (parent: string, key: string): string =>
  `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Whether everything in a value stands at or below a place that a condition names: one on a whole speaks of all that is in it,
 * one on a part speaks of that part alone.
 */
export function isNamed(node: JsonNode, pointer: string, conditions: readonly RuleCondition[]): boolean {
  if (conditions.some((condition) => condition.pointer === pointer)) return true;
  if (node.kind === 'object')
    return (
      node.entries.length > 0 &&
      node.entries.every(({ key, value }) => isNamed(value, pointerBelow(pointer, key), conditions))
    );
  if (node.kind === 'array')
    return node.items.length > 0 && node.items.every((item, i) => isNamed(item, `${pointer}/${i}`, conditions));
  return false;
}
