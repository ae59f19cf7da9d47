import { z } from 'zod';
import type { JsonNode } from './json-node.js';
import { pathText } from './json-path.js';

/**
 * Why a value does not fit a tool's JSON Schema, or null. The schema comes from a tool server: one that cannot be
 * understood checks nothing, and its regular expressions are not run, since one alone could stop the process.
 */
export function schemaFault(schema: unknown, value: JsonNode): string | null {
  const checker = compile(schema);
  if (checker === null) return null;
  const checked = checker.safeParse(plain(value));
  if (checked.success) return null;
  return checked.error.issues
    .slice(0, 5)
    .map(({ path, message }) => {
      const where = pathText(path.filter((part) => typeof part !== 'symbol'));
      return where === '' ? message : `${where}: ${message}`;
    })
    .join('; ');
}

function compile(schema: unknown): z.ZodType | null {
  if (typeof schema !== 'object' || schema === null) return null;
  try {
    return z.fromJSONSchema(z.record(z.string(), z.json()).parse(withoutPatterns(schema)));
  } catch {
    // A schema beyond what the library reads: the reviewer's edit is still held to the types of the original.
    return null;
  }
}

function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, inner]) => !isPattern(key, inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutPatterns(inner)]));
}

/** A property that is only called `pattern` has a schema, not a text. */
function isPattern(key: string, inner: unknown): boolean {
  return key === 'patternProperties' || key === 'format' || (key === 'pattern' && typeof inner === 'string');
}

/** For checking only, never for sending: an integer beyond 2^53 stands for itself as the largest safe one. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'object') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind === 'null') return null;
  if (node.kind !== 'number') return node.value;
  const value = Number(node.text);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return value < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}
