import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

const results = join(import.meta.dirname, '../../test-results');

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'e2e'),
  globalSetup: './display.ts',
  fullyParallel: true,
  // One window at a time where nobody waits for the answer: a busy machine then delays no key press.
  workers: process.env['CI'] ? 1 : 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: join(results, 'e2e.json') }]],
});
