import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../helpers/bundle.js';
import { liveThrough } from './kill-trial.js';

let worker = '';
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, 'mixed-worker.ts'));
});
afterAll(() => rmSync(dirname(worker), { recursive: true, force: true }));

test('guarantees 1, 2, 5 and 8: after thirty kill -9 everything acknowledged is there, and no key is stuck', async () => {
  const lived = await liveThrough(worker, 20260720, 0, 15);
  expect(lived.problems).toEqual([]);
  expect(lived.kills).toBe(30);
  // The trial really did what it is there for.
  for (const act of [
    'value',
    'values',
    'payload',
    'thinned',
    'tidied',
    'decided',
    'decided together',
    'claimed',
  ] as const) {
    expect(lived.acks.get(act) ?? 0, act).toBeGreaterThan(0);
  }
});
