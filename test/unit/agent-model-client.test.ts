import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ModelClient, makeModels } from '../../electron/agent/model-client.js';
import type { ListedTool } from '../../electron/ports.js';
import type { Message } from '../../shared/checkpoint.js';
import { type OpenAiServer, startOpenAiServer } from '../helpers/openai-server.js';

const never = new AbortController().signal;
let server: OpenAiServer;
let pauses: number[];

const message = (role: Message['role'], content: string, more: Partial<Message> = {}): Message => ({
  role,
  content,
  toolCalls: [],
  toolCallId: null,
  ...more,
});
function models(options: Partial<Parameters<typeof makeModels>[0]> = {}): ModelClient {
  return makeModels({
    endpoints: () => [{ kind: 'openai', name: 'local', baseUrl: server.baseUrl, model: 'llama3.1:8b' }],
    keyOf: async () => null,
    pause: async (milliseconds) => pauses.push(milliseconds),
    ...options,
  });
}
const ask = { messages: [message('user', 'go')], tools: [] };

beforeEach(async () => {
  pauses = [];
  server = await startOpenAiServer();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

describe('the request', () => {
  it('C50 I6 is the transcript with argument texts as they are', async () => {
    const args = '{"id": 2512292042121000001, "tiny":1.0,\n"z":1,"a":2}';
    const messages = [
      message('system', 'You are careful.'),
      message('user', 'Pay it'),
      message('assistant', '', {
        toolCalls: [
          { id: 'c1', name: 'pay', arguments: args },
          { id: 'c2', name: 'note', arguments: '' },
        ],
      }),
      message('tool', 'paid', { toolCallId: 'c1' }),
      message('tool', 'noted', { toolCallId: 'c2' }),
      message('assistant', 'Half done.'),
      message('tool', 'Human reviewer rejected this step: no'),
    ];
    const tool: ListedTool = {
      server: 's',
      name: 'pay',
      description: 'Pays.',
      inputSchema: '{"type":"object","properties":{"id":{"type":"integer"}}}',
      claims: {},
    };
    await models().complete(
      'local',
      { messages, tools: [tool, { ...tool, name: 'odd', inputSchema: 'no json' }] },
      { signal: never },
    );
    expect(server.chats()).toHaveLength(1);
    expect(server.chats()[0]?.body).toBe(
      JSON.stringify({
        model: 'llama3.1:8b',
        messages: [
          { role: 'system', content: 'You are careful.' },
          { role: 'user', content: 'Pay it' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'pay', arguments: args } },
              { id: 'c2', type: 'function', function: { name: 'note', arguments: '' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'paid' },
          { role: 'tool', tool_call_id: 'c2', content: 'noted' },
          { role: 'assistant', content: 'Half done.' },
          { role: 'user', content: 'Human reviewer rejected this step: no' },
        ],
        tools: [
          {
            type: 'function',
            function: {
              name: 'pay',
              description: 'Pays.',
              parameters: { type: 'object', properties: { id: { type: 'integer' } } },
            },
          },
          { type: 'function', function: { name: 'odd', description: 'Pays.', parameters: { type: 'object' } } },
        ],
      }),
    );
  });

  it('leaves out an empty list of tools', async () => {
    await models().complete('local', ask, { signal: never });
    expect(JSON.parse(server.chats()[0]?.body ?? '')).not.toHaveProperty('tools');
  });

  it('takes nothing from the environment and says nothing about this machine', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-environment');
    vi.stubEnv('OPENAI_ADMIN_KEY', 'sk-admin');
    vi.stubEnv('OPENAI_BASE_URL', 'http://127.0.0.1:9/v1');
    vi.stubEnv('OPENAI_ORG_ID', 'org-environment');
    vi.stubEnv('OPENAI_PROJECT_ID', 'proj-environment');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'Authorization: Bearer stolen\nX-Extra: environment');
    expect((await models().complete('local', ask, { signal: never })).kind).toBe('message');
    const headers = server.chats()[0]?.headers ?? {};
    expect(headers.authorization).toBe('Bearer none');
    expect(Object.keys(headers).sort()).toEqual(
      ['accept', 'authorization', 'connection', 'content-length', 'content-type', 'host', 'user-agent'].sort(),
    );
    expect(JSON.stringify(server.requests)).not.toContain('environment');
  });

  it('sends the stored key of that endpoint', async () => {
    await models({ keyOf: async (name) => `key-of-${name}` }).complete('local', ask, { signal: never });
    expect(server.chats()[0]?.headers.authorization).toBe('Bearer key-of-local');
  });
});

describe('the answer', () => {
  it('C47 C50 keeps ids and argument texts exactly as they came', async () => {
    const args = '{"id":2512292042121000001, "a": 1.0';
    server.queue({
      toolCalls: [
        { id: 'toolu_e', name: 'rotate_keys', arguments: '' },
        { id: '', name: 'update_record', arguments: args },
      ],
    });
    expect(await models().complete('local', ask, { signal: never })).toEqual({
      kind: 'message',
      content: '',
      toolCalls: [
        { id: 'toolu_e', name: 'rotate_keys', arguments: '' },
        { id: '', name: 'update_record', arguments: args },
      ],
      finishReason: 'tool_calls',
    });
  });

  it.each([
    ['{"choices":[]}'],
    ['{"error":"overloaded"}'],
    [
      '{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]},"finish_reason":"tool_calls"}]}',
    ],
    ['{"choices":['],
    ['null'],
  ])('refuses %s', async (raw) => {
    server.queue({ raw });
    expect(await models().complete('local', ask, { signal: never })).toMatchObject({ kind: 'refused', status: 502 });
    expect(server.chats()).toHaveLength(1);
  });
});

describe('faults', () => {
  it('tries again after 503 and after a lost connection, and then succeeds', async () => {
    server.queue({ status: 503 }, { hangUp: true }, { content: 'at last' });
    expect(await models().complete('local', ask, { signal: never })).toMatchObject({
      kind: 'message',
      content: 'at last',
    });
    expect(server.chats()).toHaveLength(3);
    expect(new Set(server.chats().map((chat) => chat.body)).size).toBe(1);
    expect(pauses).toEqual([500, 1000]);
  });

  it('gives up after two retries: unreachable', async () => {
    server.queue({ status: 500 }, { status: 502 }, { status: 429 }, { content: 'too late' });
    expect(await models().complete('local', ask, { signal: never })).toMatchObject({
      kind: 'unreachable',
      text: expect.stringContaining('429'),
    });
    expect(server.chats()).toHaveLength(3);
  });

  it('keeps a wait that the endpoint asks for, up to ten seconds', async () => {
    server.queue({ status: 429, headers: { 'retry-after': '7' } }, { content: 'ok' });
    expect((await models().complete('local', ask, { signal: never })).kind).toBe('message');
    server.queue({ status: 429, headers: { 'retry-after': '11' } }, { content: 'ok' });
    expect((await models().complete('local', ask, { signal: never })).kind).toBe('unreachable');
    expect(pauses).toEqual([7000]);
  });

  it.each([400, 401, 404, 409, 422, 307])('C30 does not try again after %d', async (status) => {
    server.queue({ status, headers: { location: '/elsewhere' } }, { content: 'never' });
    expect(await models().complete('local', ask, { signal: never })).toMatchObject({ kind: 'refused', status });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 500])('a key that the endpoint repeats with %d is hidden', async (status) => {
    const key = 'sk-SE/CR+ET 5551234567';
    const forms = [key, encodeURIComponent(key), btoa(key), Buffer.from(key).toString('hex'), key.toUpperCase()];
    for (const words of [
      ...forms,
      `Bearer ${key}`,
      btoa(`Bearer ${key}`),
      'Bearer other-token',
      'x'.repeat(1990) + key,
    ]) {
      server.queue(...[1, 2, 3].map(() => ({ status, body: JSON.stringify({ error: { message: `no: ${words}` } }) })));
      const answer = await models({ keyOf: async () => key }).complete('local', ask, { signal: never });
      if (!('text' in answer)) throw new Error('answered');
      expect(answer.text).toContain(`(${status})`);
      for (const form of [...forms, 'other-token']) expect(answer.text.toLowerCase()).not.toContain(form.toLowerCase());
      expect(answer.text).not.toMatch(/sk-SE|NTU1MTIzNDU2|U1NTEyMzQ1N|1NTUxMjM0NT/);
      server.drop();
    }
  });

  it('nobody there is unreachable', async () => {
    await server.close();
    expect(await models().complete('local', ask, { signal: never })).toMatchObject({
      kind: 'unreachable',
      text: expect.stringContaining('ECONNREFUSED'),
    });
    expect(pauses).toHaveLength(2);
  });

  it('no answer in time is unreachable and not tried again', async () => {
    server.queue({ silent: true });
    expect(await models({ answerMs: 100 }).complete('local', ask, { signal: never })).toMatchObject({
      kind: 'unreachable',
      text: expect.stringContaining('0.1 seconds'),
    });
    expect(server.chats()).toHaveLength(1);
  });

  it('a cancel ends the wait for an answer and the wait for a retry', async () => {
    server.queue({ silent: true });
    const first = new AbortController();
    const waiting = models().complete('local', ask, { signal: first.signal });
    while (server.chats().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    first.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });

    const second = new AbortController();
    server.queue({ status: 503 }, { content: 'never' });
    const pausing = makeModels({
      endpoints: () => [{ kind: 'openai', name: 'local', baseUrl: server.baseUrl, model: 'm' }],
      keyOf: async () => null,
    }).complete('local', ask, { signal: second.signal });
    while (server.chats().length === 1) await new Promise((resolve) => setTimeout(resolve, 10));
    setTimeout(() => second.abort(), 50);
    expect(await pausing).toEqual({ kind: 'cancelled' });
    expect(server.chats()).toHaveLength(2);
  });
});

describe('the cheap check', () => {
  it.each([200, 404, 500])('an answer of %d is reachable', async (status) => {
    server.modelsStatus = status;
    expect(await models().reachable('local')).toEqual({ ok: true, value: null });
    expect(server.chats()).toEqual([]);
  });

  it.each([401, 403])('an answer of %d speaks of the key', async (status) => {
    server.modelsStatus = status;
    const outcome = await models().reachable('local');
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'model_unreachable', facts: { status } } });
    if (!outcome.ok) expect(outcome.refusal.text).toContain('key');
    expect(await models().testModel('local')).toMatchObject({ ok: false, tools: [] });
  });

  it('a key that the endpoint repeats is hidden', async () => {
    server.modelsStatus = 401;
    server.modelsBody = '{"error":{"message":"bad Authorization: Bearer sk-SECRET"}}';
    const tested = await models({ keyOf: async () => 'sk-SECRET' }).testModel('local');
    expect(tested.ok).toBe(false);
    expect(tested.text).toContain('bad Authorization: Bearer [key hidden]');
    expect(tested.text).not.toContain('sk-SECRET');
  });

  it('nobody there, and a name that the settings do not have', async () => {
    await server.close();
    expect(await models().reachable('local')).toMatchObject({ ok: false, refusal: { code: 'model_unreachable' } });
    expect(await models().reachable('other')).toMatchObject({ ok: false, refusal: { code: 'model_unreachable' } });
    expect(await models().complete('other', ask, { signal: never })).toMatchObject({ kind: 'unreachable' });
  });
});
