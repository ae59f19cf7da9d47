import { z } from 'zod';
import type { JsonNode, JsonObject } from '../../../shared/json.js';

export const text = z.string({ error: 'must be a text' });
/** An Option: absent and null are the same. */
export const optionalText = z.string({ error: 'must be a text or null' }).nullish().transform(orNull);

/** Free-form JSON, kept as a node. */
export const json = z.custom<JsonNode>((value) => value !== undefined, { error: 'must be JSON' });
/** Free-form JSON under a key of any name; required even when empty. */
export const jsonMap = z.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && Reflect.get(value, 'kind') === 'object',
  { error: 'must be an object' },
);

export function orNull<T>(value: T | null | undefined): T | null {
  return value ?? null;
}

/** The words for a tagged object: whether the object or its tag is wrong is told by zod's own code. */
export function oneOf(...names: string[]): { error: (issue: { code?: string | undefined }) => string } {
  return {
    error: (issue) => (issue.code === 'invalid_union' ? `must be one of ${names.join(', ')}` : 'must be an object'),
  };
}
