import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, vi } from 'vitest';
import { bundle } from '../helpers/bundle.js';
import { run } from '../helpers/cli-run.js';
import { pictureOf } from '../helpers/folder-picture.js';
import { keptWorld } from '../helpers/kept-world.js';
import { startRoom } from '../helpers/worker.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let worker = '';
beforeAll(async () => {
  worker = await bundle(join(import.meta.dirname, '../../electron/worker/entry.ts'));
});

/** Everything in it is of a newer Holdpoint: the store's format, and settings that this one cannot read. */
async function newer(): Promise<string> {
  const kept = await keptWorld();
  await kept.store.close();
  for (const name of ['inbox', 'refused']) mkdirSync(join(kept.data, name), { mode: 0o700 });
  writeFileSync(join(kept.root, 'STORE.json'), '{"holdpoint":"store","format":99}');
  writeFileSync(join(kept.data, 'settings.json'), '{"settings":{"from":"the future"}}');
  const data = join(mkdtempSync(join(tmpdir(), 'holdpoint-newer-')), 'data');
  cpSync(kept.data, data, { recursive: true });
  return data;
}

/** Folders may have been looked into; no file is another one. */
const files = (data: string) =>
  pictureOf(data, '')
    .filter((line) => !line.includes(' no file '))
    .map((line) => line.replace(/ [\d.]+$/, ''));

it('I5 the window refuses a newer store in words, and changes nothing in its folder', async () => {
  const data = await newer();
  const before = files(data);
  await expect(startRoom(worker, data)).rejects.toThrow(/newer Holdpoint \(format 99.*Nothing in it was changed/);
  expect(files(data)).toEqual(before);
  rmSync(data, { recursive: true });
});

it.each([
  ['list'],
  ['suspend', '-'],
  ['gc'],
  ['history'],
  ['history', '--verify'],
  ['backup', '/nowhere/x'],
  ['import', '/nowhere/x'],
])('I5 so does %s %s', async (...argv) => {
  const data = await newer();
  const before = files(data);
  const { code, err } = await run([...argv, '--data', data], '{}');
  expect([code, err]).toEqual([5, expect.stringContaining('newer Holdpoint')]);
  expect(files(data)).toEqual(before);
  rmSync(data, { recursive: true });
});
