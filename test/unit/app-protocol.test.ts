import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

const handle = vi.fn<(scheme: string, answer: (request: Request) => Promise<Response>) => void>();
const registerSchemesAsPrivileged = vi.fn();
vi.mock('electron', () => ({ protocol: { handle, registerSchemesAsPrivileged } }));
const { findAsset, listAssets, registerSchemes, serveApp, serveApprove } = await import(
  '../../electron/app-protocol.js'
);

let home = '';
let assets: ReturnType<typeof listAssets>;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-assets-'));
  mkdirSync(join(home, 'page/assets'), { recursive: true });
  writeFileSync(join(home, 'secret.txt'), 'secret');
  writeFileSync(join(home, 'page/index.html'), '<title>page</title>');
  writeFileSync(join(home, 'page/assets/index.js'), 'export {}');
  writeFileSync(join(home, 'page/assets/a b.css'), '');
  symlinkSync(join(home, 'secret.txt'), join(home, 'page/linked.txt'));
  assets = listAssets(join(home, 'page'), { '/stopped': '<title>stopped</title>' });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => handle.mockClear());

describe('listAssets', () => {
  it('knows each file by one path, and follows no link', () => {
    expect([...assets.keys()].sort()).toEqual(['/', '/assets/a%20b.css', '/assets/index.js', '/stopped']);
  });
});

describe('findAsset', () => {
  it.each([
    'app://holdpoint/',
    'app://holdpoint/assets/index.js',
    'app://holdpoint/assets/a%20b.css',
    'app://holdpoint/#run',
  ])('finds %s', (url) => {
    expect(findAsset(assets, url)).toBeDefined();
  });

  it.each([
    'app://holdpoint/secret.txt',
    'app://holdpoint/../secret.txt',
    'app://holdpoint/%2e%2e/secret.txt',
    'app://holdpoint/%2e%2e%2fsecret.txt',
    'app://holdpoint/assets/..%2f..%2fsecret.txt',
    'app://holdpoint/..%5csecret.txt',
    'app://holdpoint/..\\secret.txt',
    'app://holdpoint/assets/index.js%00.css',
    'app://holdpoint/assets/index.js\0.css',
    'app://holdpoint//host/assets/index.js',
    'app://holdpoint//',
    'app://holdpoint/index.html',
    'app://holdpoint/linked.txt',
    'app://holdpoint/ASSETS/INDEX.JS',
    'app://holdpoint/assets/',
    'app://holdpoint/assets/index.js?x=1',
    'app://holdpoint/constructor',
    'app://holdpoint/__proto__',
    'app://holdpoint.evil/',
    'app://user@holdpoint/',
    'app://user:password@holdpoint/',
    'app://holdpoint:80/',
    'app:///',
    'app-approve://holdpoint/',
    'file:///etc/passwd',
    'https://holdpoint/',
    '//holdpoint/',
    '',
  ])('finds nothing for %j', (url) => {
    expect(findAsset(assets, url)).toBeUndefined();
  });
});

describe('serveApp', () => {
  function served(url: string, method = 'GET'): Promise<Response> {
    serveApp(assets);
    const [scheme, answer] = handle.mock.calls[0] ?? [];
    expect(scheme).toBe('app');
    return answer?.({ url, method } as Request) ?? Promise.reject(new Error('nothing registered'));
  }

  it('sends the page under a policy that lets in nothing else', async () => {
    const response = await served('app://holdpoint/');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = response.headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        'frame-src app-approve://holdpoint',
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
      ]),
    );
    expect(policy?.join()).not.toMatch(/unsafe|\*|https?:/);
    expect(await response.text()).toContain('page');
  });

  it('sends a text of our own', async () => {
    expect(await (await served('app://holdpoint/stopped')).text()).toContain('stopped');
  });

  it.each([
    ['app://holdpoint/nothing', 'GET'],
    ['app://holdpoint/', 'POST'],
  ])('answers 404 to %s by %s, under the same policy', async (url, method) => {
    const response = await served(url, method);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('serveApprove', () => {
  function served(url: string, pageUrl = 'app://holdpoint/'): Promise<Response> {
    serveApprove(assets, pageUrl);
    const [scheme, answer] = handle.mock.calls[0] ?? [];
    expect(scheme).toBe('app-approve');
    return answer?.({ url, method: 'GET' } as Request) ?? Promise.reject(new Error('nothing registered'));
  }
  const policyOf = (response: Response) => response.headers.get('content-security-policy')?.split('; ');

  it('sends its own assets under a policy of its own: no network, no picture, no frame, and only the page holds it', async () => {
    const response = await served('app-approve://holdpoint/assets/index.js');
    expect(response.status).toBe(200);
    expect(policyOf(response)).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors app://holdpoint',
      "object-src 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('is held by the development server’s page where there is one', async () => {
    const response = await served('app-approve://holdpoint/assets/index.js', 'http://localhost:5173/');
    expect(policyOf(response)).toContain('frame-ancestors http://localhost:5173');
  });

  it.each([
    'app://holdpoint/assets/index.js',
    'app-approve://holdpoint/secret.txt',
    'app-approve://evil/assets/index.js',
  ])('answers 404 to %s', async (url) => {
    expect((await served(url)).status).toBe(404);
  });
});

it('gives the approve control an origin of its own', () => {
  registerSchemes();
  expect(registerSchemesAsPrivileged).toHaveBeenCalledExactlyOnceWith(
    ['app', 'app-approve'].map((scheme) => ({
      scheme,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    })),
  );
});
