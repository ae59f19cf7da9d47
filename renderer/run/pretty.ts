import type { JsonNode } from '../../shared/json.js';

/** How strings and keys are written: as they stand in the text, or with every printable character as itself. */
export type Strings = 'as_written' | 'decoded';

/**
 * Lays a JSON value out over lines. Numbers are the slices of the text they were read from; only the blanks between
 * tokens are new. Decoded strings keep an escape only where a character would end the string or its line.
 */
export function prettyLines(source: string, root: JsonNode, strings: Strings = 'decoded'): string[] {
  for (const steps = prettySteps(source, root, strings); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Lines laid out in one step. */
const STEP = 4_096;

/** The same in steps. */
export function* prettySteps(
  source: string,
  root: JsonNode,
  strings: Strings = 'decoded',
): Generator<undefined, string[]> {
  const lines: string[] = [];
  yield* write(source, root, strings, '', '', '', lines);
  return lines;
}

function* write(
  source: string,
  node: JsonNode,
  strings: Strings,
  indent: string,
  before: string,
  after: string,
  lines: string[],
): Generator<undefined, void> {
  const written = (value: string, start: number, end: number): string =>
    strings === 'decoded' ? JSON.stringify(value) : source.slice(start, end);
  const children =
    node.kind === 'object'
      ? node.entries.map((e) => ({ label: `${written(e.key, e.keyStart, e.keyEnd)}: `, value: e.value }))
      : node.kind === 'array'
        ? node.items.map((value) => ({ label: '', value }))
        : [];
  const leaf = (): string => {
    if (node.kind === 'string') return written(node.value, node.start, node.end);
    return node.kind === 'object' ? '{}' : node.kind === 'array' ? '[]' : source.slice(node.start, node.end);
  };
  if (children.length === 0) {
    lines.push(`${indent}${before}${leaf()}${after}`);
    if (lines.length % STEP === 0) yield;
    return;
  }
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  lines.push(`${indent}${before}${open}`);
  for (const [i, { label, value }] of children.entries())
    yield* write(source, value, strings, `${indent}  `, label, i < children.length - 1 ? ',' : '', lines);
  lines.push(`${indent}${close}${after}`);
}
