import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../helpers/bundle.js';
import { contend } from './contention.js';
import { type Operation, whyNotLinearizable } from './history.js';

let worker = '';
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, 'contend-worker.ts'));
});
afterAll(() => rmSync(dirname(worker), { recursive: true, force: true }));

test('guarantee 3: eight processes on three keys: one winner a revision, every win counts, and one order fits all', async () => {
  const raced = await contend(worker, { processes: 8, keys: 3, goal: 80, seed: 1 });
  expect(raced.problems).toEqual([]);
  expect(raced.wins).toBe(240);
  expect(raced.conflicts).toBeGreaterThan(0);
});

describe('the check of a history', () => {
  const write = (revision: number, start: number, end: number): Operation => ({
    kind: 'write',
    key: 'k',
    revision,
    start,
    end,
  });
  const read = (revision: number, start: number, end: number): Operation => ({
    kind: 'read',
    key: 'k',
    revision,
    start,
    end,
  });

  test('takes what overlaps in any order that fits', () => {
    expect(whyNotLinearizable([])).toBeNull();
    expect(
      whyNotLinearizable([read(0, 0, 5), write(1, 0, 9), read(1, 2, 9), read(0, 1, 3), write(2, 0, 9)]),
    ).toBeNull();
  });

  test.each<[string, Operation[]]>([
    ['two winners', [write(1, 0, 1), write(1, 2, 3)]],
    ['a revision that nobody won', [write(1, 0, 1), write(3, 2, 3)]],
    ['a read of what was not written yet', [read(1, 0, 1), write(1, 2, 3)]],
    ['a stale read', [write(1, 0, 1), write(2, 2, 3), read(1, 4, 5)]],
    ['a read that goes back', [write(1, 0, 9), read(1, 0, 2), read(0, 3, 4)]],
    ['a write before the one that it builds on', [write(2, 0, 1), write(1, 2, 3)]],
  ])('refuses %s', (_what, operations) => {
    expect(whyNotLinearizable(operations)).not.toBeNull();
  });
});
