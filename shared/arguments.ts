import { patchText, readJsonText } from './json.js';
import { type KindChange, kindChanges } from './json-compare.js';
import type { JsonNode } from './json-node.js';
import { pathText } from './json-path.js';
import { accepted, type Outcome, refused } from './refusal.js';

export type Sendable =
  | { ok: true; text: string; as: 'as_written' | 'empty_object' | 'decoded_once' }
  | { ok: false; as: 'not_sendable'; reason: string };

/**
 * What a tool server would get for the raw argument text of a call. An object goes as written, byte for byte (C50);
 * an empty string and null become `{}` (C47); a string that holds an object is decoded once, never twice (C56).
 */
export function sendable(rawText: string): Sendable {
  // A decision, a claim and its plan each ask it of the same text, one after the other.
  if (last?.rawText === rawText) return last.sendable;
  last = { rawText, sendable: readSendable(rawText) };
  return last.sendable;
}

let last: { rawText: string; sendable: Sendable } | null = null;

function readSendable(rawText: string): Sendable {
  // An agent that writes no JSON at all for "no arguments".
  if (rawText === '') return { ok: true, text: '{}', as: 'empty_object' };
  const read = readJsonText(rawText);
  if (!read.ok) return { ok: false, as: 'not_sendable', reason: `the arguments are not JSON: ${read.fault.text}` };
  const { root } = read;
  if (root.kind === 'object') return { ok: true, text: rawText, as: 'as_written' };
  if (root.kind === 'null' || (root.kind === 'string' && root.value === '')) {
    return { ok: true, text: '{}', as: 'empty_object' };
  }
  if (root.kind === 'string' && isObjectText(root.value)) return { ok: true, text: root.value, as: 'decoded_once' };
  const what = root.kind === 'array' ? 'a list' : `a ${root.kind}`;
  return {
    ok: false,
    as: 'not_sendable',
    reason: `the arguments are ${what}; a tool takes an object with named values`,
  };
}

export interface EditOptions {
  /** Whatever changes its type may: it was confirmed before, or is another's to say. */
  allowTypeChange?: boolean;
  /** The changes of type that the reviewer confirmed, in the words of `typeChangeWords`: these and no others. */
  typesConfirmed?: readonly string[];
  /** No tool server gets it: every JSON value may stand for the whole. */
  anyValue?: boolean;
}

/**
 * May `edited` be sent in place of `original` (both raw argument texts)? It must be strict JSON, an object, without
 * duplicate keys; and a value that stands in both keeps its JSON type (C20). Refused as `invalid_edit`, naming the paths.
 */
export function checkEdit(original: string, edited: string, options: EditOptions = {}): Outcome<{ text: string }> {
  if (edited === original) return accepted({ text: edited });
  const read = readJsonText(edited);
  if (!read.ok) return invalid(`The edited arguments are not valid JSON: ${read.fault.text}`, { fault: read.fault });
  const [duplicate] = read.duplicates;
  if (duplicate !== undefined) {
    return invalid(`The edited arguments hold a ${duplicate.text}.`, { path: duplicate.path, key: duplicate.key });
  }
  if (read.root.kind !== 'object' && !options.anyValue)
    return invalid('The edited arguments are no object.', { is: read.root.kind });
  const changes = options.allowTypeChange ? [] : typeChanges(original, read.root, options.anyValue ?? false);
  const words = changes.map(typeChangeWords);
  const confirmed = options.typesConfirmed ?? [];
  if (words.some((one) => !confirmed.includes(one))) {
    const listed = changes.map(
      ({ path, was, is }) => `${path === '' ? 'the whole' : path} was of type ${was} and is now of type ${is}`,
    );
    return invalid(`The edit changes the type of a value: ${listed.join('; ')}.`, { changes: words });
  }
  if (!options.allowTypeChange && confirmed.some((one) => !words.includes(one)))
    return invalid('The change of type that was confirmed is not in the edit.', { changes: words });
  return accepted({ text: edited });
}

/** One change of type as a person confirms it: `limit: number → string`. */
function typeChangeWords({ path, was, is }: KindChange): string {
  return `${path === '' ? 'the whole' : path}: ${was} → ${is}`;
}

/** Puts `newRaw` in the place of one value of the raw argument text; every other byte stays (C20). */
export function editOneValue(rawText: string, path: readonly (string | number)[], newRaw: string): Outcome<string> {
  const read = readJsonText(rawText);
  if (!read.ok) return invalid(`The arguments are not JSON: ${read.fault.text}`, { fault: read.fault });
  const fresh = readJsonText(newRaw);
  if (!fresh.ok) return invalid(`The new value is not valid JSON: ${fresh.fault.text}`, { fault: fresh.fault });
  let node: JsonNode | undefined = read.root;
  for (const part of path) node = node === undefined ? undefined : onlyChild(node, part);
  if (node === undefined) return invalid(`There is no single value at ${pathText(path)}.`, { path: pathText(path) });
  return accepted(patchText(rawText, node, newRaw));
}

function isObjectText(text: string): boolean {
  const read = readJsonText(text);
  return read.ok && read.root.kind === 'object';
}

/**
 * Compared with what would have been sent, so that `""` can be edited into an object. Where any value may stand for the
 * whole, only what stands inside of both keeps its type.
 */
function typeChanges(original: string, edited: JsonNode, anyValue: boolean): KindChange[] {
  const sent = anyValue ? null : sendable(original);
  const before = readJsonText(sent?.ok ? sent.text : original);
  const changes = before.ok ? kindChanges(before.root, edited) : [];
  return anyValue ? changes.filter(({ path }) => path !== '') : changes;
}

/** Nothing when a repeated key leaves open which value is meant. */
function onlyChild(node: JsonNode, part: string | number): JsonNode | undefined {
  if (node.kind === 'array') return typeof part === 'number' ? node.items[part] : undefined;
  if (node.kind !== 'object') return undefined;
  const found = node.entries.filter((entry) => entry.key === part);
  return found.length === 1 ? found[0]?.value : undefined;
}

function invalid(text: string, facts: Record<string, unknown>): Outcome<never> {
  return refused('invalid_edit', text, facts);
}
