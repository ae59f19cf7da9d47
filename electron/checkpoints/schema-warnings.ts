import { sendable } from '../../shared/arguments.js';
import type { PendingCall, Warning } from '../../shared/checkpoint.js';
import { schemaFaults } from './schema-check.js';

/**
 * Where the proposed arguments do not fit the schema that the tool server gave. The server will say so itself when it is
 * asked; nothing is blocked.
 */
export function schemaWarnings(call: PendingCall, schema: string): Warning[] {
  const sent = sendable(call.arguments);
  if (!sent.ok || call.edits === 'any_value') return [];
  const [outer = `pending_tool_calls[${call.index}]`, inner = `${outer}.args`] = call.paths ?? [];
  return schemaFaults(schema, sent.text).map(({ path, text }) => ({
    code: 'breaks_schema',
    path: path === '' ? inner : path.startsWith('[') ? `${inner}${path}` : `${inner}.${path}`,
    text: `does not fit what the tool server says that ${call.name} takes: ${text}`,
    blocksApproval: false,
  }));
}
