import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpToolServer {
  url: string;
  /** Bodies of every POST, byte for byte. */
  bodies: string[];
  close(): Promise<void>;
}

export type HttpCallMode = 'json' | 'stream' | 'drop' | 'redirect' | 'error500';

/** A tool server over streamable HTTP with one tool, `update_record`; `mode()` says how the next call is answered. */
export async function startHttpToolServer(mode: () => HttpCallMode): Promise<HttpToolServer> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    bodies.push(body);
    const message = JSON.parse(body);
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const how = message.method === 'tools/call' ? mode() : 'json';
    if (how === 'drop') {
      request.socket.destroy();
      return;
    }
    if (how === 'redirect') {
      response.writeHead(307, { location: '/elsewhere' }).end();
      return;
    }
    if (how === 'error500') {
      response.writeHead(500).end('broken');
      return;
    }
    const answer = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) });
    if (how === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: message\ndata: ${answer}\n\n`);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function resultOf(message: { method: string; params?: { protocolVersion?: string } }): unknown {
  switch (message.method) {
    case 'initialize':
      return {
        protocolVersion: message.params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'http-test', version: '1' },
      };
    case 'tools/list':
      return { tools: [{ name: 'update_record', inputSchema: { type: 'object' } }] };
    default:
      return { content: [{ type: 'text', text: 'updated' }] };
  }
}
