import type { JsonNode } from '../../shared/json.js';

/**
 * Lays a JSON value out over lines without changing any of its tokens: numbers, strings and keys are the slices of the
 * text they were read from. Only the blanks between tokens are new.
 */
export function prettyLines(source: string, root: JsonNode): string[] {
  const lines: string[] = [];
  write(source, root, '', '', '', lines);
  return lines;
}

function write(source: string, node: JsonNode, indent: string, before: string, after: string, lines: string[]): void {
  const children =
    node.kind === 'object'
      ? node.entries.map((e) => ({ label: `${source.slice(e.keyStart, e.keyEnd)}: `, value: e.value }))
      : node.kind === 'array'
        ? node.items.map((value) => ({ label: '', value }))
        : [];
  if (children.length === 0) {
    const token = node.kind === 'object' ? '{}' : node.kind === 'array' ? '[]' : source.slice(node.start, node.end);
    lines.push(`${indent}${before}${token}${after}`);
    return;
  }
  const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
  lines.push(`${indent}${before}${open}`);
  children.forEach(({ label, value }, i) => {
    write(source, value, `${indent}  `, label, i < children.length - 1 ? ',' : '', lines);
  });
  lines.push(`${indent}${close}${after}`);
}
