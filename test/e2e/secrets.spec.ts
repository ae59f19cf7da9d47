import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { approve, hasStatus, markApproved, nextCall, readToEnd, reject, rows, select, submit } from './reviewer.js';

const KEY = ['sk-test-', 'A1b2C3d4E5f6G7h8'].join('');
const PASSWORD = 'p%40ss-Example-1';

/** Every file below `folder` that holds the key. */
function holding(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile() && readFileSync(file).includes(KEY));
}

test('C66 secrets are masked in card, list, title and copies; what is sent is unmasked and unchanged', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C66'));
  await select(page, 'http_request');
  const shown = page.getByTestId('arguments');
  await expect(shown).toContainText('api.example.com/v1');
  await expect(shown).toContainText('POST');
  await expect(page.getByTestId('secrets')).toContainText('3 secrets masked');
  const markup = (): Promise<string> => page.evaluate(() => document.title + document.documentElement.outerHTML);
  for (const secret of [KEY, PASSWORD]) expect(await markup()).not.toContain(secret);
  // One is revealed by keyboard, by an act of its own; the others stay.
  const mark = shown.getByTestId('secret').last();
  await mark.focus();
  await page.keyboard.press('Enter');
  await expect(shown).toContainText(`Bearer ${KEY}`);
  await page.keyboard.press('Enter');
  expect(await markup()).not.toContain(KEY);
  // Approving needs no reveal.
  await readToEnd(page);
  await markApproved(page, 1);
  await nextCall(page);
  await expect(shown).toContainText('@db.example.com/x');
  expect(await markup()).not.toContain(PASSWORD);
  await readToEnd(page);
  await markApproved(page, 2);
  await submit(page);
  await hasStatus(page, 'finished');
  const sent = world.ledger.lines().map((line) => line.arguments);
  expect(sent[0]).toContain(`Bearer ${KEY}`);
  expect(sent[0]).toContain(`user:${PASSWORD}@`);
  expect(sent[1]).toContain(`svc:${PASSWORD}@`);
});

test('C68 after list, open, reject, approve, a crash and a restart the key stands in records only', async ({
  launch,
  folders,
  world,
}) => {
  test.slow();
  writeSettings(folders, world.settings);
  const first = await launch();
  publish(folders, 'a.json', caseFile('C68'));
  const other = caseFile('C68').toString('utf8').replace('3MADDDYXBWA84V9Q74F38WJBEQ', '3MADDDYXBWA84V9Q74F38WJBER');
  publish(folders, 'b.json', other);
  publish(folders, 'broken.json', `{"run_id": "${KEY}`);
  // Two runs that ask for exactly the same stand in one row.
  await expect(rows(first.page)).toHaveCount(1);
  await expect(rows(first.page)).toContainText('×2');
  await select(first.page, 'http_request');
  await reject(first.page, 'no');
  await hasStatus(first.page, 'finished');
  // One that ends too early is refused only when its writer has had time: until then it is the writer's own file.
  await expect.poll(() => existsSync(join(folders.data, 'inbox', 'broken.json'))).toBe(false);
  await first.kill();
  const second = await launch();
  await select(second.page, 'http_request');
  await approve(second.page);
  await hasStatus(second.page, 'finished');
  expect(await second.page.evaluate(() => document.documentElement.outerHTML)).not.toContain(KEY);
  await second.app.close();
  const places = [...holding(folders.data), ...holding(folders.userData)].map((file) => file.replace(folders.data, ''));
  // Original records, and what a run keeps to go on; never settings, index, logs or notes about refused files.
  expect(places.filter((file) => /settings|\/idx\/|\/tmp\/|\.log$|\.reason/.test(file))).toEqual([]);
  expect(places.length).toBeGreaterThan(0);
  expect(places.filter((file) => !/^\/(store|inbox|refused)\//.test(file))).toEqual([]);
  for (const line of [...first.stderr, ...second.stderr]) expect(line).not.toContain(KEY);
  for (const file of readdirSync(folders.data, { recursive: true, encoding: 'utf8' })) {
    const { mode } = statSync(join(folders.data, file));
    expect([file, (mode & 0o077).toString(8)]).toEqual([file, '0']);
  }
});
