import { describe, expect, it } from 'vitest';
import type { ToolConnection } from '../../electron/agent/tool-connection.js';
import { makeSession } from '../../electron/agent/tool-session.js';
import type { ListedTool } from '../../electron/ports.js';

const never = new AbortController().signal;

function connection(server: string, tools: Partial<ListedTool>[]): ToolConnection & { sent: string[]; closed: number } {
  const sent: string[] = [];
  const made = {
    server,
    tools: tools.map((tool) => ({ server, name: 'x', description: server, inputSchema: '{}', claims: {}, ...tool })),
    more: false,
    sent,
    closed: 0,
    call: async (tool: string, text: string) => {
      sent.push(`${tool} ${text}`);
      return { kind: 'result' as const, text: server };
    },
    close: async () => {
      made.closed += 1;
    },
  };
  return made;
}

describe('a session over several servers', () => {
  it('sends each call to the server that lists the tool', async () => {
    const a = connection('a', [{ name: 'one' }]);
    const b = connection('b', [{ name: 'two' }]);
    const session = makeSession([a, b]);
    expect(await session.call('two', '{"n":1.0}', { signal: never })).toEqual({ kind: 'result', text: 'b' });
    expect([a.sent, b.sent]).toEqual([[], ['two {"n":1.0}']]);
    await session.close();
    expect([a.closed, b.closed]).toEqual([1, 1]);
  });

  it('a name that two servers offer is listed once, with the graver claims, and never called', async () => {
    const a = connection('a', [{ name: 'send', claims: { readOnly: true } }]);
    const b = connection('b', [{ name: 'send', claims: { readOnly: false, destructive: true } }]);
    const session = makeSession([a, b]);
    expect(session.tools).toEqual([
      {
        server: 'a, b',
        name: 'send',
        description: 'a',
        inputSchema: '{}',
        claims: { readOnly: false, destructive: true },
      },
    ]);
    const outcome = await session.call('send', '{}', { signal: never });
    expect(outcome).toMatchObject({
      kind: 'not_available',
      text: expect.stringContaining('“a” and “b” both offer “send”'),
    });
    expect([a.sent, b.sent]).toEqual([[], []]);
  });

  it('a name that one server lists twice stays callable', async () => {
    const a = connection('a', [{ name: 'one' }, { name: 'one' }]);
    const session = makeSession([a]);
    expect(session.tools).toHaveLength(1);
    expect((await session.call('one', '{}', { signal: never })).kind).toBe('result');
  });
});
