import { sendable } from '../../../shared/arguments.js';
import { type JsonNode, readJsonText } from '../../../shared/json.js';
import { sameJson } from '../../../shared/json-compare.js';
import type { Rule, RuleCondition } from '../../../shared/rule.js';
import { isNamed } from '../../../shared/rule-named.js';
import { compareDecimals } from './decimals.js';

/** Longer arguments nobody has agreed to unread. UTF-16 units. */
export const LONGEST_ARGUMENTS = 64 * 1024;

/** One call, as far as a rule looks at it. */
export interface RuledCall {
  source: string;
  /** Null: no server is known for the source. Undefined: not known yet, or several offer the tool: no rule speaks of it. */
  server: string | null | undefined;
  tool: string;
  /** The raw argument text of the record. */
  arguments: string;
}

type Spoken = Pick<Rule, 'source' | 'server' | 'tool' | 'conditions' | 'others'>;

/**
 * Does a rule speak of this call? Source, server and tool are equal to the letter, every condition holds, and no argument
 * is there that no condition names, unless the rule lets others be. What is not plainly one JSON object is spoken of by none.
 */
export function speaksOf(rule: Spoken, call: RuledCall): boolean {
  if (rule.source !== call.source || rule.tool !== call.tool || rule.server !== call.server) return false;
  return argumentsHold(rule, call.arguments);
}

/** The same for the arguments alone. */
export function argumentsHold({ conditions, others }: Pick<Rule, 'conditions' | 'others'>, text: string): boolean {
  if (text.length > LONGEST_ARGUMENTS) return false;
  const sent = sendable(text);
  if (!sent.ok || sent.as === 'decoded_once') return false;
  const read = readJsonText(sent.text);
  if (!read.ok || read.duplicates.length > 0 || read.root.kind !== 'object') return false;
  if (!others && !isNamed(read.root, '', conditions)) return false;
  return conditions.every((condition) => holds(condition, at(read.root, condition.pointer)));
}

function holds(condition: RuleCondition, node: JsonNode | null): boolean {
  if (node === null) return false;
  switch (condition.test) {
    case 'equals':
      return isValue(node, condition.value);
    case 'one_of':
      return condition.values.some((value) => isValue(node, value));
    case 'range':
      return node.kind === 'number' && isWithin(node.text, condition);
    case 'prefix':
      return node.kind === 'string' && node.value.startsWith(condition.prefix) && !climbs(node.value);
  }
}

/** Equal as JSON, number texts as written: 1.0 is not 1. */
function isValue(node: JsonNode, value: string): boolean {
  const read = readJsonText(value);
  return read.ok && read.duplicates.length === 0 && sameJson(node, read.root);
}

function isWithin(text: string, { min, max }: { min: string | null; max: string | null }): boolean {
  const low = min === null ? 0 : compareDecimals(text, min);
  const high = max === null ? 0 : compareDecimals(text, max);
  return low !== null && high !== null && low >= 0 && high <= 0;
}

/**
 * A path that goes up again leads elsewhere than its beginning says, however its dots and slashes are written: readers of
 * addresses drop tabs and line ends, some decode twice, and a query may follow the dots at once.
 */
function climbs(text: string): boolean {
  let plain = text.replace(/[\t\n\r]/g, '');
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain.replace(/%25/g, '%');
  }
  plain = plain.replace(/%2e/gi, '.').replace(/%2f|%5c|\\/gi, '/');
  return plain.split(/[/?#]/).some((part) => part === '..' || part === '.');
}

function partsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value that a JSON pointer names; null where there is none. */
function at(root: JsonNode, pointer: string): JsonNode | null {
  let node: JsonNode | undefined = root;
  for (const part of partsOf(pointer)) {
    if (node?.kind === 'object') node = node.entries.find(({ key }) => key === part)?.value;
    else if (node?.kind === 'array') node = /^(0|[1-9]\d{0,6})$/.test(part) ? node.items[Number(part)] : undefined;
    else return null;
  }
  return node ?? null;
}

/** What is wrong with the conditions of a rule, in words; null when nothing is. */
export function conditionFault(conditions: readonly RuleCondition[]): string | null {
  for (const [i, condition] of conditions.entries()) {
    const fault = faultOf(condition);
    if (fault !== null) return `Condition ${i + 1}: ${fault}`;
  }
  return null;
}

function faultOf(condition: RuleCondition): string | null {
  switch (condition.test) {
    case 'equals':
    case 'one_of': {
      const values = condition.test === 'equals' ? [condition.value] : condition.values;
      const wrong = values.find((value) => !readJsonText(value).ok);
      return wrong === undefined ? null : `${wrong} is no JSON value; a text stands in double quotes.`;
    }
    case 'range':
      if (condition.min === null && condition.max === null) return 'a range needs a bound.';
      return condition.min !== null &&
        condition.max !== null &&
        (compareDecimals(condition.min, condition.max) ?? 1) > 0
        ? 'the lower bound is above the upper one.'
        : null;
    case 'prefix':
      // "https://example.com" is also how https://example.com.elsewhere begins.
      return /^[a-z][a-z0-9+.-]*:\/\/[^/]*$/i.test(condition.prefix)
        ? 'the beginning of a web address must hold its whole host, with the slash after it.'
        : null;
  }
}
