import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { caseFolder } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import { approve, hasStatus, mayApprove, readToEnd, rows, select } from './reviewer.js';

/** Long tasks of the page since the last look, in milliseconds, longest first. Told in the report, not judged here. */
async function watchTasks(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const seen: number[] = [];
    (globalThis as { tasks?: number[] }).tasks = seen;
    new PerformanceObserver((list) => seen.push(...list.getEntries().map((one) => Math.round(one.duration)))).observe({
      type: 'longtask',
    });
  });
  return () =>
    page.evaluate(
      () =>
        (globalThis as { tasks?: number[] }).tasks
          ?.splice(0)
          .sort((a, b) => b - a)
          .slice(0, 5) ?? [],
    );
}

const say = (type: string, description: string): void => {
  test.info().annotations.push({ type, description });
  console.log(`${type}: ${description}`);
};

/** Opens the folded field and goes to its end: the last part of it, and there the last line. */
async function readField(page: Page, name: string): Promise<void> {
  const field = page.locator('.long-field', { hasText: name }).first();
  await field.getByRole('button', { name }).first().press('Enter');
  const last = field.getByRole('button', { name: 'Last part' }).first();
  const region = field.locator('section.long-text');
  await expect(region).toBeVisible();
  if ((await last.count()) > 0) await last.press('Enter');
  await region.focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(field).toHaveAttribute('data-reached', 'true', { timeout: 500 });
  }).toPass({ timeout: 60_000 });
}

async function openBig(page: Page, tool: string): Promise<void> {
  await select(page, 'small_call');
  const tasks = await watchTasks(page);
  await page.evaluate(() => {
    const from = performance.now();
    const wait = (): void => {
      if (document.querySelector('[data-testid="arguments"] .long-text')) {
        (globalThis as { paint?: number }).paint = performance.now() - from;
      } else requestAnimationFrame(wait);
    };
    requestAnimationFrame(wait);
  });
  await select(page, tool);
  const paint = (): Promise<number | undefined> => page.evaluate(() => (globalThis as { paint?: number }).paint);
  await expect.poll(paint, { timeout: 60_000 }).toBeDefined();
  say(`${tool} first useful paint`, `${Math.round((await paint()) ?? 0)} ms, long tasks ${(await tasks()).join(', ')}`);
  await page.getByRole('button', { name: 'Load the whole text' }).press('Enter');
  await expect(page.locator('.long-field').first()).toBeVisible({ timeout: 120_000 });
  say(`${tool} loaded whole`, `long tasks ${(await tasks()).join(', ')}`);
}

const small = klieoRecord({ calls: [{ id: 's', name: 'small_call', args: '{"a":1}' }] });

for (const mb of [5, 20])
  test(`I12 arguments of ${mb} MB open folded and in parts, and are read to their end${mb === 5 ? ' and sent unchanged' : ''}`, async ({
    launch,
    folders,
    world,
  }) => {
    test.setTimeout(300_000);
    writeSettings(folders, world.settings);
    const { page } = await launch();
    const lines = Array.from({ length: mb * 8_192 }, (_, i) => `line ${i} ${'x'.repeat(50)}`).join('\n');
    const list = Array.from({ length: mb * 6_000 }, (_, i) => ({ id: i, name: `name ${i}`, tags: ['a', 'b'] }));
    const args = JSON.stringify({ text: lines, list, tail: 'rm -rf ~' });
    publish(folders, 'small.json', small);
    publish(folders, 'big.json', klieoRecord({ calls: [{ id: 'b', name: 'publish_post', args }] }));
    await expect(rows(page)).toHaveCount(2, { timeout: 60_000 });
    await openBig(page, 'publish_post');
    await expect(page.getByTestId('arguments')).toContainText('rm -rf ~');
    await readField(page, 'text');
    await readField(page, 'list');
    await readToEnd(page);
    await mayApprove(page);
    if (mb > 5) return;
    await approve(page);
    await hasStatus(page, 'finished', 60_000);
    expect(world.ledger.lines()[0]?.arguments === args).toBe(true);
  });

test('C93 a huge tool output: the card opens, closed parts are not in the page, the whole is reachable and sent', async ({
  launch,
  folders,
  world,
}) => {
  test.setTimeout(300_000);
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const record = execFileSync(process.execPath, [join(caseFolder('C93'), 'make.mjs'), '24'], {
    maxBuffer: 256 * 1024 * 1024,
  });
  // One of its outputs answers a call that nothing asked for: a provider refuses that, and so does the card. Mended here.
  const mended = JSON.parse(record.toString('utf8'));
  mended.messages[1].tool_calls.push({ id: 'r2', name: 'read_file', args: {} });
  publish(folders, 'small.json', small);
  publish(folders, 'big.json', JSON.stringify(mended));
  await expect(rows(page)).toHaveCount(2, { timeout: 60_000 });
  await openBig(page, 'publish_post');
  // Most of the output is not in the page, and it is said how much.
  await expect(page.getByTestId('conversation')).toContainText(/Load the rest \(24\.0 MB\)/);
  expect(await page.evaluate(() => document.documentElement.outerHTML.length)).toBeLessThan(3_000_000);
  await readField(page, 'text');
  await readToEnd(page);
  await approve(page);
  await hasStatus(page, 'finished', 60_000);
  const sent = world.ledger.lines()[0]?.arguments ?? '';
  expect(sent.length).toBe(2 * 1024 * 1024 + JSON.stringify({ text: '', tail: 'rm -rf ~' }).length);
});
