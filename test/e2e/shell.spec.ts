import type { HoldpointBridge } from '../../shared/ipc.js';
import { expect, test } from './fixture.js';

test('shows the page from its own origin', async ({ page }) => {
  expect(page.url()).toBe('app://holdpoint/');
  await expect(page).toHaveTitle('Holdpoint');
});
