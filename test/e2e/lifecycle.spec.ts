import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication } from 'playwright/test';
import { environment, expect, type Folders, runToEnd, test } from './fixture.js';

const windows = (app: ElectronApplication) => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);
const memory = (folders: Folders) => join(folders.userData, 'window.json');

test('closing the window ends the application well', async ({ launched: { page, ended } }) => {
  await page.close();
  expect(await ended).toBe(0);
});

test('a request to end (SIGTERM) is a quit', async ({ launched: { pid, ended } }) => {
  process.kill(pid, 'SIGTERM');
  expect(await ended).toBe(0);
});

test('a second start hands over, ends at once and creates nothing', async ({ launched: { app }, folders }) => {
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
  const second = await runToEnd([], environment(folders));
  expect(second.code).toBe(0);
  expect(second.stdout).toBe('');
  expect(await windows(app)).toBe(1);
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isMinimized()))
    .toBe(false);
});

test('a start after kill -9 is not held up by what the dead one left', async ({ launch }) => {
  const first = await launch();
  await first.kill();
  const { page } = await launch();
  await expect(page).toHaveTitle('Holdpoint');
});

test('a window comes back where it was, inside a display', async ({ launch, folders }) => {
  const first = await launch();
  const bounds = { x: 40, y: 30, width: 900, height: 640 };
  await first.app.evaluate(({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]?.setBounds(to), bounds);
  await first.app.close();
  expect(JSON.parse(readFileSync(memory(folders), 'utf8'))).toEqual({ ...bounds, maximized: false });

  writeFileSync(memory(folders), JSON.stringify({ ...bounds, x: 90_000, y: -90_000, maximized: false }));
  const { app } = await launch();
  const seen = await app.evaluate(({ BrowserWindow, screen }) => {
    const now = BrowserWindow.getAllWindows()[0]?.getBounds();
    const { workArea } = screen.getPrimaryDisplay();
    return { now, workArea };
  });
  expect(seen.now?.width).toBe(900);
  expect(seen.now?.x).toBeLessThan(seen.workArea.x + seen.workArea.width);
  expect(seen.now?.y).toBeGreaterThanOrEqual(seen.workArea.y);
});

test('a window.json that cannot be read does not stop the start', async ({ launch, folders }) => {
  mkdirSync(folders.userData, { recursive: true });
  writeFileSync(memory(folders), '{"x":');
  const { page } = await launch();
  await expect(page).toHaveTitle('Holdpoint');
});

/** Ends the page's process as a crash would, waits for the next document, and gives its title. */
const crash = (app: ElectronApplication): Promise<string> =>
  app.evaluate(
    ({ BrowserWindow }) =>
      new Promise<string>((done) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents;
        contents?.once('did-finish-load', () => done(contents.getTitle()));
        contents?.forcefullyCrashRenderer();
      }),
  );

test('a crashing page is loaded again three times in a minute, then says so and waits', async ({ app }) => {
  for (let time = 0; time < 3; time++) expect(await crash(app)).toBe('Holdpoint');
  expect(await crash(app)).toBe('Holdpoint stopped');
  expect(await windows(app)).toBe(1);
  await app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.querySelector("a").click()'),
  );
  await expect
    .poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getTitle()))
    .toBe('Holdpoint');
});

test('a command is answered without a window or a display, beside an open window', async ({ app, folders }) => {
  const { DISPLAY: _none, WAYLAND_DISPLAY: _nor, ...env } = environment(folders);
  const answer = await runToEnd(['help'], env);
  expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('inspect') });
  expect(await windows(app)).toBe(1);
});
