import http from 'node:http';
import https from 'node:https';
import { Readable, Transform } from 'node:stream';

export const MAX_BODY_BYTES = 32 * 1024 * 1024;
const BODILESS = new Set([204, 205, 304]);

/**
 * A plain fetch over node:http for tool servers and models. It differs from the built-in one on purpose: no hidden
 * five-minute limit under a longer time-out of ours, no kept socket that the server has just closed (a call that dies
 * on one would be unknown for nothing), no redirect followed, and an answer over `maxBytes` is cut off with an error.
 */
export function makeFetch(maxBytes: number = MAX_BODY_BYTES) {
  return (input: string | URL, init: RequestInit = {}): Promise<Response> =>
    new Promise((resolve, reject) => {
      const url = new URL(input);
      const secure = url.protocol === 'https:';
      if (!secure && url.protocol !== 'http:') {
        reject(new TypeError(`Addresses begin with http or https, not with ${url.protocol}`));
        return;
      }
      const body = init.body ?? null;
      if (body !== null && typeof body !== 'string') {
        reject(new TypeError('Only text is sent.'));
        return;
      }
      const headers = Object.fromEntries(new Headers(init.headers).entries());
      if (body !== null) headers['content-length'] = String(Buffer.byteLength(body, 'utf8'));
      const agent = secure ? new https.Agent({ keepAlive: false }) : new http.Agent({ keepAlive: false });
      const options: https.RequestOptions = { method: init.method ?? 'GET', headers, agent };
      if (init.signal) options.signal = init.signal;
      const request = (secure ? https : http).request(url, options, (incoming) => {
        resolve(toResponse(incoming, maxBytes));
      });
      request.on('error', reject);
      request.end(body ?? undefined);
    });
}

function toResponse(incoming: http.IncomingMessage, maxBytes: number): Response {
  const status = incoming.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  if (BODILESS.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  const capped = new Transform({ transform: capAt(maxBytes) });
  incoming.on('error', (error) => capped.destroy(error));
  capped.on('close', () => incoming.destroy());
  // Node's own type of a web stream and the one of the fetch types are the same object at run time.
  const stream = Readable.toWeb(incoming.pipe(capped)) as ReadableStream<Uint8Array>;
  return new Response(stream, { status, statusText: incoming.statusMessage ?? '', headers });
}

function capAt(maxBytes: number) {
  let seen = 0;
  return (chunk: Buffer, _encoding: string, done: (error: Error | null, data?: Buffer) => void): void => {
    seen += chunk.length;
    if (seen > maxBytes) done(new Error(`The answer is longer than ${maxBytes} bytes.`));
    else done(null, chunk);
  };
}
