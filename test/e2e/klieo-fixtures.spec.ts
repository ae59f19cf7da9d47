import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publish, treeOf, writeSettings } from './data-folder.js';
import { expect, test } from './fixture.js';
import { bar, card, goTo, hasStatus, mayApprove, rows, select, selected } from './reviewer.js';

const FOLDER = join(import.meta.dirname, '../fixtures/klieo');

interface Fixture {
  file: string;
  expect: {
    suspended?: boolean | null;
    decision?: unknown;
    pending?: { id: string; name: string }[];
    latched?: boolean | string;
    args_raw?: Record<string, string>;
    must_preserve?: string[];
  };
}
const { fixtures } = JSON.parse(readFileSync(join(FOLDER, 'index.json'), 'utf8')) as { fixtures: Fixture[] };
const bytesOf = (file: string): Buffer => readFileSync(join(FOLDER, file));

/** A source of its own for each: several of them are the same run at other moments. */
const sourceOf = ({ file }: Fixture): string => file.replace(/\.json$/, '').slice(0, 60);
const waiting = fixtures.filter((one) => one.expect.suspended === true && one.expect.latched === false);
const latched = fixtures.filter((one) => one.expect.latched === true);
const unreadable = fixtures.filter((one) => one.expect.suspended === null || 'decision' in one.expect);

test('every fixture is in the index, and every one is shown below', () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json') && name !== 'index.json');
  expect(fixtures.map((one) => one.file).sort()).toEqual(files.sort());
  expect(waiting.length + latched.length + unreadable.length).toBe(fixtures.length);
});

test('what waits is listed as waiting, with its calls, its arguments as written, and Approve offered', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  for (const one of waiting) publish(folders, one.file, bytesOf(one.file), sourceOf(one));
  await expect(rows(page)).toHaveCount(waiting.length, { timeout: 20_000 });
  for (const one of waiting) {
    const calls = one.expect.pending ?? [];
    await select(page, new RegExp(`${sourceOf(one)} ·`));
    await hasStatus(page, 'waiting');
    for (const [index, call] of calls.entries()) {
      await expect(page.getByTestId('verdict'), one.file).toContainText(call.name);
      if (index < calls.length - 1) await page.keyboard.press(']');
    }
    if (calls.length === 0) await expect(page.getByTestId('verdict'), one.file).toContainText('No calls to decide');
    for (const [key, value] of Object.entries(one.expect.args_raw ?? {}))
      await expect(page.getByTestId('arguments').locator('.field', { hasText: key }).locator('dd')).toHaveText(value);
    await mayApprove(page);
    for (const field of one.expect.must_preserve ?? []) {
      await page.keyboard.press('i');
      await expect(page.getByRole('complementary').getByTestId('raw')).toContainText(field);
      await page.keyboard.press('i');
    }
  }
});

test('what came in latched is an unknown outcome: no decision, only a reconciliation', async ({ launch, folders }) => {
  writeSettings(folders, { tools: [{ tool: 'search_kb', effect: 'read_only', repeatable: true }] });
  const { page } = await launch();
  for (const one of latched) publish(folders, one.file, bytesOf(one.file), sourceOf(one));
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Unknown outcome' })).toContainText(
    String(latched.length),
  );
  await goTo(page, 'Unknown outcome');
  for (const one of latched) {
    await select(page, new RegExp(`${sourceOf(one)} ·`));
    await hasStatus(page, 'unknown_outcome');
    await expect(page.getByTestId('reconcile')).toContainText('already latched when it came');
    await expect(bar(page)).toHaveCount(0);
    for (const call of one.expect.pending ?? [])
      await expect(page.getByTestId('reconcile'), one.file).toContainText(call.name);
    const again = page.getByRole('button', { name: 'Dispatch again' });
    await expect(again, one.file).toHaveCount(one.file.includes('idempotent-only') ? 1 : 0);
  }
});

test('what cannot be read is listed with its reason; the store stays byte for byte as it was', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  // The run of which some of them are broken copies is there, and waits.
  publish(folders, 'first.json', bytesOf('01-first-attempt-one-pending.json'));
  await expect(rows(page)).toHaveCount(1);
  const store = join(folders.data, 'store');
  const before = treeOf(store);
  expect(Object.keys(before).length).toBeGreaterThan(0);

  for (const one of unreadable) publish(folders, one.file, bytesOf(one.file));
  await goTo(page, 'Unreadable');
  await expect(rows(page)).toHaveCount(unreadable.length, { timeout: 15_000 });
  for (const one of unreadable) {
    await page.keyboard.press('j');
    await expect(selected(page)).toHaveAttribute('aria-posinset', String(unreadable.indexOf(one) + 1));
    await expect(card(page)).toHaveAttribute('data-item-id', (await selected(page).getAttribute('data-item-id')) ?? '');
    await hasStatus(page, 'unreadable');
    const place = page.getByTestId('unreadable');
    await expect(place).toContainText('never approvable');
    await expect(place.locator('.field', { hasText: 'Reason' }).locator('dd')).not.toBeEmpty();
    await expect(bar(page)).toHaveCount(0);
  }
  expect(treeOf(store)).toEqual(before);
  // Their bytes are kept as they came.
  const refused = join(folders.data, 'refused');
  const kept = readdirSync(refused).filter((name) => !name.endsWith('.reason.json'));
  expect(kept).toHaveLength(unreadable.length);
  const digests = kept.map((name) => readFileSync(join(refused, name), 'latin1')).sort();
  expect(digests).toEqual(unreadable.map((one) => bytesOf(one.file).toString('latin1')).sort());
  await goTo(page, 'Needs me');
  await select(page, 'issue_refund');
  await expect(card(page)).toHaveAttribute('data-status', 'waiting');
});
