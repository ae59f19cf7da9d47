import http from 'node:http';
import https from 'node:https';

const MAX_BODY_BYTES = 32 * 1024 * 1024;
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
    // Nothing is read of it, so a fault on the way changes nothing.
    incoming.on('error', () => incoming.destroy());
    incoming.resume();
    return new Response(null, { status, headers });
  }
  return new Response(bodyStream(incoming, maxBytes), { status, statusText: incoming.statusMessage ?? '', headers });
}

/**
 * The body as a web stream. Node's own adapter throws out of nowhere when a stream is cancelled while data is on its
 * way, which would end this process.
 */
function bodyStream(incoming: http.IncomingMessage, maxBytes: number): ReadableStream<Uint8Array> {
  let seen = 0;
  let over = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const fail = (error: Error): void => {
        if (over) return;
        over = true;
        controller.error(error);
        incoming.destroy();
      };
      incoming.on('data', (chunk: Buffer) => {
        if (over) return;
        seen += chunk.length;
        if (seen > maxBytes) return fail(new Error(`The answer is longer than ${maxBytes} bytes.`));
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on('end', () => {
        if (over) return;
        over = true;
        controller.close();
      });
      incoming.on('error', fail);
      incoming.on('close', () => fail(new Error('The answer broke off.')));
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      over = true;
      incoming.destroy();
    },
  });
}
