import type { ReadRefusal } from '../../../shared/checkpoint.js';
import { type JsonNode, type JsonObject, member } from '../../../shared/json.js';
import { jsonObject, jsonText } from '../json-text.js';
import { inFewWords, refusalAt } from '../refuse-record.js';

/** The one version that there is (S1). A bare record is called version 0, but an explicit 0 is refused. */
export const VERSION = '1';
export const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['schema', 'version', 'payload']);
const U32_MAX = 4_294_967_295;

export type Envelope = 'v1' | 'bare v0';
export type Opened =
  | { ok: true; envelope: Envelope; payload: JsonNode; path: readonly string[] }
  | { ok: false; refusal: ReadRefusal };

/** An object with either key is an envelope, however incomplete; it never falls back to a bare record (S1). */
export function isEnvelope(root: JsonNode): root is JsonObject {
  return root.kind === 'object' && (member(root, 'schema') !== undefined || member(root, 'version') !== undefined);
}

/**
 * Opens a durable record of one schema (S1, S2), with the texts of starweaver's own refusals: `Json`, `WrongSchema`,
 * `UnsupportedVersion`, `BareV0Unsupported`. Nothing of the payload is looked at.
 */
export function openEnvelope(
  { text, root }: { text: string; root: JsonNode },
  schema: string,
  options: { bareV0: boolean },
): Opened {
  const refuse = (path: readonly string[], code: string, words: string): Opened => ({
    ok: false,
    refusal: refusalAt(text, root, path, code, words),
  });
  if (!isEnvelope(root)) {
    if (options.bareV0) return { ok: true, envelope: 'bare v0', payload: root, path: [] };
    return refuse([], 'BareV0Unsupported', `bare v0 JSON is not supported for durable schema ${schema}`);
  }
  const [named, version, payload] = [member(root, 'schema'), member(root, 'version'), member(root, 'payload')];
  const missing = (key: string): Opened => refuse([], 'Json', `invalid durable JSON: missing field \`${key}\``);
  if (named !== undefined && named.kind !== 'string')
    return refuse(['schema'], 'Json', `invalid durable JSON: schema must be a text, not ${inFewWords(named)}`);
  if (version !== undefined && !isU32(version))
    return refuse(['version'], 'Json', `invalid durable JSON: version must be a u32, not ${inFewWords(version)}`);
  if (named === undefined) return missing('schema');
  if (version === undefined) return missing('version');
  const number = version.kind === 'number' ? version.text : '';
  // A newer version may well have no payload; its version is the better answer than the missing key (C44).
  const newer = named.value === schema && number !== VERSION;
  if (payload === undefined && !newer) return missing('payload');
  if (named.value !== schema)
    return refuse(['schema'], 'WrongSchema', `expected durable schema ${schema}, received ${named.value}`);
  if (payload === undefined || number !== VERSION)
    return refuse(
      ['version'],
      'UnsupportedVersion',
      `unsupported ${schema} version ${number}; supported version is ${VERSION}`,
    );
  return { ok: true, envelope: 'v1', payload, path: ['payload'] };
}

/** A payload in the form that is always written (S3). `extra` are further keys of the envelope that came. */
export function inEnvelope(
  schema: string,
  payload: string,
  extra: readonly (readonly [string, string])[] = [],
): string {
  return jsonObject([['schema', jsonText(schema)], ['version', VERSION], ['payload', payload], ...extra]);
}

function isU32(node: JsonNode): boolean {
  return node.kind === 'number' && /^\d{1,10}$/.test(node.text) && Number(node.text) <= U32_MAX;
}
