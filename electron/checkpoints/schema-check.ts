import { type OutputUnit, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { readJsonText } from '../../shared/json.js';
import type { JsonNode } from '../../shared/json-node.js';
import { pathText } from '../../shared/json-path.js';

/** Where a value does not fit, and how, in words. `path` is like `to[0].name`; '' is the whole. */
export interface SchemaFault {
  path: string;
  text: string;
}

/** Of one check, so that a hostile schema cannot fill the card. */
const MOST_FAULTS = 5;
const LONGEST_WORDS = 300;
/** Schemas looked at while checking one value: a schema may be written so that it takes for ever. */
const MOST_VISITS = 200_000;
/** UTF-16 units; longer ones are not checked. */
const LONGEST_SCHEMA = 1024 * 1024;
const LONGEST_VALUE = 4 * 1024 * 1024;
/** Comparing each item with each other takes the square of the time. */
const LONGEST_UNIQUE = 64 * 1024;

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']);
/** What only says that something further down does not fit. */
const CONTAINERS = new Set([
  ...['$ref', '$recursiveRef', 'properties', 'additionalProperties', 'items', 'prefixItems', 'additionalItems'],
  ...['allOf', 'if', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
]);
const CHOICES = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames']);

/**
 * How an argument text does not fit a tool's JSON Schema (both raw JSON texts); none when it fits. The schema comes from a
 * tool server: one that cannot be understood, or takes too long, checks nothing, and its regular expressions are not run,
 * since one alone could stop the process.
 */
export function schemaFaults(schemaText: string, argumentsText: string): SchemaFault[] {
  if (schemaText.length > LONGEST_SCHEMA || argumentsText.length > LONGEST_VALUE) return [];
  const read = readJsonText(argumentsText);
  if (!read.ok) return [];
  try {
    const schema: unknown = JSON.parse(schemaText);
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return [];
    const visits = { left: MOST_VISITS };
    const kept = counted(schema, { visits, unique: argumentsText.length <= LONGEST_UNIQUE });
    const validator = new Validator(kept as Schema, draftOf(schema), false);
    return faultsOf(validator.validate(plain(read.root)).errors);
  } catch {
    // A schema beyond what can be read, or in the time given: the edit is still held to the types of the original.
    return [];
  }
}

/** The same in one line for a person; null when it fits. */
export function schemaWords(faults: readonly SchemaFault[]): string | null {
  if (faults.length === 0) return null;
  return faults.map(({ path, text }) => (path === '' ? text : `${path}: ${text}`)).join('; ');
}

function draftOf(schema: object): SchemaDraft {
  const named = '$schema' in schema ? String(schema.$schema) : '';
  if (/draft-0?4/.test(named)) return '4';
  return /draft-0?7/.test(named) ? '7' : '2020-12';
}

interface Keeping {
  visits: { left: number };
  unique: boolean;
}

/** A copy without regular expressions and formats, in which looking at a schema takes one of its visits. */
function counted(value: unknown, keeping: Keeping): unknown {
  if (Array.isArray(value)) return value.map((one) => counted(one, keeping));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (isPattern(key, inner) || (key === 'uniqueItems' && !keeping.unique)) continue;
    if (key === 'type' && !isTypes(inner)) throw new Error('a type that is none');
    copy[key] = key === 'const' || key === 'enum' || key === 'default' ? inner : counted(inner, keeping);
  }
  const { type } = copy;
  Object.defineProperty(copy, 'type', {
    enumerable: 'type' in copy,
    get: () => {
      keeping.visits.left -= 1;
      if (keeping.visits.left < 0) throw new Error('it takes too long');
      return type;
    },
  });
  return copy;
}

/** A property that is only called `pattern` or `type` has a schema, not a text. */
const isPattern = (key: string, inner: unknown): boolean =>
  key === 'patternProperties' || ((key === 'pattern' || key === 'format') && typeof inner === 'string');

const isTypes = (inner: unknown): boolean =>
  (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) ||
  [inner].flat().every((one) => typeof one === 'string' && TYPES.has(one));

function faultsOf(errors: readonly OutputUnit[]): SchemaFault[] {
  const choices = errors.filter(({ keyword }) => CHOICES.has(keyword)).map(({ keywordLocation }) => keywordLocation);
  const told = errors.filter(
    ({ keyword, keywordLocation }) =>
      !CONTAINERS.has(keyword) && !choices.some((choice) => keywordLocation.startsWith(`${choice}/`)),
  );
  const faults = told.map(({ keyword, instanceLocation, error }) => ({
    path: pathOf(instanceLocation),
    text: wordsOf(keyword, error),
  }));
  return faults
    .filter(({ path, text }, i) => faults.findIndex((f) => f.path === path && f.text === text) === i)
    .slice(0, MOST_FAULTS);
}

function wordsOf(keyword: string, error: string): string {
  if (keyword === 'false') return 'the tool knows no such argument';
  const words = error
    .replace(/^Instance does not/, 'does not')
    .replace(/^Instance type "(\w+)" is invalid\. Expected/, 'is of type $1, expected');
  return (words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS)}…` : words).replace(/\.$/, '');
}

/** `#/to/0/name` as `to[0].name`. */
function pathOf(location: string): string {
  const parts = location.split('/').slice(1);
  const decoded = parts.map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  return pathText(decoded.map((part) => (/^(0|[1-9]\d*)$/.test(part) ? Number(part) : part)));
}

/** For checking only, never for sending: an integer beyond 2^53 stands for itself as the largest safe one. */
function plain(node: JsonNode): unknown {
  if (node.kind === 'object') return Object.fromEntries(node.entries.map(({ key, value }) => [key, plain(value)]));
  if (node.kind === 'array') return node.items.map(plain);
  if (node.kind === 'null') return null;
  if (node.kind !== 'number') return node.value;
  const value = Number(node.text);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return value < 0 ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER;
}
