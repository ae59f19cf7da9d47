import { pathText } from './json-path.js';
import { MAX_DEPTH } from './json-scan.js';

/** A value that JSON cannot hold. Nothing is written in its place (C52). */
export class NotSerialisable extends Error {
  override readonly name = 'NotSerialisable';
  readonly path: string;
  constructor(path: readonly (string | number)[], what: string, options?: ErrorOptions) {
    const where = pathText(path);
    super(`${where === '' ? 'the value' : where} cannot be written as JSON: ${what}`, options);
    this.path = where;
  }
}

/**
 * Writes a plain value as compact JSON that the strict reader takes back. Throws NotSerialisable on cycles, functions,
 * undefined, symbols, bigints, non-finite numbers, lone surrogates, objects of a class, throwing getters and nesting
 * beyond 127 levels. The same object in two places is no cycle.
 */
export function stringifyStrict(value: unknown): string {
  return write(value, [], new Set());
}

type Path = readonly (string | number)[];

function write(value: unknown, path: Path, open: Set<object>): string {
  switch (typeof value) {
    case 'string':
      return writeString(value, path);
    case 'number':
      if (!Number.isFinite(value)) throw new NotSerialisable(path, `the number ${value}`);
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : writeHolder(value, path, open);
    default:
      throw new NotSerialisable(path, typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`);
  }
}

function writeHolder(value: object, path: Path, open: Set<object>): string {
  if (open.has(value)) throw new NotSerialisable(path, 'a cycle');
  if (open.size >= MAX_DEPTH) throw new NotSerialisable(path, `nested deeper than ${MAX_DEPTH} levels`);
  open.add(value);
  const text = Array.isArray(value) ? writeArray(value, path, open) : writeObject(value, path, open);
  open.delete(value);
  return text;
}

function writeArray(items: readonly unknown[], path: Path, open: Set<object>): string {
  return `[${Array.from(items, (item, index) => write(item, [...path, index], open)).join(',')}]`;
}

function writeObject(value: object, path: Path, open: Set<object>): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype) throw new NotSerialisable(path, 'an object of a class');
  const entries = Object.keys(value).map((key) => {
    const inner = [...path, key];
    return `${writeString(key, inner)}:${write(readProperty(value, key, inner), inner, open)}`;
  });
  return `{${entries.join(',')}}`;
}

function readProperty(value: object, key: string, path: Path): unknown {
  try {
    return Reflect.get(value, key);
  } catch (cause) {
    throw new NotSerialisable(path, 'its getter throws', { cause });
  }
}

function writeString(value: string, path: Path): string {
  if (/\p{Cs}/u.test(value)) throw new NotSerialisable(path, 'a lone surrogate');
  return JSON.stringify(value);
}
