import { type JsonNode, type JsonObject, raw } from '../../../shared/json.js';
import { jsonObject } from '../json-text.js';

type Field = readonly [key: string, text: string];

/** Fields that are there: undefined leaves a key out, as starweaver does for what is empty. */
export function present(fields: readonly (readonly [key: string, text: string | undefined])[]): Field[] {
  return fields.flatMap(([key, text]): Field[] => (text === undefined ? [] : [[key, text]]));
}

/** The members of an object as written, but for some keys. */
export function membersWithout(text: string, node: JsonNode | undefined, without: ReadonlySet<string>): Field[] {
  if (node?.kind !== 'object') return [];
  return node.entries.filter(({ key }) => !without.has(key)).map(({ key, value }): Field => [key, raw(text, value)]);
}

/** The value under a key as written; undefined when absent. */
export function rawMember(text: string, node: JsonNode | undefined, key: string): string | undefined {
  if (node?.kind !== 'object') return undefined;
  const found = node.entries.findLast((entry) => entry.key === key);
  return found === undefined ? undefined : raw(text, found.value);
}

/** The same, but none and null are left out, as starweaver leaves out what is empty. */
export function carried(text: string, node: JsonNode | undefined, key: string): string | undefined {
  const found = rawMember(text, node, key);
  return found === 'null' ? undefined : found;
}

/**
 * An object with some members set and every other one as written. One that is new goes where `order`, the declared
 * order of the keys, has it (J2).
 */
export function withMembers(
  text: string,
  node: JsonObject,
  changes: ReadonlyMap<string, string>,
  order: readonly string[],
): string {
  const fields: Field[] = node.entries.map(({ key, value }) => [key, changes.get(key) ?? raw(text, value)]);
  for (const [key, value] of changes) {
    if (fields.some(([present]) => present === key)) continue;
    const after = order.slice(order.indexOf(key) + 1);
    const at = fields.findIndex(([present]) => after.includes(present));
    fields.splice(at === -1 ? fields.length : at, 0, [key, value]);
  }
  return jsonObject(fields);
}
