import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { caseFile, caseFolder } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import { approve, bar, goTo, hasStatus, mayApprove, rows, select } from './reviewer.js';

const good = (name: string): string =>
  klieoRecord({ thread: name, calls: [{ id: 'c', name: 'send_email', args: `{"to":"${name}@example.com"}` }] });

/** The rest works: one good run is listed, decided and done. */
async function restWorks(page: Page, name: string): Promise<void> {
  await goTo(page, 'Needs me');
  await select(page, `${name}@example.com`);
  await approve(page);
  await hasStatus(page, 'finished');
}

/** A refused file, found by its name in the search, says why. */
async function saysWhy(page: Page, name: string, why: RegExp): Promise<void> {
  await goTo(page, 'Unreadable');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(1);
  await select(page, why);
  await hasStatus(page, 'unreadable');
  await expect(page.getByTestId('unreadable')).toContainText(name);
  await expect(page.getByTestId('unreadable')).toContainText('never approvable');
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('/');
  await page.keyboard.press('Escape');
}

const unreadableCount = (page: Page, count: number) =>
  expect(page.getByRole('navigation').getByRole('button', { name: 'Unreadable' })).toContainText(String(count), {
    timeout: 20_000,
  });

test('0 bytes, a folder, a link: each is listed with its reason, and the rest works', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const inbox = join(folders.data, 'inbox');
  publish(folders, 'nothing.json', '');
  mkdirSync(join(inbox, 'folder.json'));
  writeFileSync(join(inbox, 'folder.json/inside.json'), good('inside'));
  symlinkSync('/etc/hostname', join(inbox, 'link.json'));
  publish(folders, 'good.json', good('good'));
  await unreadableCount(page, 3);
  await saysWhy(page, 'nothing.json', /empty/i);
  await saysWhy(page, 'folder.json', /folder and not a record/);
  await saysWhy(page, 'link.json', /symbolic link/);
  await restWorks(page, 'good');
  // What is no file stays where it is, and so does what it holds.
  expect(readdirSync(inbox).sort()).toEqual(['folder.json', 'link.json']);
  expect(existsSync(join(inbox, 'folder.json/inside.json'))).toBe(true);
  expect(world.ledger.lines()).toHaveLength(1);
});

test('30 MB: taken in whole, shown piece by piece, and the rest stays quick', async ({ launch, folders, world }) => {
  test.slow();
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const record = klieoRecord({
    task: 'y'.repeat(30 * 1024 * 1024),
    calls: [{ id: 'c', name: 'publish_post', args: '{"text":"short"}' }],
  });
  publish(folders, 'big.json', record);
  publish(folders, 'good.json', good('good'));
  await select(page, 'publish_post');
  await mayApprove(page);
  await restWorks(page, 'good');
  await select(page, 'publish_post');
  await approve(page);
  await hasStatus(page, 'finished', 30_000);
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['send_email', 'publish_post']);
});

test('more than a record may have: refused with its size, kept, and the rest works', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'huge.json', Buffer.alloc(64 * 1024 * 1024 + 1, 0x20));
  publish(folders, 'good.json', good('good'));
  await unreadableCount(page, 1);
  await saysWhy(page, 'huge.json', /67108865 bytes; a record has at most/);
  await restWorks(page, 'good');
});

test('no right to read: listed with its reason, taken in as soon as there is', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch({ withoutRootRights: true });
  const path = join(folders.data, 'inbox/locked.json');
  writeFileSync(`${path}.tmp`, good('locked'));
  chmodSync(`${path}.tmp`, 0o000);
  // Renamed as it is: nobody can read it on the way.
  renameSync(`${path}.tmp`, path);
  publish(folders, 'good.json', good('good'));
  await unreadableCount(page, 1);
  await saysWhy(page, 'locked.json', /no right to read it/);
  await restWorks(page, 'good');
  chmodSync(path, 0o600);
  await unreadableCount(page, 0);
  await restWorks(page, 'locked');
  expect(world.ledger.lines()).toHaveLength(2);
});

test('C78 a folder with a good record, an empty, a blank and a null one', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const from = join(caseFolder('C78'), 'store');
  for (const name of readdirSync(from)) publish(folders, name, readFileSync(join(from, name)));
  await unreadableCount(page, 3);
  await saysWhy(page, 'empty.json', /empty/i);
  await expect(page.getByTestId('unreadable')).toContainText('0 B');
  await saysWhy(page, 'blank.json', /only white space/);
  await expect(page.getByTestId('unreadable')).toContainText('4 B');
  await saysWhy(page, 'null.json', /record|null/i);
  await expect(page.getByTestId('unreadable')).toContainText('5 B');
  await expect(page.getByRole('button', { name: 'Save the bytes' })).toBeVisible();
  // Nothing was deleted or overwritten: the bytes lie there as they came.
  const refused = join(folders.data, 'refused');
  const kept = readdirSync(refused).filter((name) => !name.endsWith('.reason.json'));
  expect(kept.map((name) => readFileSync(join(refused, name), 'latin1')).sort()).toEqual(
    ['empty.json', 'blank.json', 'null.json'].map((name) => readFileSync(join(from, name), 'latin1')).sort(),
  );
  await goTo(page, 'Needs me');
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  await approve(page);
  await hasStatus(page, 'finished');
});

test('C80 byte order mark, UTF-16, Latin-1, overlong, lone surrogate: each refused with the encoding named', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const wanted: [string, RegExp][] = [
    ['bom-crlf.json', /byte order mark|BOM/i],
    ['utf16le.json', /UTF-16/i],
    ['latin1.json', /UTF-8/i],
    ['overlong.json', /UTF-8|overlong/i],
    ['lone-surrogate.json', /surrogate/i],
  ];
  for (const [name] of wanted) publish(folders, name, caseFile('C80', name));
  publish(folders, 'good.json', good('good'));
  await unreadableCount(page, wanted.length);
  for (const [name, why] of wanted) {
    await saysWhy(page, name, why);
    // Bytes that are no text are shown as bytes, never as something else.
    await expect(page.getByTestId('unreadable')).not.toContainText('\uFFFD');
  }
  await restWorks(page, 'good');
  expect(world.ledger.lines()).toHaveLength(1);
});

test('a half-written file waits for its end; a dropped one is not taken twice', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const record = good('late');
  const path = join(folders.data, 'inbox/late.json');
  writeFileSync(path, record.slice(0, 100));
  writeFileSync(join(folders.data, 'inbox/other.json.tmp'), good('never'));
  publish(folders, 'good.json', good('good'));
  await select(page, 'good@example.com');
  await expect(rows(page)).toHaveCount(1);
  await unreadableCount(page, 0);
  writeFileSync(path, record);
  await select(page, 'late@example.com');
  await expect(rows(page)).toHaveCount(2);
  publish(folders, 'again.json', record);
  await expect.poll(() => existsSync(join(folders.data, 'inbox/again.json'))).toBe(false);
  await expect(page.getByRole('contentinfo')).toContainText('2 runs');
  await unreadableCount(page, 0);
  expect(existsSync(join(folders.data, 'inbox/other.json.tmp'))).toBe(true);
});
