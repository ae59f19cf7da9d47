import type { JsonFaultCode } from './json-fault.js';
import type { JsonArray, JsonNode, JsonObject } from './json-node.js';
import { scanNumber } from './json-scan-number.js';
import { ScanStop } from './json-scan-stop.js';
import { scanString } from './json-scan-string.js';

/** Arrays and objects may stand this deep in each other; one more is refused (J7). */
export const MAX_DEPTH = 127;
/** Bounds the memory one hostile text can take. */
const MAX_VALUES = 3_000_000;
/** With more than this the whole text is refused, so that no duplicate goes unnamed. */
const MAX_DUPLICATES = 1000;

/** Values read in one step. */
const STEP = 8_192;

/** Objects up to this size are searched, larger ones get a map of their keys. */
const SMALL = 12;

type Path = (string | number)[];
export interface FoundDuplicate {
  path: Path;
  key: string;
  /** UTF-16 offset of the key's second spelling. */
  at: number;
}
export type Scanned =
  | { ok: true; root: JsonNode; duplicates: FoundDuplicate[] }
  | { ok: false; code: JsonFaultCode; path: Path; at: number; words: string };

interface Frame {
  node: JsonObject | JsonArray;
  /** The key whose value is being read; null between values, and in arrays. */
  key: string | null;
  keyStart: number;
  keyEnd: number;
  /** Every key so far, and whether it was already reported; null until the object outgrows a plain search. */
  seen: Map<string, boolean> | null;
}

/** Reads one JSON text without recursion, in linear time. */
export function scanJson(text: string): Scanned {
  for (const steps = scanSteps(text); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same in steps of some thousand values, for who has other things to do in between. */
export function* scanSteps(text: string): Generator<undefined, Scanned> {
  const stack: Frame[] = [];
  const duplicates: FoundDuplicate[] = [];
  try {
    return { ok: true, root: yield* scanDocument(text, stack, duplicates), duplicates };
  } catch (stop) {
    if (!(stop instanceof ScanStop)) throw stop;
    return { ok: false, code: stop.code, path: pathOf(stack), at: stop.at, words: stop.message };
  }
}

function* scanDocument(text: string, stack: Frame[], duplicates: FoundDuplicate[]): Generator<undefined, JsonNode> {
  let at = skipSpace(text, 0);
  if (at >= text.length) {
    throw new ScanStop(
      'empty',
      0,
      text.length === 0 ? 'the text is empty (0 bytes)' : 'the text holds only white space',
    );
  }
  let values = 0;
  for (;;) {
    values += 1;
    if (values % STEP === 0) yield;
    if (values > MAX_VALUES) throw new ScanStop('too_many_values', at, `more than ${MAX_VALUES} values in one text`);
    let node: JsonNode;
    const first = text.charAt(at);
    if (first === '{' || first === '[') {
      const opened = open(text, at, stack);
      at = skipSpace(text, at + 1);
      if (text.charAt(at) !== (first === '{' ? '}' : ']')) {
        if (opened.node.kind === 'object') at = readKey(text, at, opened, stack, duplicates);
        continue;
      }
      node = close(stack, at);
    } else {
      node = scanScalar(text, at, first);
    }
    // `node` is whole: hand it to what holds it, and close everything that ends here.
    for (;;) {
      const holder = stack.at(-1);
      at = skipSpace(text, node.end);
      if (holder === undefined) {
        if (at < text.length)
          throw new ScanStop('trailing', at, `${found(text, at)} stands after the end of the value`);
        return node;
      }
      attach(holder, node);
      const next = text.charAt(at);
      if (next === ',') {
        at = skipSpace(text, at + 1);
        if (holder.node.kind === 'object') at = readKey(text, at, holder, stack, duplicates);
        break;
      }
      if (next !== (holder.node.kind === 'object' ? '}' : ']')) {
        throw unexpected(text, at, holder.node.kind === 'object' ? 'a comma or }' : 'a comma or ]');
      }
      node = close(stack, at);
    }
  }
}

function open(text: string, at: number, stack: Frame[]): Frame {
  if (stack.length >= MAX_DEPTH) throw new ScanStop('too_deep', at, `nested deeper than ${MAX_DEPTH} levels`);
  const node: JsonObject | JsonArray =
    text.charAt(at) === '{'
      ? { kind: 'object', start: at, end: at, entries: [] }
      : { kind: 'array', start: at, end: at, items: [] };
  const frame: Frame = { node, key: null, keyStart: 0, keyEnd: 0, seen: null };
  stack.push(frame);
  return frame;
}

function close(stack: Frame[], at: number): JsonNode {
  const frame = stack.pop();
  if (frame === undefined) throw new Error('nothing is open');
  frame.node.end = at + 1;
  return frame.node;
}

function attach(holder: Frame, value: JsonNode): void {
  if (holder.node.kind === 'array') {
    holder.node.items.push(value);
    return;
  }
  holder.node.entries.push({ key: holder.key ?? '', keyStart: holder.keyStart, keyEnd: holder.keyEnd, value });
  holder.key = null;
}

/** True the first time a key of this object is met again. */
function repeatsFirst(frame: Frame, object: JsonObject, key: string): boolean {
  if (frame.seen === null) {
    if (object.entries.length < SMALL && !object.entries.some((entry) => entry.key === key)) return false;
    frame.seen = new Map(object.entries.map((entry) => [entry.key, false]));
  }
  const reported = frame.seen.get(key);
  frame.seen.set(key, reported !== undefined);
  return reported === false;
}

/** Reads a key and its colon; returns where the value begins. */
function readKey(text: string, at: number, frame: Frame, stack: Frame[], duplicates: FoundDuplicate[]): number {
  if (text.charAt(at) !== '"') throw unexpected(text, at, 'a key in double quotes');
  const { value: key, end } = scanString(text, at);
  if (frame.node.kind === 'object' && repeatsFirst(frame, frame.node, key)) {
    if (duplicates.length === MAX_DUPLICATES) {
      throw new ScanStop('duplicate_key', at, `more than ${MAX_DUPLICATES} duplicate keys`);
    }
    duplicates.push({ path: pathOf(stack.slice(0, -1)), key, at });
  }
  frame.key = key;
  frame.keyStart = at;
  frame.keyEnd = end;
  const colon = skipSpace(text, end);
  if (text.charAt(colon) !== ':') throw unexpected(text, colon, 'a colon after the key');
  return skipSpace(text, colon + 1);
}

function scanScalar(text: string, at: number, first: string): JsonNode {
  if (first === '"') {
    const { value, end } = scanString(text, at);
    return { kind: 'string', start: at, end, value };
  }
  if (first === '-' || (first >= '0' && first <= '9')) {
    const end = scanNumber(text, at);
    return { kind: 'number', start: at, end, text: text.slice(at, end) };
  }
  if (text.startsWith('true', at)) return { kind: 'boolean', start: at, end: at + 4, value: true };
  if (text.startsWith('false', at)) return { kind: 'boolean', start: at, end: at + 5, value: false };
  if (text.startsWith('null', at)) return { kind: 'null', start: at, end: at + 4 };
  throw unexpected(text, at, 'a value');
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const unit = text.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at += 1;
  }
}

function unexpected(text: string, at: number, wanted: string): ScanStop {
  if (at >= text.length) return new ScanStop('truncated', at, `the text ends where ${wanted} should stand`);
  return new ScanStop('syntax', at, `${wanted} should stand here, not ${found(text, at)}`);
}

function found(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0;
  if (point === 0) return 'a NUL byte (U+0000)';
  const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return point > 0x20 && point < 0x7f ? `"${String.fromCodePoint(point)}"` : name;
}

/** Path of the value being read; between two members it is the object's own. */
function pathOf(stack: readonly Frame[]): Path {
  return stack.flatMap((frame) => (frame.node.kind === 'array' ? frame.node.items.length : (frame.key ?? [])));
}
