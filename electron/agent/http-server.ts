import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { makeFetch } from './http-fetch.js';
import type { McpLink } from './mcp-connection.js';
import { makeRawArguments } from './raw-arguments.js';
import { makeUnaskedBudget, UNASKED_LIMITS, type UnaskedLimits } from './unasked-budget.js';

/** Milliseconds the goodbye to a server may take before the connection is dropped. */
const GOODBYE = 1000;

/** Why an address is not even tried; null when it may be. */
export function httpFault(address: string): string | null {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'its address begins neither with http nor https';
  if (url.username !== '' || url.password !== '') return 'its address holds a user name or password';
  return null;
}

/** A link to a server over streamable HTTP. */
export function httpLink(address: string, limits: UnaskedLimits = UNASKED_LIMITS): McpLink {
  const raw = makeRawArguments();
  const unasked = makeUnaskedBudget(limits);
  let story = '';
  const plain = makeFetch();
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    fetch: async (input, init = {}) => {
      const body = typeof init.body === 'string' ? raw.rewrite(init.body) : undefined;
      const response = await plain(input, body === undefined ? init : { ...init, body });
      if (response.status >= 300 && response.status < 400) {
        await response.body?.cancel();
        // Following would send a tool call a second time.
        throw new Error('it answers with a redirect; enter the address it leads to');
      }
      return response;
    },
  });
  let ended: Promise<void> | null = null;
  const end = (): Promise<void> => {
    ended ??= goodbye(transport);
    return ended;
  };
  return {
    transport,
    raw: {
      ...raw,
      note(message) {
        // Answers that nobody waits for are dropped by the library; the bytes of a body have their own limit.
        const flood = 'method' in message ? unasked.spend(message, 0) : null;
        if (flood !== null) {
          story = flood;
          void end();
          // Keeps the library from answering this message.
          throw new Error(flood);
        }
        raw.note(message);
      },
    },
    story: () => story,
    end,
  };
}

async function goodbye(transport: StreamableHTTPClientTransport): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, GOODBYE).unref());
  // A server that no longer answers forgets the session by itself.
  const said = transport.terminateSession().catch(() => undefined);
  await Promise.race([said, patience]);
  await transport.close();
}
