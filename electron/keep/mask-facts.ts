import { maskSecrets } from '../../shared/mask.js';

/**
 * Facts of an event with the secrets in their texts masked: what leaves the store in an export goes to other eyes. Keys say
 * which values are secrets; nothing else changes.
 */
export function masked(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, maskedValue(value, key)]));
}

function maskedValue(value: unknown, name: string): unknown {
  if (typeof value === 'string') return maskSecrets(value, name);
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, name));
  return typeof value === 'object' && value !== null ? masked(value as Record<string, unknown>) : value;
}
