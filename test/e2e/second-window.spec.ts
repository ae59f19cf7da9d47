import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { caseFile } from './cases.js';
import { publish, treeOf, writeSettings } from './data-folder.js';
import { environment, expect, type Folders, test } from './fixture.js';
import { rows } from './reviewer.js';

const root = join(import.meta.dirname, '../..');
const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** Starts the application as another user-data folder would, and collects what it says; it may show a box and wait. */
async function startBeside(folders: Folders): Promise<{ child: ChildProcess; said: () => string }> {
  // The package's default export is the path of the executable.
  const { default: electron } = (await import('electron')) as unknown as { default: string };
  const env = environment({ ...folders, userData: `${folders.userData} of another` });
  const child = spawn(electron, [...sandbox, '--disable-gpu', root], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += String(chunk)));
  return { child, said: () => said };
}

test('H11 a second window on one data folder refuses with words, and changes nothing', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page, pid } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await expect(rows(page)).toHaveCount(1);
  const before = treeOf(folders.data, ['tmp', 'idx']);
  const { child, said } = await startBeside(folders);
  try {
    await expect.poll(said, { timeout: 20_000 }).toContain('in use by another window');
    expect(said()).toContain(`process ${pid} on ${hostname()}`);
  } finally {
    child.kill('SIGKILL');
  }
  expect(treeOf(folders.data, ['tmp', 'idx'])).toEqual(before);
  // The first one goes on.
  publish(folders, 'other.json', caseFile('C35'));
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Needs me' })).toContainText('2');
});

test("H11 the record of a window that was killed stands in nobody's way", async ({ launch, folders }) => {
  writeSettings(folders);
  const first = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await expect(rows(first.page)).toHaveCount(1);
  await first.kill();
  const owner = join(folders.data, 'owner.json');
  expect(JSON.parse(readFileSync(owner, 'utf8')).pid).toBe(first.pid);
  const second = await launch();
  await expect(rows(second.page)).toHaveCount(1);
  expect(JSON.parse(readFileSync(owner, 'utf8')).pid).toBe(second.pid);
});

test('H11 a process number that was given to somebody else since is no owner', async ({ launch, folders }) => {
  writeSettings(folders);
  const first = await launch();
  await first.kill();
  const owner = join(folders.data, 'owner.json');
  // This test's own process has that number, and started at another time.
  writeFileSync(owner, JSON.stringify({ ...JSON.parse(readFileSync(owner, 'utf8')), pid: process.pid }));
  const second = await launch();
  await expect(second.page.getByTestId('empty')).toBeVisible();
  expect(JSON.parse(readFileSync(owner, 'utf8')).pid).toBe(second.pid);
});

test('settings that cannot be read are kept aside, and the window opens', async ({ launch, folders }) => {
  writeSettings(folders);
  writeFileSync(join(folders.data, 'settings.json'), '{"settings": {"reviewer":');
  const { page } = await launch();
  await expect(page.getByTestId('empty')).toBeVisible();
  const aside = Object.keys(treeOf(folders.data)).filter((name) => name.startsWith('settings.unreadable-'));
  expect(aside).toHaveLength(1);
  expect(readFileSync(join(folders.data, aside[0] ?? ''), 'utf8')).toBe('{"settings": {"reviewer":');
});
