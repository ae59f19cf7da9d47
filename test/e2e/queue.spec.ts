import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { ulid } from 'ulid';
import { manyRuns } from '../helpers/many-runs.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, type Launched, test } from './fixture.js';
import { klieoRecord } from './records.js';
import { approve, bar, card, hasStatus, ready, rows, select, selected } from './reviewer.js';

const search = (page: Page) => page.getByRole('searchbox');
const list = (page: Page) => page.getByTestId('queue');
const equal = (runId: string) =>
  klieoRecord({ runId, calls: [{ id: 'c', name: 'delete_file', args: '{"path":"/srv/same"}' }] });
const same = (page: Page) => page.getByTestId('same');

test('samples come in together: nothing is told as new that was asked for', async ({ launch }) => {
  const { page } = await launch();
  await page.getByRole('button', { name: 'Add sample runs' }).click();
  await page.mouse.move(400, 300);
  await expect(rows(page)).toHaveCount(4);
  await expect(page.locator('.new-items')).toHaveCount(0);
});

test('equal calls stand in one row with their number, and are decided one by one at the same place', async ({
  launch,
  folders,
}) => {
  writeSettings(folders, { selectNextAfterDecision: true, undoSeconds: 60 });
  const { page } = await launch();
  for (let n = 0; n < 3; n += 1) publish(folders, `${n}.json`, equal(ulid()));
  publish(folders, 'other.json', klieoRecord({ calls: [{ id: 'c', name: 'send_email', args: '{"to":"a@b.c"}' }] }));
  await select(page, 'delete_file');
  await expect(same(page)).toHaveText(/×3/);
  await expect(rows(page)).toHaveCount(2);
  const first = await card(page).getAttribute('data-item-id');
  await list(page).focus();
  await page.keyboard.press('ArrowRight');
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).nth(2)).toHaveAttribute('aria-posinset', '3');
  await page.keyboard.press('ArrowLeft');
  await expect(rows(page)).toHaveCount(2);
  await page.keyboard.press('Enter');
  await approve(page);
  // The next of the equal ones, in the same row; the other row has not moved.
  await expect(card(page)).not.toHaveAttribute('data-item-id', first ?? '');
  await expect(selected(page)).toContainText('delete_file');
  await expect(same(page)).toHaveText(/×2/);
  await expect(rows(page)).toHaveCount(2);
});

test('the search reads arguments and conversations, and knows them again after a restart', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const first = await launch();
  publish(
    folders,
    'a.json',
    klieoRecord({
      task: 'The customer Øystein asked for his deposit.',
      calls: [{ id: 'c', name: 'refund', args: '{"order":2512292042121000001}' }],
    }),
  );
  publish(
    folders,
    'b.json',
    klieoRecord({ task: 'Clean up.', calls: [{ id: 'c', name: 'rm', args: '{"path":"/srv"}' }] }),
  );
  await select(first.page, 'refund');
  const finds = async ({ page }: Launched, words: string, tool: string | null) => {
    await search(page).fill(words);
    await expect(rows(page)).toHaveCount(tool === null ? 0 : 1);
    if (tool !== null) await expect(rows(page)).toContainText(tool);
  };
  await finds(first, 'øystein deposit', 'refund');
  await finds(first, '2042121000001', 'refund');
  await finds(first, 'clean srv', 'rm');
  await finds(first, 'clean deposit', null);
  await first.app.close();
  const again = await launch();
  await finds(again, 'deposit', 'refund');
});

test('a view that was saved is there after a restart, and shows what it was saved for', async ({ launch, folders }) => {
  writeSettings(folders, { tools: [{ tool: 'delete_*', effect: 'destructive', repeatable: false }] });
  const first = await launch();
  publish(folders, 'a.json', equal(ulid()));
  publish(folders, 'b.json', klieoRecord({ calls: [{ id: 'c', name: 'send_email', args: '{"to":"a@b.c"}' }] }));
  await select(first.page, 'send_email');
  await first.page.keyboard.press('f');
  await first.page.getByLabel('Effect class').selectOption('Destructive');
  await expect(rows(first.page)).toHaveCount(1);
  await first.page.getByLabel('Save as a view, named').fill('Danger first');
  await first.page.keyboard.press('Enter');
  await expect(
    first.page.getByRole('navigation').getByRole('button', { name: 'Danger first', exact: true }),
  ).toBeVisible();
  await first.app.close();
  const { page } = await launch();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('navigation').getByRole('button', { name: 'Danger first', exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText('delete_file');
  await page.getByRole('button', { name: 'Remove the view Danger first' }).click();
  await expect(page.getByRole('button', { name: 'Danger first', exact: true })).toHaveCount(0);
});

test('three thousand runs: by keyboard to the end and back, each row says its place, and one is decided', async ({
  launch,
  folders,
}) => {
  test.setTimeout(180_000);
  writeSettings(folders, { undoSeconds: 60 });
  await manyRuns(join(folders.data, 'store'), 3000);
  const { page } = await launch();
  await expect(page.getByRole('heading', { name: '3,000 waiting' })).toBeVisible({ timeout: 60_000 });
  const size = await rows(page).first().getAttribute('aria-setsize');
  await list(page).focus();
  await page.keyboard.press('End');
  await expect(selected(page)).toHaveAttribute('aria-posinset', size ?? '');
  await expect(card(page)).toHaveAttribute('data-item-id', (await selected(page).getAttribute('data-item-id')) ?? '');
  await page.keyboard.press('Home');
  await expect(selected(page)).toHaveAttribute('aria-posinset', '1');
  for (let n = 0; n < 25; n += 1) await page.keyboard.press('ArrowDown');
  await expect(selected(page)).toHaveAttribute('aria-posinset', '26');
  expect(await rows(page).count()).toBeLessThan(60);
  const id = (await selected(page).getAttribute('data-item-id')) ?? '';
  await page.keyboard.press('Enter');
  await ready(page);
  await approve(page);
  await hasStatus(page, 'decided');
  await expect(page.locator(`[data-item-id="${id}"]`).first()).toHaveAttribute('data-status', 'decided');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByRole('heading', { name: '2,999 waiting' })).toBeVisible();
});
