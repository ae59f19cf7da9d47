import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright/test';
import { readFuses } from '../../electron/dev/fuses.mjs';
import { pack } from '../../electron/dev/pack.mjs';
import { environment, expect, test } from './fixture.js';

const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Packs once for all tests of this file: dist/ as it is, into a folder of its own. */
test.describe.configure({ mode: 'serial' });
let home = '';
let executable = '';
test.beforeAll(async () => {
  test.setTimeout(180_000);
  home = await mkdtemp(join(tmpdir(), 'holdpoint-packed-'));
  await pack(['--linux', 'dir', `-c.directories.output=${home}`], { quiet: true });
  executable = join(home, 'linux-unpacked/holdpoint');
});
test.afterAll(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));

/** The address for a debugger, which Chromium writes to stderr. The fuses shut out every other way in. */
function debuggerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      seen += String(chunk);
      const [, address] = /DevTools listening on (ws:\S+)/.exec(seen) ?? [];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the packaged application ended with ${code}: ${seen}`)));
  });
}

test('the packaged application shows its page', async ({ folders }) => {
  const child = spawn(executable, [...sandbox, '--disable-gpu', '--remote-debugging-port=0'], {
    env: environment(folders),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  try {
    const browser = await chromium.connectOverCDP(await debuggerOf(child));
    const [context] = browser.contexts();
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    if (!page) throw new Error('the packaged application has no page');
    expect(page.url()).toBe('app://holdpoint/');
    await expect(page).toHaveTitle('Holdpoint');
    const info = await page.evaluate(() =>
      (window as unknown as { holdpoint: { invoke(channel: string): Promise<unknown> } }).holdpoint.invoke('app:info'),
    );
    expect(info).toMatchObject({ ok: true, value: { packaged: true } });
    await browser.close();
  } finally {
    child.kill();
    await ended;
  }
});

test('it answers commands without a window or a display', async ({ folders }) => {
  const { DISPLAY: _none, WAYLAND_DISPLAY: _nor, ...env } = environment(folders);
  const { stdout } = await promisify(execFile)(executable, [...sandbox, 'help'], { env, timeout: 20_000 });
  expect(stdout).toContain('inspect');
});

test('its executable has the production fuses', async () => {
  expect(await readFuses(executable)).toEqual({
    runAsNode: false,
    cookieEncryption: true,
    nodeOptionsEnvironment: false,
    nodeCliInspect: false,
    asarIntegrity: true,
    onlyLoadFromAsar: true,
    browserSnapshot: false,
    fileProtocolPrivileges: false,
  });
});
