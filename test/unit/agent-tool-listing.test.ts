import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { listTools } from '../../electron/agent/tool-listing.js';

const never = new AbortController().signal;
const limits = { bytes: 1000, description: 20 };

function clientWith(tools: unknown[]): Client {
  const client: Pick<Client, 'getServerCapabilities'> & { request(): Promise<unknown> } = {
    getServerCapabilities: () => ({ tools: {} }),
    request: async () => ({ tools }),
  };
  return client as unknown as Client;
}

describe('the list of tools', () => {
  it('cuts a long description with a visible note', async () => {
    const { tools, more } = await listTools(
      clientWith([{ name: 'a', description: 'd'.repeat(21) }]),
      's',
      never,
      limits,
    );
    expect(tools[0]?.description).toBe(`${'d'.repeat(20)}\n[cut here: 20 of 21 characters are kept]`);
    expect(more).toBe(false);
  });

  it('stops at its limit of bytes and says that there are more', async () => {
    const schema = { type: 'object', title: 't'.repeat(300) };
    const many = [1, 2, 3, 4].map((index) => ({ name: `tool_${index}`, inputSchema: schema }));
    const { tools, more } = await listTools(clientWith(many), 's', never, limits);
    expect(tools.map((tool) => tool.name)).toEqual(['tool_1', 'tool_2']);
    expect(more).toBe(true);
  });
});
