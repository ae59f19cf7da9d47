import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { httpLink } from '../../electron/agent/http-server.js';
import { connectMcp } from '../../electron/agent/mcp-connection.js';

it('cuts the connection to an HTTP server that floods it with requests', async () => {
  let answers = 0;
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (message.method === undefined) answers += 1;
    if (message.method !== 'initialize') return response.writeHead(202).end();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const ping = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'ping', id: 'x' })}\n\n`;
    return response.end(ping.repeat(2000));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const link = httpLink(`http://127.0.0.1:${port}/mcp`, { unaskedMessages: 5, unaskedBytes: 1000 });
  await expect(connectMcp({ name: 'web', timeoutSeconds: 5 }, link, 5000)).rejects.toThrow(
    'it sent more than 5 messages that nobody asked for',
  );
  expect(answers).toBeLessThanOrEqual(5);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
