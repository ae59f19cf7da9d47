import type { Message } from '../../../shared/checkpoint.js';
import type { CyreneMessage } from './state.js';

/** Cyrene's messages in the normal form. A missing id stays one: null for a call that came without (C11). */
export function normalMessages(messages: readonly CyreneMessage[]): Message[] {
  const normal = messages.map(({ role, content, tool_calls: calls, tool_call_id: id }) => ({
    role,
    content,
    toolCalls: calls.map((call) => ({
      id: call.id ?? null,
      name: call.function.name,
      arguments: call.function.arguments,
    })),
    toolCallId: id ?? null,
  }));
  return paired(normal);
}

/**
 * For Go an id that is absent, null or empty is the same empty text, and an answer without one belongs to the next call
 * without one. Only where there are such answers do their calls get the empty text too, so that both find each other.
 */
function paired(messages: Message[]): Message[] {
  const result = [...messages];
  for (const [at, message] of messages.entries()) {
    if (message.role !== 'tool' || message.toolCallId !== null) continue;
    const asked = result.findLastIndex((other, before) => before < at && other.role !== 'tool');
    const turn = result[asked];
    if (turn === undefined || !turn.toolCalls.some((call) => call.id === null || call.id === '')) continue;
    result[asked] = { ...turn, toolCalls: turn.toolCalls.map((call) => ({ ...call, id: call.id ?? '' })) };
    result[at] = { ...message, toolCallId: '' };
  }
  return result;
}
