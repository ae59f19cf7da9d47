import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

/** `npm run shots`: a walk through every screen that writes pictures to be looked at; it asserts nothing but that it gets there. */
export default defineConfig({
  testDir: '.',
  outputDir: join(import.meta.dirname, '../../test-results/shots-run'),
  globalSetup: '../e2e/display.ts',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 20_000 },
  reporter: [['list']],
});
