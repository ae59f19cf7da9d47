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

test('guarantees 1, 2, 5 and 8: after forty kill -9 everything acknowledged is there, and no key is stuck', async () => {
  const said = new Map<string, number>();
  for (let life = 0; life < 2; life += 1) {
    const lived = await liveThrough(worker, 20260720, life);
    expect(lived.problems).toEqual([]);
    for (const [act, count] of lived.acks) said.set(act, (said.get(act) ?? 0) + count);
  }
  expect(said.get('value')).toBeGreaterThan(40);
  expect(said.get('decided')).toBeGreaterThan(5);
});
