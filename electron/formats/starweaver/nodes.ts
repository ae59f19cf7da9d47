import { type JsonNode, type JsonObject, member } from '../../../shared/json.js';

/** The text under a key; null when it is absent, null, or no text. */
export function textOf(node: JsonNode | undefined, key: string): string | null {
  const found = node === undefined ? undefined : member(node, key);
  return found?.kind === 'string' ? found.value : null;
}

/** The items under a key; none when it is absent. */
export function listOf(node: JsonNode | undefined, key: string): readonly JsonNode[] {
  const found = node === undefined ? undefined : member(node, key);
  return found?.kind === 'array' ? found.items : [];
}

export function objectOf(node: JsonNode | undefined, key: string): JsonObject | undefined {
  const found = node === undefined ? undefined : member(node, key);
  return found?.kind === 'object' ? found : undefined;
}

/** The text of a number under a key, every digit as written. */
export function numberOf(node: JsonNode | undefined, key: string): string | null {
  const found = node === undefined ? undefined : member(node, key);
  return found?.kind === 'number' ? found.text : null;
}
