import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFetch } from '../../electron/agent/http-fetch.js';

let server: Server;
let base: string;

beforeEach(async () => {
  server = createServer((request, response) => {
    if (request.url === '/long') response.end('x'.repeat(5000));
    else if (request.url === '/empty') response.writeHead(204).end();
    else if (request.url === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => request.socket.destroy());
    } else if (request.url === '/echo') request.pipe(response.writeHead(201, { 'x-seen': request.method ?? '' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

describe('fetch over node:http', () => {
  it('sends text and headers and gives status, headers and body back', async () => {
    const response = await makeFetch()(`${base}/echo`, { method: 'POST', body: 'grüße', headers: { a: 'b' } });
    expect([response.status, response.headers.get('x-seen'), await response.text()]).toEqual([201, 'POST', 'grüße']);
  });

  it('answers without a body are fine', async () => {
    expect((await makeFetch()(`${base}/empty`)).status).toBe(204);
  });

  it('cuts off an answer over the cap with an error', async () => {
    expect(await (await makeFetch(5000)(`${base}/long`)).text()).toHaveLength(5000);
    const response = await makeFetch(4999)(`${base}/long`);
    await expect(response.text()).rejects.toThrow();
  });

  it('an answer that nobody wants to read is dropped without a fault', async () => {
    for (let round = 0; round < 20; round += 1) await (await makeFetch()(`${base}/long`)).body?.cancel();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await (await makeFetch()(`${base}/long`)).text()).toHaveLength(5000);
  });

  it('an answer that breaks off is an error, not a short answer', async () => {
    const response = await makeFetch()(`${base}/cut`);
    await expect(response.text()).rejects.toThrow();
  });

  it('a raised signal ends the wait', async () => {
    const cancel = new AbortController();
    const waiting = makeFetch()(`${base}/silent`, { signal: cancel.signal });
    setTimeout(() => cancel.abort(), 20);
    await expect(waiting).rejects.toThrow(/abort/i);
  });

  it('refuses other schemes', async () => {
    await expect(makeFetch()('file:///etc/passwd')).rejects.toThrow('http or https');
  });
});
