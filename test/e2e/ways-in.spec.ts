import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { writeSettings } from './data-folder.js';
import { environment, expect, runToEnd, test } from './fixture.js';
import { klieoRecord } from './records.js';
import { card, goTo, hasStatus, rows, select, toasts } from './reviewer.js';

/** Drops files on the window, as the file manager does. */
async function drop(page: Page, files: { name: string; text: string }[]): Promise<void> {
  await expect(page.getByRole('banner')).toBeVisible();
  await page.evaluate((given) => {
    const transfer = new DataTransfer();
    for (const { name, text } of given) transfer.items.add(new File([text], name, { type: 'application/json' }));
    for (const type of ['dragover', 'drop'])
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, files);
}

test('dropped files are taken in once each, and what is no record is refused with its reason', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const text = caseFile('C33').toString();
  await drop(page, [
    { name: 'run.json', text },
    { name: 'same.json', text },
    { name: 'other.json', text: caseFile('C35').toString() },
    { name: 'broken.json', text: '{"run_id":' },
  ]);
  await expect(toasts(page)).toContainText([/2 taken in; 1 already known; 1 refused: broken\.json, .*the text ends/]);
  await expect(rows(page)).toHaveCount(2);
  await select(page, 'http_request');
  await expect(card(page)).toContainText('Continues here');
  await goTo(page, 'Unreadable');
  await expect(rows(page)).toHaveCount(1);
  expect(page.url()).toBe('app://holdpoint/');
});

test('what is dropped and holds no file is refused with words', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await expect(page.getByTestId('empty')).toBeVisible();
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/uri-list', 'https://example.com/run.json');
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(toasts(page)).toContainText('holds no file');
  await expect(page.getByTestId('empty')).toBeVisible();
  expect(page.url()).toBe('app://holdpoint/');
});

test('files opened by the dialog are taken in; a folder and a file that is gone are refused', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page, app } = await launch();
  const file = join(folders.data, '../opened.json');
  writeFileSync(file, caseFile('C33'));
  await app.evaluate(
    ({ dialog }, filePaths) => {
      dialog.showOpenDialog = (() => Promise.resolve({ canceled: false, filePaths })) as typeof dialog.showOpenDialog;
    },
    [file, folders.data, join(folders.data, 'gone.json')],
  );
  await page.getByTestId('empty').getByRole('button', { name: 'Open file' }).focus();
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText([/1 taken in; 2 refused: data, .*not a file.*gone\.json, .*ENOENT/i]);
  await expect(rows(page)).toHaveCount(1);
});

test('a file named at a second start is taken in by the open window', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  const file = join(folders.data, '../by start.json');
  writeFileSync(file, caseFile('C33'));
  expect((await runToEnd([file], environment(folders))).code).toBe(0);
  await expect(rows(page)).toHaveCount(1);
  await select(page, 'http_request');
  await hasStatus(page, 'waiting');
});

test('I6 the bytes of an unreadable record are saved as they came', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page, app } = await launch();
  const bytes = '{"run_id": "\uFEFF",\r\n "broken": 1.0';
  await drop(page, [{ name: 'broken.json', text: bytes }]);
  await goTo(page, 'Unreadable');
  await select(page, 'broken.json');
  const to = join(folders.data, '../saved.json');
  await app.evaluate(({ dialog }, filePath) => {
    dialog.showSaveDialog = (() => Promise.resolve({ canceled: false, filePath })) as typeof dialog.showSaveDialog;
  }, to);
  await page.getByRole('button', { name: 'Save the bytes' }).focus();
  await page.keyboard.press('Enter');
  await expect(toasts(page).last()).toContainText('Saved');
  expect(readFileSync(to, 'utf8')).toBe(bytes);
});

test('a run that suspends twice with the same bytes is one; with other bytes it supersedes the undecided one', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const runId = '01K0QZ6V5M3H8D7N2B4C9F1XGA';
  const call = { id: 'c', name: 'send_email', args: '{"to":"one@example.com"}' };
  const first = klieoRecord({ runId, calls: [call] });
  await drop(page, [
    { name: 'a.json', text: first },
    { name: 'b.json', text: first },
  ]);
  await expect(rows(page)).toHaveCount(1);
  await drop(page, [
    { name: 'c.json', text: klieoRecord({ runId, step: 3, calls: [{ ...call, args: '{"to":"two@example.com"}' }] }) },
  ]);
  await select(page, 'two@example.com');
  await hasStatus(page, 'waiting');
  await goTo(page, 'Finished');
  await select(page, 'The run moved on');
  await hasStatus(page, 'superseded');
  await expect(page.getByTestId('approve')).toHaveCount(0);
});
