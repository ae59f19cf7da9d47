import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One scripted answer: a message, a raw body, or a failure. */
export type ScriptedReply =
  | {
      content?: string | null;
      toolCalls?: { id: string; name: string; arguments: string }[];
      finishReason?: string;
    }
  | { status: number; body?: string; headers?: Record<string, string> }
  | { raw: string }
  /** Cuts the connection without an answer. */
  | { hangUp: true }
  /** Never answers. */
  | { silent: true };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body byte for byte. */
  body: string;
}

export interface OpenAiServer {
  /** Base address for an endpoint, with /v1. */
  baseUrl: string;
  /** Every request in order of arrival. */
  requests: SeenRequest[];
  /** Only those to /chat/completions. */
  chats(): SeenRequest[];
  /** Appends answers; when none is left, a plain "done" is answered. */
  queue(...replies: ScriptedReply[]): void;
  /** Forgets the answers that were not used. */
  drop(): void;
  /** What GET /models answers with; 200 at first. */
  modelsStatus: number;
  modelsBody: string;
  close(): Promise<void>;
}

/** A scripted OpenAI-compatible server on 127.0.0.1. `port` 0 takes a free one. */
export async function startOpenAiServer(port = 0): Promise<OpenAiServer> {
  const replies: ScriptedReply[] = [];
  const requests: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '';
    requests.push({ method: request.method ?? '', path, headers: request.headers, body });
    const json = (status: number, text: string, headers: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    };
    if (path.endsWith('/models')) {
      json(handle.modelsStatus, handle.modelsBody);
      return;
    }
    const reply = replies.shift() ?? { content: 'done' };
    if ('silent' in reply) return;
    if ('hangUp' in reply) request.socket.destroy();
    else if ('raw' in reply) json(200, reply.raw);
    else if ('status' in reply) {
      json(reply.status, reply.body ?? '{"error":{"message":"scripted failure"}}', reply.headers);
    } else json(200, completion(reply));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  const handle: OpenAiServer = {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    chats: () => requests.filter((request) => request.path.endsWith('/chat/completions')),
    queue: (...more) => replies.push(...more),
    drop: () => {
      replies.length = 0;
    },
    modelsStatus: 200,
    modelsBody: '{"object":"list","data":[]}',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return handle;
}

function completion(reply: Extract<ScriptedReply, { content?: string | null }>): string {
  const calls = reply.toolCalls ?? [];
  const message = {
    role: 'assistant',
    content: reply.content ?? null,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.arguments },
          })),
        }),
  };
  const finish = reply.finishReason ?? (calls.length === 0 ? 'stop' : 'tool_calls');
  return JSON.stringify({
    id: 'chatcmpl-test',
    object: 'chat.completion',
    created: 0,
    model: 'test',
    choices: [{ index: 0, message, finish_reason: finish }],
  });
}
