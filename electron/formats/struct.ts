import type { z } from 'zod';
import type { ReadRefusal } from '../../shared/checkpoint.js';
import type { JsonNode } from '../../shared/json.js';
import { pathText } from '../../shared/json-path.js';
import { child, inFewWords, refusalAt } from './refuse-record.js';

/** A number as a schema sees it: its text, never a double. */
export class NumberText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type StructResult<T> = { ok: true; value: T } | { ok: false; refusal: ReadRefusal };

/**
 * Holds a document against the schema of its system. Values under the `opaque` keys reach the schema as nodes, so that
 * free-form JSON keeps its text. The schema's messages are words like "must be a text"; field and place come from here.
 */
export function readStruct<T>(
  schema: z.ZodType<T>,
  document: { text: string; root: JsonNode },
  opaque: ReadonlySet<string>,
): StructResult<T> {
  const { text, root } = document;
  const parsed = schema.safeParse(plain(root, opaque));
  if (parsed.success) return { ok: true, value: parsed.data };
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).filter((part) => typeof part !== 'symbol');
  let node: JsonNode | undefined = root;
  for (const part of path) node = node === undefined ? undefined : child(node, part);
  const field = path.length === 0 ? 'the record' : pathText(path);
  if (node === undefined) {
    return { ok: false, refusal: refusalAt(text, root, path, 'missing_field', `${field} is missing`) };
  }
  const words = `${field} ${issue?.message ?? 'is wrong'}, not ${inFewWords(node)}`;
  return { ok: false, refusal: refusalAt(text, root, path, 'wrong_type', words) };
}

function plain(node: JsonNode, opaque: ReadonlySet<string>): unknown {
  switch (node.kind) {
    case 'object': {
      // Without a prototype, so that a key called __proto__ is a key like any other.
      const value: Record<string, unknown> = Object.create(null);
      for (const entry of node.entries)
        value[entry.key] = opaque.has(entry.key) ? entry.value : plain(entry.value, opaque);
      return value;
    }
    case 'array':
      return node.items.map((item) => plain(item, opaque));
    case 'number':
      return new NumberText(node.text);
    case 'null':
      return null;
    default:
      return node.value;
  }
}
