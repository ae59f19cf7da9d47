import type { ElectronApplication } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import { environment, expect, runToEnd, test } from './fixture.js';
import { klieoRecord } from './records.js';
import { card, goTo, rows } from './reviewer.js';

interface Seen {
  said: { title: string; body: string }[];
  last?: { emit(event: 'click'): boolean };
}

/** Keeps what the application would show on the desktop, which is the only side of it that has none here. */
const listen = (app: ElectronApplication) =>
  app.evaluate(({ Notification }) => {
    const seen: Seen = { said: [] };
    Object.assign(globalThis, { seen });
    Notification.isSupported = () => true;
    Notification.prototype.show = function (this: Electron.Notification) {
      seen.said.push({ title: this.title, body: this.body });
      seen.last = this as unknown as Seen['last'] & object;
    };
  });
const said = (app: ElectronApplication) => app.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.said);

test('a new run is told by its tool only, while the window is not in front; the notification opens its card', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { app } = await launch();
  await listen(app);
  const isVisible = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible());
  await expect.poll(isVisible).toBe(true);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide());
  // What is there at the first look is not new: the next one is told.
  let count = 0;
  await expect(async () => {
    const call = { id: 'c', name: 'send\u202Eliam', args: `{"to":"s3cr3t-${count}"}` };
    publish(folders, `run-${count++}.json`, klieoRecord({ calls: [call] }));
    await expect.poll(() => said(app), { timeout: 3000 }).not.toEqual([]);
  }).toPass();
  for (const { title, body } of await said(app)) {
    expect(title).toMatch(/^(A run waits|2 runs wait) for you$/);
    expect(body).toBe('send[right-to-left override]liam');
  }
  await app.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.last?.emit('click'));
  await expect.poll(isVisible).toBe(true);
  const page = await app.firstWindow();
  await expect(card(page)).toContainText('s3cr3t-');
  await expect(card(page)).toHaveAttribute('data-status', 'waiting');
});

test('with an icon in the tray, closing the window leaves Holdpoint at work, and a second start opens it again', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { app, page } = await launch();
  await goTo(page, 'Settings');
  const form = page.getByRole('form', { name: 'Attention' });
  await form.getByLabel('Icon in the tray, with the count').focus();
  await page.keyboard.press('Space');
  await form.getByLabel('Combination that brings the window to the front').focus();
  await page.keyboard.type('no such keys');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('status')).toContainText('Saved');
  await expect(form).toContainText('no such keys is no combination of keys');

  await page.close();
  await expect.poll(() => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(0);
  await listen(app);
  publish(folders, 'run.json', klieoRecord({ calls: [{ id: 'c1', name: 'read_page', args: '{}' }] }));
  await expect.poll(() => said(app)).toEqual([{ title: 'A run waits for you', body: 'read_page' }]);
  const again = app.waitForEvent('window');
  expect((await runToEnd([], environment(folders))).code).toBe(0);
  await expect(rows(await again)).toHaveCount(1);
});

test('started hidden with a tray no window opens; without one it does, for there would be no way back', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch({ args: ['--hidden'] });
  await expect(page.getByTestId('empty')).toBeVisible();
});
