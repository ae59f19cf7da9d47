import type { CallView } from '../../shared/ipc.js';
import { type JsonFault, type JsonNode, type JsonRead, readJsonSteps, readJsonText } from '../../shared/json.js';
import { remember } from '../app/remember.js';
import { inSlices } from '../app/slices.js';

/** Beyond these a field is folded after the short ones, and its end must be reached before Approve is offered (H20). */
export const LONG_UNITS = 1_500;
export const LONG_LINES = 24;
export const LONG_VALUES = 60;
const LONG_KEY = 200;
/** With more fields than this the whole value is one long field. */
const MANY_FIELDS = 200;

export interface Field {
  /** Position in the object as written; -1 for a value that is no object's member. */
  position: number;
  key: string | null;
  node: JsonNode;
  long: boolean;
  /** The same key stands in the object more than once. */
  repeated: boolean;
}

/** What the argument text holds. `source` is the text that the nodes' spans point into. */
export type Arguments =
  | { kind: 'none'; received: 'empty_string' | 'null' }
  | { kind: 'unreadable'; fault: JsonFault }
  | { kind: 'fields'; source: string; fields: Field[]; empty: boolean; asString: boolean };

/** Reads the argument text without loss, one decoding step at most and only where that is what is sent (C56). */
export const readArguments = remember(
  (text: string, sentAs: CallView['sentAs']): Arguments => argumentsOf(text, sentAs, readJsonText(text)),
);

/** Shorter texts are read at once. */
const LONG_READ = 256 * 1024;

/** Reads a long text in steps, so that the window stays alive; `readArguments` then has its answer. */
export async function prepareArguments(text: string, sentAs: CallView['sentAs']): Promise<void> {
  if (text.length <= LONG_READ) return;
  readArguments.put([text, sentAs], await inSlices(argumentSteps(text, sentAs)));
}

function* argumentSteps(text: string, sentAs: CallView['sentAs']): Generator<undefined, Arguments> {
  const read = yield* readJsonSteps(text);
  const inside = sentAs === 'decoded_once' && read.ok && read.root.kind === 'string' ? read.root.value : null;
  return argumentsOf(text, sentAs, read, inside === null ? null : yield* readJsonSteps(inside));
}

/** `within`: what the string holds that the text is, where it was read already. */
function argumentsOf(
  text: string,
  sentAs: CallView['sentAs'],
  read: JsonRead,
  within: JsonRead | null = null,
): Arguments {
  if (text === '') return { kind: 'none', received: 'empty_string' };
  if (!read.ok) return { kind: 'unreadable', fault: read.fault };
  const { root } = read;
  if (sentAs === 'empty_object' && root.kind === 'null') return { kind: 'none', received: 'null' };
  if (sentAs === 'empty_object' && root.kind === 'string') return { kind: 'none', received: 'empty_string' };
  if (sentAs === 'decoded_once' && root.kind === 'string') {
    const inner = within ?? readJsonText(root.value);
    if (inner.ok) return fieldsOf(inner.text, inner.root, true);
  }
  return fieldsOf(text, root, false);
}

function fieldsOf(source: string, root: JsonNode, asString: boolean): Arguments {
  if (root.kind !== 'object' || root.entries.length > MANY_FIELDS) {
    const only: Field = { position: -1, key: null, node: root, long: isLong(root), repeated: false };
    return { kind: 'fields', source, fields: [only], empty: false, asString };
  }
  const times = new Map<string, number>();
  for (const { key } of root.entries) times.set(key, (times.get(key) ?? 0) + 1);
  const fields = root.entries.map(({ key, value }, position): Field => {
    const long = isLong(value) || key.length > LONG_KEY;
    return { position, key, node: value, long, repeated: (times.get(key) ?? 0) > 1 };
  });
  return { kind: 'fields', source, fields, empty: fields.length === 0, asString };
}

/** True when a value is too big to be read at a glance. */
export function isLong(node: JsonNode): boolean {
  if (node.end - node.start > LONG_UNITS) return true;
  if (node.kind === 'string') return lineCount(node.value) > LONG_LINES;
  return countValues(node, LONG_VALUES) > LONG_VALUES;
}

export function lineCount(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Values in a tree; stops counting above `enough`. */
function countValues(node: JsonNode, enough: number): number {
  const children = node.kind === 'object' ? node.entries.map((e) => e.value) : node.kind === 'array' ? node.items : [];
  let count = 1;
  for (const child of children) {
    if (count > enough) break;
    count += countValues(child, enough - count);
  }
  return count;
}

/** Short fields first, in the order written; the long ones after them, in the order written. */
export function inReadingOrder(fields: readonly Field[]): { short: Field[]; long: Field[] } {
  return { short: fields.filter((field) => !field.long), long: fields.filter((field) => field.long) };
}
