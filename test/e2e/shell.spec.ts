import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright/test';
import type { HoldpointBridge } from '../../shared/ipc.js';
import { expect, test } from './fixture.js';

/** The bridge as a hostile script would use it: any name, any arguments. */
interface LooseWindow {
  holdpoint: { invoke(channel: string, ...args: unknown[]): Promise<unknown>; on: HoldpointBridge['on'] };
}

test('shows the page from its own origin', async ({ page }) => {
  expect(page.url()).toBe('app://holdpoint/');
  await expect(page).toHaveTitle('Holdpoint');
});

test('the page is sandboxed and isolated, and sees no Node', async ({ app, page }) => {
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity } = contents.getLastWebPreferences();
    return { sandbox, contextIsolation, nodeIntegration, webviewTag, webSecurity };
  });
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    webSecurity: true,
  });
  const names = ['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'];
  const seen = await page.evaluate((wanted) => wanted.filter((name) => name in globalThis), names);
  expect(seen).toEqual([]);
});

test('the bridge offers two functions and the agreed names only', async ({ page }) => {
  const answers = await page.evaluate(async () => {
    const { holdpoint } = window as unknown as LooseWindow;
    const attempt = (channel: string) =>
      holdpoint.invoke(channel).then(
        () => 'answered',
        (error: Error) => error.message,
      );
    return { keys: Object.keys(holdpoint).sort(), made: await attempt('eval'), proto: await attempt('__proto__') };
  });
  expect(answers).toEqual({
    keys: ['invoke', 'on'],
    made: 'no such request: eval',
    proto: 'no such request: __proto__',
  });
});

test('bad arguments come back as a typed refusal that names the place', async ({ page }) => {
  const ask = (...args: unknown[]) =>
    page.evaluate(
      (given) => (window as unknown as LooseWindow).holdpoint.invoke('run:argument', ...given),
      args as unknown[],
    );
  for (const args of [[], ['id'], ['id', -1, 0], ['id', 0, 0, 'more'], ['', 0, 0], [{ id: 'id' }, 0, 0]])
    expect(await ask(...args)).toMatchObject({ ok: false, refusal: { code: 'bad_request' } });
  expect(await ask('id', 'zero', 0)).toMatchObject({
    refusal: { text: expect.stringContaining('run:argument'), facts: { issues: [expect.stringContaining('[1]')] } },
  });
});

test('app:info tells what runs', async ({ page }) => {
  const info = await page.evaluate(() => (window as unknown as LooseWindow).holdpoint.invoke('app:info'));
  expect(info).toMatchObject({ ok: true, value: { packaged: false, platform: process.platform } });
});

test('I10 script, style and eval from text do not run', async ({ page }) => {
  const seen = await page.evaluate(async () => {
    const violations = new Set<string>();
    document.addEventListener('securitypolicyviolation', (event) => violations.add(event.effectiveDirective));
    const marks = globalThis as unknown as Record<string, unknown>;
    const attempts: Record<string, () => unknown> = {
      html: () => {
        document.body.innerHTML += '<img src=x onerror="marked = 1">';
      },
      inline: () =>
        document.head.append(Object.assign(document.createElement('script'), { textContent: 'marked = 1' })),
      evaluated: () => {
        // biome-ignore lint/security/noGlobalEval: this is what must not work
        eval('marked = 1');
      },
      compiled: () => new Function('marked = 1')(),
      late: () => setTimeout('marked = 1' as unknown as () => void, 0),
      styled: () => document.body.setAttribute('style', 'outline: 7px solid red'),
      policy: () =>
        (
          globalThis as unknown as { trustedTypes: { createPolicy(name: string, rules: object): unknown } }
        ).trustedTypes.createPolicy('any', { createHTML: (text: string) => text }),
    };
    const threw: string[] = [];
    const attemptAll = () => {
      for (const [name, attempt] of Object.entries(attempts)) {
        try {
          attempt();
        } catch {
          threw.push(name);
        }
      }
    };
    // From a task of the page's own: what the debugger evaluates may call eval whatever the policy says.
    setTimeout(attemptAll, 0);
    await new Promise((done) => setTimeout(done, 200));
    return {
      marked: marks['marked'],
      threw: threw.sort(),
      outline: getComputedStyle(document.body).outlineWidth,
      violations: [...violations].sort(),
    };
  });
  expect(seen.marked).toBeUndefined();
  expect(seen.threw).toEqual(['compiled', 'evaluated', 'html', 'inline', 'late', 'policy']);
  expect(seen.outline).not.toBe('7px');
  expect(seen.violations).toEqual(expect.arrayContaining(['require-trusted-types-for', 'style-src-attr']));
});

test.describe('with a server that counts who comes', () => {
  let server: Server;
  let base = '';
  let visits: string[] = [];
  test.beforeEach(async () => {
    visits = [];
    server = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.setHeader('access-control-allow-origin', '*').end('here');
    });
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  test.afterEach(() => server.close());

  test('I10 nothing in the page reaches another host', async ({ page }) => {
    await page.evaluate(async (to) => {
      const add = (tag: string, properties: Record<string, string>) => {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
        document.body.append(element);
      };
      const addTrusted = (tag: string, properties: Record<string, string>) => {
        try {
          add(tag, properties);
        } catch (error) {
          if (!(error instanceof TypeError)) throw error; // refused as untrusted: as good as blocked
        }
      };
      add('img', { src: `${to}/img` });
      add('video', { src: `${to}/video` });
      add('link', { rel: 'stylesheet', href: `${to}/style` });
      add('link', { rel: 'prefetch', href: `${to}/prefetch` });
      add('iframe', { src: `${to}/frame` });
      addTrusted('script', { src: `${to}/script` });
      addTrusted('embed', { src: `${to}/embed` });
      addTrusted('object', { data: `${to}/object` });
      navigator.sendBeacon(`${to}/beacon`);
      new WebSocket(`${to.replace('http', 'ws')}/socket`);
      new EventSource(`${to}/events`);
      const request = new XMLHttpRequest();
      request.open('GET', `${to}/xhr`);
      request.onerror = () => undefined;
      request.send();
      await fetch(`${to}/fetch`).catch(() => undefined);
      await new Promise((done) => setTimeout(done, 300));
    }, base);
    expect(visits).toEqual([]);
  });

  test('I10 nothing in the page navigates or opens a window', async ({ app, page }) => {
    await page.evaluate(() => {
      Object.assign(globalThis, { same: true });
    });
    const targets = [
      `${base}/away`,
      'app://holdpoint/assets/index.js',
      'app://holdpoint.evil/',
      'file:///etc/passwd',
      'data:text/html,x',
    ];
    for (const target of targets) {
      const opened = await page.evaluate(async (to) => {
        const made = window.open(to);
        window.open(to, '_top');
        location.href = to;
        const link = Object.assign(document.createElement('a'), { href: to });
        const apart = Object.assign(document.createElement('a'), { href: to, target: '_blank' });
        const form = Object.assign(document.createElement('form'), { action: to, method: 'post' });
        const refresh = Object.assign(document.createElement('meta'), { httpEquiv: 'refresh', content: `0;url=${to}` });
        document.body.append(link, apart, form);
        document.head.append(refresh);
        link.click();
        apart.click();
        form.submit();
        await new Promise((done) => setTimeout(done, 150));
        return made !== null;
      }, target);
      expect(opened, target).toBe(false);
    }
    expect(visits).toEqual([]);
    expect(page.url()).toBe('app://holdpoint/');
    expect(await page.evaluate(() => 'same' in globalThis)).toBe(true);
    expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
  });
});

test('a frame inside the page gets no bridge', async ({ page }) => {
  const bridges = await page.evaluate(async () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    await new Promise((done) => setTimeout(done, 100));
    return frame.contentWindow ? 'holdpoint' in frame.contentWindow : false;
  });
  expect(bridges).toBe(false);
});

test('every permission is denied', async ({ page }) => {
  const states = await page.evaluate(async () => {
    const query = (name: string) =>
      navigator.permissions.query({ name: name as PermissionName }).then(
        (status) => status.state,
        () => 'unknown',
      );
    const denied = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'allowed',
        () => 'denied',
      );
    return {
      notifications: await query('notifications'),
      geolocation: await query('geolocation'),
      camera: await query('camera'),
      media: await denied(navigator.mediaDevices.getUserMedia({ audio: true })),
      clipboard: await denied(navigator.clipboard.readText()),
      screen: await denied(navigator.mediaDevices.getDisplayMedia()),
    };
  });
  expect(states).toEqual({
    notifications: 'denied',
    geolocation: 'denied',
    camera: 'denied',
    media: 'denied',
    clipboard: 'denied',
    screen: 'denied',
  });
});

const statusOf = (page: Page, url: string) =>
  page.evaluate(
    (asked) =>
      fetch(asked).then(
        (response) => response.status,
        () => 'no answer',
      ),
    url,
  );

test('I11 only known assets are served', async ({ page }) => {
  expect(await statusOf(page, 'app://holdpoint/')).toBe(200);
  for (const path of [
    '%2e%2e%2fpackage.json',
    '%2e%2e/package.json',
    '../package.json',
    '..%5cpackage.json',
    '..\\package.json',
    'assets/%00',
    'index.html%00.js',
    '/host/share',
    '/',
    'index.html',
    'etc/passwd',
  ])
    expect(await statusOf(page, `app://holdpoint/${path}`), path).toBe(404);
  expect(await statusOf(page, 'app-approve://holdpoint/')).toBe('no answer');
});
