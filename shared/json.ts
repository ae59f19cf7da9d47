/**
 * The one strict JSON reader. It keeps what `JSON.parse` loses: number texts, duplicate keys, key order, and the place
 * of every value, so that one value can be patched in the text and every other byte stays (I6).
 */
import { type DuplicateKey, faultAt, inWords, type JsonFault } from './json-fault.js';
import type { JsonNode } from './json-node.js';
import { childPath, pathText } from './json-path.js';
import { type FoundDuplicate, type Scanned, scanJson, scanSteps } from './json-scan.js';
import { placesOf } from './text-place.js';
import { decodeUtf8 } from './utf8.js';

export type { DuplicateKey, JsonFault } from './json-fault.js';
export type { JsonArray, JsonNode, JsonObject } from './json-node.js';
export { NotSerialisable, stringifyStrict } from './json-stringify.js';

/** `duplicates` names each repeated key of each object once; it is for the caller to say what that means. */
export type JsonRead =
  | { ok: true; text: string; root: JsonNode; duplicates: DuplicateKey[] }
  | { ok: false; fault: JsonFault };

/**
 * Reads bytes as strict JSON (FORMATS J7): UTF-8 without BOM, no lone surrogates, at most 127 levels, no number out of
 * the range of a double, nothing after the value.
 */
export function readJson(bytes: Uint8Array): JsonRead {
  const decoded = decodeUtf8(bytes);
  return decoded.ok ? readJsonText(decoded.text) : decoded;
}

/** The same for a text that is decoded already, such as one that a person typed. */
export function readJsonText(text: string): JsonRead {
  if (text.charCodeAt(0) === 0xfeff) {
    return { ok: false, fault: faultAt(text, 'bom', '', 0, 'a byte order mark (BOM) stands before the text') };
  }
  if (text.length < LONG) return named(text, scanJson(text));
  if (lastLong?.text !== text) lastLong = { text, read: named(text, scanJson(text)) };
  return lastLong.read;
}

/** A text of this length, in UTF-16 units, takes long enough to read that it is not read again for each question about it. */
const LONG = 256 * 1024;
/** Nobody changes what was read; one is kept, so that no memory grows. */
let lastLong: { text: string; read: JsonRead } | null = null;

/** The same in steps, for a thread that must not be held up by a long text; the generator's value is the result. */
export function* readJsonSteps(text: string): Generator<undefined, JsonRead> {
  return text.charCodeAt(0) === 0xfeff ? readJsonText(text) : named(text, yield* scanSteps(text));
}

function named(text: string, scanned: Scanned): JsonRead {
  if (!scanned.ok) {
    return { ok: false, fault: faultAt(text, scanned.code, pathText(scanned.path), scanned.at, scanned.words) };
  }
  return { ok: true, text, root: scanned.root, duplicates: nameDuplicates(text, scanned.duplicates) };
}

/** The value exactly as written. */
export function raw(text: string, node: { start: number; end: number }): string {
  return text.slice(node.start, node.end);
}

/** The text with one value replaced and nothing else changed. */
export function patchText(text: string, node: { start: number; end: number }, replacement: string): string {
  return text.slice(0, node.start) + replacement + text.slice(node.end);
}

/** The value of a key, or undefined. Of a repeated key the last value, which is what every lenient reader takes. */
export function member(node: JsonNode, key: string): JsonNode | undefined {
  return node.kind === 'object' ? node.entries.findLast((entry) => entry.key === key)?.value : undefined;
}

function nameDuplicates(text: string, found: readonly FoundDuplicate[]): DuplicateKey[] {
  const places = placesOf(
    text,
    found.map((duplicate) => duplicate.at),
  );
  return found.map(({ path, key }, index) => {
    const place = places[index] ?? { offset: 0, line: 1, column: 1 };
    const container = pathText(path);
    const words = `duplicate key ${childPath('', key)} ${inWords(container)}`;
    return { code: 'duplicate_key', path: container, key, ...place, text: words };
  });
}
