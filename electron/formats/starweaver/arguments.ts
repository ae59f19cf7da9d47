import { type JsonNode, member, raw, readJsonText } from '../../../shared/json.js';
import { fitsInRecord, jsonObject, jsonText } from '../json-text.js';
import { textOf } from './nodes.js';

/** Marks arguments that were no JSON when the model wrote them (FORMATS 4.2). */
const INVALID = 'starweaver_invalid_tool_arguments';
/** How deep the arguments of a call stand in a checkpoint, at most. */
const DEPTH = 7;

/**
 * The arguments that would be executed, as written in the record: the value itself, `null` when absent, and for
 * arguments that were no JSON the raw text as a string. A genuine object of the marker's form reads the same way.
 */
export function executedArguments(text: string, node: JsonNode | undefined): string {
  if (node === undefined) return 'null';
  if (textOf(node, 'kind') !== INVALID) return raw(text, node);
  const written = member(node, 'raw');
  return written?.kind === 'string' ? raw(text, written) : '""';
}

/** Why the model's text was no JSON; null when it was. */
export function invalidError(node: JsonNode | undefined): string | null {
  return textOf(node, 'kind') === INVALID ? (textOf(node, 'error') ?? '') : null;
}

/** A model's argument text as a record holds it: the value as written, or the marker with the text in it. */
export function writtenArguments(given: string): string {
  if (fitsInRecord(given, DEPTH)) return given;
  const read = readJsonText(given);
  const error = read.ok ? 'nested deeper than a record may be' : read.fault.text;
  return jsonObject([
    ['error', jsonText(error)],
    ['kind', jsonText(INVALID)],
    ['raw', jsonText(given)],
  ]);
}

/** What `writtenArguments` would execute as: the arguments that a reviewer is bound to (S13). */
export function boundArguments(given: string): string {
  const written = writtenArguments(given);
  const read = readJsonText(written);
  return read.ok ? executedArguments(written, read.root) : 'null';
}
