import type { Arguments, Field } from './fields.js';

/** Names under which tools are told what to act on, the most telling first. */
const TELLING = [
  'path',
  'file',
  'file_path',
  'filename',
  'url',
  'uri',
  'to',
  'recipient',
  'command',
  'cmd',
  'table',
  'target',
  'database',
  'host',
  'account',
  'id',
  'name',
  'query',
];

export interface Target {
  key: string;
  /** As it is in the arguments: the decoded string, or the number as written. */
  value: string;
}

/** What the call acts on, when one of its short fields says so plainly; null otherwise. Never a guess at a nested one. */
export function targetOf(args: Arguments): Target | null {
  if (args.kind !== 'fields') return null;
  const plain = args.fields.filter(
    (field) => !field.long && !field.repeated && plainValue(field, args.source) !== null,
  );
  for (const key of TELLING) {
    const field = plain.find((f) => f.key?.toLowerCase() === key);
    const value = field && plainValue(field, args.source);
    if (field?.key && value) return { key: field.key, value };
  }
  const first = plain.find((field) => field.key !== null);
  const value = first && plainValue(first, args.source);
  return first?.key && value ? { key: first.key, value } : null;
}

function plainValue(field: Field, source: string): string | null {
  if (field.node.kind === 'string') return field.node.value;
  return field.node.kind === 'number' ? source.slice(field.node.start, field.node.end) : null;
}
