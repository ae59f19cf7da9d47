import { readFileSync } from 'node:fs';
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
