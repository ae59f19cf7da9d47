import { type JsonNode, raw } from '../../../shared/json.js';
import { parseTime } from '../../../shared/time.js';
import { jsonObject } from '../json-text.js';

/** In the order in which runifold declares them (J2). */
const ORDER = ['id', 'revision', 'run_id', 'kind', 'schema_version', 'payload', 'updated_at_ms'];

/**
 * The next revision of a checkpoint as runifold writes it: identity, kind and schema version stay as they are written,
 * and so do keys that nobody here knows, behind the seven known ones.
 */
export function envelopeText(
  before: { text: string; root: JsonNode },
  next: { revision: bigint; payload: string; updatedAtMs: bigint },
): Uint8Array {
  const { root, text } = before;
  if (root.kind !== 'object') throw new Error('the checkpoint is no object');
  const written = new Map(root.entries.map(({ key, value }) => [key, raw(text, value)]));
  written.set('revision', String(next.revision));
  written.set('payload', next.payload);
  written.set('updated_at_ms', String(next.updatedAtMs));
  const unknown = [...written.keys()].filter((key) => !ORDER.includes(key));
  const fields = [...ORDER, ...unknown].map((key) => [key, written.get(key) ?? 'null'] as const);
  return new TextEncoder().encode(jsonObject(fields));
}

/** Whole milliseconds since the epoch of an RFC 3339 time. */
export function milliseconds(at: string): bigint {
  const time = parseTime(at);
  if (!time.ok) throw new Error(time.reason);
  return time.ns / 1_000_000n;
}
