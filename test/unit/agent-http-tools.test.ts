import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTools, type ToolServers } from '../../electron/agent/tool-servers.js';
import type { ToolSession } from '../../electron/ports.js';
import type { ToolServer } from '../../shared/settings.js';
import { type HttpCallMode, type HttpToolServer, startHttpToolServer } from '../helpers/http-tool-server.js';

const never = new AbortController().signal;
let http: HttpToolServer;
let mode: HttpCallMode;
let tools: ToolServers;

const setting = (url: string): ToolServer => ({ kind: 'http', name: 'web', url, timeoutSeconds: 5 });
const toolsAt = (url: string): ToolServers =>
  makeTools({ servers: () => [setting(url)], dataFolder: '/nowhere', env: {} });

beforeEach(async () => {
  mode = 'json';
  http = await startHttpToolServer(() => mode);
  tools = toolsAt(http.url);
});
afterEach(async () => {
  await tools.closeAll();
  await http.close();
});

async function session(): Promise<ToolSession> {
  const opened = await tools.open(['web']);
  if (!opened.ok) throw new Error(opened.refusal.text);
  return opened.value;
}
const calls = (): string[] => http.bodies.filter((body) => body.includes('tools/call'));

describe('calls over streamable HTTP', () => {
  it.each(['json', 'stream'] as const)('C50 I6 sends the argument text byte for byte (answer as %s)', async (how) => {
    mode = how;
    const text = '{"id":2512292042121000001,\n "tiny": 1.0, "z":1,"a":"ü $&"}';
    expect(await (await session()).call('update_record', text, { signal: never })).toEqual({
      kind: 'result',
      text: 'updated',
    });
    expect(calls()).toHaveLength(1);
    expect(calls()[0]).toContain(`"arguments":${text}`);
  });

  it.each(['drop', 'error500'] as const)('H7 a call that ends with %s is unknown and was sent once', async (how) => {
    mode = how;
    expect(await (await session()).call('update_record', '{}', { signal: never })).toMatchObject({
      kind: 'unknown',
      cause: 'connection_lost',
    });
    expect(calls()).toHaveLength(1);
  });

  it('I1 a redirect of a call is not followed', async () => {
    mode = 'redirect';
    expect(await (await session()).call('update_record', '{}', { signal: never })).toMatchObject({ kind: 'unknown' });
    expect(calls()).toHaveLength(1);
  });

  it('says which server cannot be reached and why', async () => {
    await http.close();
    const outcome = await tools.open(['web']);
    if (outcome.ok) throw new Error('opened');
    expect(outcome.refusal.code).toBe('tool_server_unreachable');
    expect(outcome.refusal.text).toMatch(/“web”: .*ECONNREFUSED/);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://name:word@127.0.0.1:1/'])(
    'does not try the address %s',
    async (url) => {
      const outcome = await toolsAt(url).open(['web']);
      if (outcome.ok) throw new Error('opened');
      expect(outcome.refusal.text).toContain('“web”: its address');
      expect(outcome.refusal.text).not.toContain('word@');
    },
  );
});
