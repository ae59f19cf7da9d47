import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { protocol } from 'electron';
import { APP_URL, APPROVE_ORIGIN, APPROVE_URL, isSameOrigin } from './shell/origin.js';

/** Sent with every answer to the page. Inline script, inline style, eval and everything remote are shut out (I10). */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  `frame-src ${APPROVE_ORIGIN}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The approve control needs its own script and style, and may stand in the page alone. It reaches no network at all. */
export function approvePolicy(pageUrl: string): string {
  const { protocol: scheme, host } = new URL(pageUrl);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${scheme}//${host}`,
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** A file that was there at start, or a text of our own. */
export type Asset = { type: string; file: string } | { type: string; text: string };
export type Assets = ReadonlyMap<string, Asset>;

/** Must be called once, before `ready`. */
export function registerSchemes(): void {
  const privileges = { standard: true, secure: true, supportFetchAPI: true, codeCache: true };
  const schemes = [APP_URL, APPROVE_ORIGIN].map((url) => new URL(url).protocol.slice(0, -1));
  protocol.registerSchemesAsPrivileged(schemes.map((scheme) => ({ scheme, privileges })));
}

/** Every file below `folder` under the one path it answers to; index.html answers to `/`. */
export function listAssets(folder: string, pages: Readonly<Record<string, string>> = {}): Assets {
  const assets = new Map<string, Asset>();
  const walk = (directory: string, path: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const file = join(directory, entry.name);
      const name = `${path}${encodeURIComponent(entry.name)}`;
      if (entry.isDirectory()) walk(file, `${name}/`);
      else if (entry.isFile()) {
        const type = TYPES[extname(entry.name)] ?? 'application/octet-stream';
        assets.set(name === '/index.html' ? '/' : name, { type, file });
      }
    }
  };
  walk(folder, '/');
  for (const [path, text] of Object.entries(pages)) assets.set(path, { type: 'text/html; charset=utf-8', text });
  return assets;
}

/**
 * Looked up as written: nothing is decoded, joined or normalised, so a request can name a known asset or nothing.
 * A query, a user, a port or another host is nothing.
 */
export function findAsset(assets: Assets, url: string, origin: string = APP_URL): Asset | undefined {
  if (!isSameOrigin(url, origin)) return undefined;
  const { pathname, search } = new URL(url);
  return search === '' ? assets.get(pathname) : undefined;
}

interface Site {
  assets: Assets;
  origin: string;
  policy: string;
}

async function answer({ assets, origin, policy }: Site, request: Request): Promise<Response> {
  const asset = request.method === 'GET' ? findAsset(assets, request.url, origin) : undefined;
  const headers = {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
  };
  if (!asset) return new Response('not found', { status: 404, headers });
  const body = 'text' in asset ? asset.text : new Uint8Array(await readFile(asset.file));
  return new Response(body, { headers: { ...headers, 'content-type': asset.type } });
}

function serve(site: Site): void {
  protocol.handle(new URL(site.origin).protocol.slice(0, -1), (request) => answer(site, request));
}

/** Answers `app://holdpoint/` from the given assets and from nothing else. */
export function serveApp(assets: Assets): void {
  serve({ assets, origin: APP_URL, policy: CONTENT_SECURITY_POLICY });
}

/** Answers the approve control's origin from its own assets; `pageUrl` is the one page that may hold it. */
export function serveApprove(assets: Assets, pageUrl: string): void {
  serve({ assets, origin: APPROVE_URL, policy: approvePolicy(pageUrl) });
}
