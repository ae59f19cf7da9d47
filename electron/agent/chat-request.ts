import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Message } from '../../shared/checkpoint.js';
import type { ListedTool } from '../ports.js';

/**
 * The conversation in the form of chat completions. Argument texts go out as they are, never parsed and printed again
 * (I6, C50). An answer that names no call, which this form cannot express, is told as a user's message (H6 K7).
 */
export function chatMessages(messages: readonly Message[]): ChatCompletionMessageParam[] {
  return messages.map(chatMessage);
}

function chatMessage(message: Message): ChatCompletionMessageParam {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'user':
      return { role, content };
    case 'tool':
      return message.toolCallId === null
        ? { role: 'user', content }
        : { role, tool_call_id: message.toolCallId, content };
    case 'assistant': {
      if (message.toolCalls.length === 0) return { role, content };
      return {
        role,
        content: content === '' ? null : content,
        tool_calls: message.toolCalls.map((call) => ({
          id: call.id ?? '',
          type: 'function' as const,
          function: { name: call.name, arguments: call.arguments },
        })),
      };
    }
  }
}

/** The tools a model may ask for. A schema that cannot be read is offered as "any object". */
export function chatTools(tools: readonly ListedTool[]): ChatCompletionFunctionTool[] {
  return tools.map((tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schemaOf(tool.inputSchema) },
  }));
}

function schemaOf(text: string): Record<string, unknown> {
  const open = { type: 'object' };
  try {
    const schema: unknown = JSON.parse(text);
    return typeof schema === 'object' && schema !== null && !Array.isArray(schema) ? { ...schema } : open;
  } catch {
    // The tool stays callable; its arguments are reviewed all the same.
    return open;
  }
}
