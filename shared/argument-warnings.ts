import { sendable } from './arguments.js';
import type { Warning } from './checkpoint.js';
import { type JsonNode, readJsonText } from './json.js';
import { childPath, pathText } from './json-path.js';
import { unseenWarnings } from './unseen-warnings.js';

/** Of one kind and one call, so that a hostile record cannot fill the list. */
const MOST = 20;
const LARGEST_SAFE = '9007199254740991';
/** Marks that serialisers leave where they gave up. */
const PLACEHOLDER =
  /^\[(?:circular(?: .*)?|truncated|object|array|object object|getter.*|function.*|max(?:imum)? depth.*)\]$|\[truncated\]$/i;

/** A text that breaks off: an ellipsis at its end, or a count of what is missing. */
const CUT_OFF =
  /(?:\u2026|\.{3}|[[(<](?:\.{3}|\u2026)? ?\d+ (?:more )?(?:bytes|characters|chars|lines|items)[^\])>]*[\])>])\s*$/;

const ENDS_CUT = new Set(['\u2026', '.', ']', ')', '>']);

/**
 * What a reviewer must know of one call's raw argument text. `path` is that of the text in its record, such as
 * `pending_tool_calls[0].args`. Only duplicate keys stand against approving (I5).
 */
export function argumentsWarnings(rawText: string, path: string): Warning[] {
  const sent = sendable(rawText);
  const warnings = rawText === '' ? [] : valueWarnings(rawText, path, '');
  if (sent.as === 'decoded_once') warnings.push(...valueWarnings(sent.text, path, ', in the text they came as'));
  if (sent.as === 'empty_object') {
    const received = rawText === 'null' ? 'null received' : 'empty string received';
    warnings.push(info('arguments_empty', path, `no arguments (${received}); a tool server gets {}`));
  }
  if (sent.as === 'decoded_once') {
    warnings.push(
      info('arguments_encoded', path, 'the arguments came as a text; decoded once, it is the object that is sent'),
    );
  }
  if (!sent.ok)
    warnings.push(info('arguments_not_an_object', path, `${sent.reason}; they cannot be sent to a tool server`));
  return warnings;
}

function valueWarnings(text: string, path: string, where: string): Warning[] {
  const read = readJsonText(text);
  if (!read.ok) return [];
  const duplicates = read.duplicates.map((duplicate) => {
    const object = below(path, duplicate.path);
    const words = `duplicate key ${childPath('', duplicate.key)} in ${object}${where}: readers differ on which value counts`;
    return { code: 'duplicate_key', path: object, text: words, blocksApproval: true };
  });
  const integers: Warning[] = [];
  const placeholders: Warning[] = [];
  const unseen: Warning[] = [];
  visit(read.root, [], (node, parts) => {
    if (node.kind === 'object')
      for (const { key } of node.entries)
        if (!isPlain(key))
          unseen.push(...unseenWarnings(key, below(path, pathText([...parts, key])), `the key${where}`));
    if (node.kind === 'number' && isUnsafeInteger(node.text)) {
      const words = `${shown(node.text)} is past 2^53; it is shown and sent exactly as written${where}`;
      integers.push(info('integer_past_2_53', below(path, pathText(parts)), words));
    }
    if (node.kind !== 'string') return;
    const tail = node.value.slice(-80);
    const last = tail.trimEnd().at(-1) ?? '';
    if (last === ']' && PLACEHOLDER.test(node.value.length > 200 ? tail : node.value)) {
      const words = `${shown(node.value)} is literal text here; the producer may have cut data${where}`;
      placeholders.push(info('placeholder', below(path, pathText(parts)), words));
    } else if (ENDS_CUT.has(last) && CUT_OFF.test(tail)) {
      const words = `it ends in ${JSON.stringify(tail.slice(-12))}: it may have been cut by the sender${where}`;
      placeholders.push(info('placeholder', below(path, pathText(parts)), words));
    }
    if (!isPlain(node.value)) unseen.push(...unseenWarnings(node.value, below(path, pathText(parts)), `it${where}`));
  });
  return [duplicates, ...kinds(unseen), integers, placeholders].flatMap((list) => capped(list, path));
}

/** Printable ASCII and line breaks: nothing in it can be unseen. */
const isPlain = (text: string): boolean => /^[\n\t\x20-\x7e]*$/.test(text);

/** One list for each code, in the order they first came. */
const kinds = (warnings: readonly Warning[]): Warning[][] =>
  [...new Set(warnings.map(({ code }) => code))].map((code) => warnings.filter((warning) => warning.code === code));

type Parts = (string | number)[];

function visit(node: JsonNode, parts: Parts, see: (node: JsonNode, parts: Parts) => void): void {
  see(node, parts);
  const children: Iterable<[string | number, JsonNode]> =
    node.kind === 'array'
      ? node.items.entries()
      : node.kind === 'object'
        ? node.entries.map(({ key, value }): [string, JsonNode] => [key, value])
        : [];
  for (const [part, child] of children) {
    parts.push(part);
    visit(child, parts, see);
    parts.pop();
  }
}

function below(path: string, inner: string): string {
  return inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`;
}

/** By its digits: making a bigint of a million of them would take a while. */
function isUnsafeInteger(text: string): boolean {
  const digits = text.startsWith('-') ? text.slice(1) : text;
  if (digits.length < LARGEST_SAFE.length || /[.eE]/.test(digits)) return false;
  return digits.length > LARGEST_SAFE.length || digits > LARGEST_SAFE;
}

function capped(warnings: Warning[], path: string): Warning[] {
  const [first] = warnings;
  if (first === undefined || warnings.length <= MOST) return warnings;
  const rest = { ...first, path, text: `and ${warnings.length - MOST} more of this kind` };
  return [...warnings.slice(0, MOST), rest];
}

function shown(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}… (${text.length} characters)`;
}

function info(code: string, path: string, text: string): Warning {
  return { code, path, text, blocksApproval: false };
}
