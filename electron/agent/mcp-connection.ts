import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js';
import { startDeadline } from './deadline.js';
import { wordsOf } from './fault-words.js';
import { callOverMcp } from './mcp-call.js';
import type { RawArguments } from './raw-arguments.js';
import type { ToolConnection } from './tool-connection.js';
import { listTools } from './tool-listing.js';

/** A way to one tool server that is not yet connected. */
export interface McpLink {
  transport: Transport;
  raw: RawArguments;
  /** What is known of a broken connection: exit code, last words; '' for nothing. */
  story(): string;
  /** Says good-bye and lets go of every resource. */
  end(): Promise<void>;
}

/** Shapes that a tool declares for its output are not checked: an answer that came counts, whatever it looks like. */
const noOutputCheck: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (input) => ({ valid: true, data: input as T, errorMessage: undefined });
  },
};

/** Connects, shakes hands and lists, all within `connectMs`. Throws with words for a person when that fails. */
export async function connectMcp(
  server: { name: string; timeoutSeconds: number },
  link: McpLink,
  connectMs: number,
): Promise<ToolConnection> {
  const client = new Client(
    { name: 'holdpoint', version: '1' },
    { capabilities: {}, jsonSchemaValidator: noOutputCheck },
  );
  const deadline = startDeadline(null, connectMs);
  // Set before connecting: the library chains its own listener behind this one.
  link.transport.onmessage = (message) => link.raw.note(message);
  try {
    await raced(client.connect(link.transport, { signal: deadline.signal }), deadline.signal);
    const { tools, more } = await listTools(client, server.name, deadline.signal);
    return {
      server: server.name,
      tools,
      more,
      call: (tool, argumentsText, signal) =>
        callOverMcp(client, link.raw, {
          server: server.name,
          tool,
          argumentsText,
          timeoutMs: server.timeoutSeconds * 1000,
          signal,
        }),
      close: () => link.end(),
    };
  } catch (fault) {
    const late = deadline.cause() === 'timeout';
    await link.end();
    const words = late ? `no answer within ${connectMs / 1000} seconds` : wordsOf(fault);
    throw new Error([words, link.story()].filter((part) => part !== '').join('; '), { cause: fault });
  } finally {
    deadline.release();
  }
}

/** Starting a child or opening a socket takes no signal; this makes the limit hold for them too. */
function raced<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
