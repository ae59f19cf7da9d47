import { join } from 'node:path';
import { defineConfig } from 'playwright/test';

const results = join(import.meta.dirname, '../../test-results');

export default defineConfig({
  testDir: '.',
  outputDir: join(results, 'e2e'),
  globalSetup: './display.ts',
  fullyParallel: true,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  retries: 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: join(results, 'e2e.json') }]],
});
