import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { goTo, hasStatus, reject, select } from './reviewer.js';

/** The place that the next save dialog answers with, as if a person had typed it. */
async function willSaveTo(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (() => Promise.resolve({ canceled: false, filePath })) as typeof dialog.showSaveDialog;
  }, path);
}

/** Chooses in a list with the keyboard alone. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  const list = page.getByRole('combobox', { name: label, exact: true });
  await list.focus();
  await page.keyboard.type(option);
  await expect(list.locator('option:checked')).toHaveText(option);
}

test('the history is filtered and exported by keyboard, and holds when it is verified', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { app, page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await reject(page, '=1+1');
  await hasStatus(page, 'finished');
  await goTo(page, 'History');
  const lines = page.getByTestId('history').locator('article');
  await choose(page, 'Who', 'Ada');
  await choose(page, 'Verdict', 'rejected');
  await expect(lines).toHaveCount(1);
  const path = join(folders.data, '..', 'history.csv');
  await willSaveTo(app, path);
  await choose(page, 'Format', 'CSV');
  await page.getByRole('button', { name: 'Export…' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('1 event exported.')).toBeVisible();
  const rows = readFileSync(path, 'utf8').trimEnd().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain('"call 1: rejected (=1+1)"');
});

/** The folder that the next open dialog answers with. */
async function willChoose(app: ElectronApplication, path: string): Promise<void> {
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showOpenDialog = (() =>
      Promise.resolve({ canceled: false, filePaths: [filePath] })) as typeof dialog.showOpenDialog;
  }, path);
}

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name, exact: true }).focus();
  await page.keyboard.press('Enter');
}

test('the data folder is backed up, moved and gone on with by keyboard; the old one names the new', async ({
  launch,
  folders,
  world,
}) => {
  // Named by the pointer file of this user, as an installed Holdpoint is.
  const config = join(folders.data, '..', 'config');
  mkdirSync(join(config, 'holdpoint'), { recursive: true });
  const pointer = join(config, 'holdpoint', 'data-folder');
  writeFileSync(pointer, folders.data);
  const env = { HOLDPOINT_DATA: '', XDG_CONFIG_HOME: config };
  writeSettings(folders, world.settings);
  const { app, page } = await launch({ env });
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await reject(page, 'not today');
  await hasStatus(page, 'finished');
  await goTo(page, 'Settings');
  const backup = join(folders.data, '..', 'all.backup');
  await willSaveTo(app, backup);
  await press(page, 'Back up…');
  await expect(page.getByText(/records?, 0 large texts and \d+ other files? written/)).toBeVisible();
  expect(existsSync(backup)).toBe(true);
  await willChoose(app, backup);
  await press(page, 'Bring in a backup…');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('the same here');
  await expect(dialog.getByRole('button', { name: 'There is nothing to bring in.' })).toBeDisabled();
  await page.keyboard.press('Escape');
  if (await dialog.isVisible()) await press(page, 'Close');
  const to = join(folders.data, '..', 'moved');
  await willChoose(app, to);
  await press(page, 'Move to another folder…');
  await expect(page.getByRole('button', { name: 'Move it' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('data-folder').locator('.path')).toHaveText(to);
  expect(readFileSync(pointer, 'utf8').trim()).toBe(to);
  // It goes on in the new folder: what is published there arrives, and what was decided is there.
  publish({ ...folders, data: to }, 'next.json', caseFile('C16'));
  await goTo(page, 'History');
  await expect(page.getByTestId('history')).toContainText('not today');
  const old = JSON.parse(readFileSync(join(folders.data, 'store', 'STORE.json'), 'utf8')) as { moved: { to: string } };
  expect(old.moved).toMatchObject({ state: 'moved', to });
});
