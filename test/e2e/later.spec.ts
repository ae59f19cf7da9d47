import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import { klieoRecord } from './records.js';
import {
  approve,
  ask,
  bar,
  continueRun,
  goTo,
  hasStatus,
  markApproved,
  mayApprove,
  nextCall,
  ready,
  reject,
  rows,
  select,
  submit,
} from './reviewer.js';

test('"not now" is not a no: snoozed by keyboard, out of sight, nothing decided, and back again', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await page.keyboard.press('s');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  // A decision key in a menu is dead.
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  const places = page.getByRole('navigation');
  await expect(places.getByRole('button', { name: 'Snoozed' })).toContainText('1');
  await expect(places.getByRole('button', { name: 'Needs me' })).toContainText('0');
  await goTo(page, 'Snoozed');
  await select(page, 'http_request');
  await hasStatus(page, 'waiting');
  await ready(page);
  await page.keyboard.press('s');
  const wake = page.getByRole('menuitem', { name: 'Wake it now' });
  await wake.focus();
  await page.keyboard.press('Enter');
  await expect(places.getByRole('button', { name: 'Needs me' })).toContainText('1');
  expect(world.ledger.lines()).toEqual([]);
  await goTo(page, 'Needs me');
  await select(page, 'http_request');
  await mayApprove(page);
});

test('Stop while a batch runs: the call on its way is waited for, the next one does not start, nothing runs twice', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.ledger.script({ send_email: { delayMs: 3000 } });
  const { page } = await launch();
  const calls = [
    { id: 'a', name: 'send_email', args: '{"to":"a@example.com"}' },
    { id: 'b', name: 'update_record', args: '{"id":7}' },
  ];
  publish(folders, 'run.json', klieoRecord({ calls }));
  await select(page, 'send_email');
  await markApproved(page, 1);
  await nextCall(page);
  await markApproved(page, 2);
  await submit(page);
  await expect.poll(() => world.ledger.lines().length).toBe(1);
  await page.getByRole('button', { name: 'Stop', exact: true }).focus();
  await page.keyboard.press('Enter');
  // Cut off, its outcome would be unknown; waited for, it is known.
  await hasStatus(page, 'not_continued');
  await expect(page.getByTestId('journal').locator('.entry')).toHaveText([/^Done/, /^Not started/]);
  expect(world.ledger.lines()).toHaveLength(1);
  await continueRun(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['send_email', 'update_record']);
});

test('H10 a second reviewer objects in the undo window: the run is held, and a new decision resolves it', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, undoSeconds: 60 });
  const { page, app } = await launch();
  await answerQuestions(app, ['yes']);
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await hasStatus(page, 'decided');
  const { value: settings } = (await ask(page, 'settings:get')) as { value: Record<string, unknown> };
  await ask(page, 'settings:set', { ...settings, reviewer: 'Grace', undoSeconds: 0 });
  await page.getByRole('button', { name: 'Object' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel(/Why\?/).focus();
  await page.keyboard.type('this host is not ours');
  await page.keyboard.press('Enter');
  await hasStatus(page, 'held');
  await goTo(page, 'Needs me');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByTestId('decision')).toContainText('Grace objects');
  await expect(page.getByTestId('decision')).toContainText('this host is not ours');
  await reject(page, 'held for good');
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toEqual([]);
  await expect(page.getByTestId('decision')).toContainText('Decided by Grace');
});

test('K7 a stop without calls: approved, the run goes on; rejected, the model is told as a user message', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.model.queue({ content: 'Went on.' }, { content: 'Heard.' });
  const { page } = await launch();
  publish(
    folders,
    'one.json',
    klieoRecord({ thread: 'one', calls: [] }).replace(/"pending_tool_calls":\[\]/, '"pending_tool_calls":null'),
  );
  await select(page, 'step without calls');
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Went on.');
  publish(folders, 'two.json', klieoRecord({ thread: 'two', calls: [] }));
  await goTo(page, 'Needs me');
  await select(page, 'step without calls');
  await hasStatus(page, 'waiting');
  await reject(page, 'stop it here');
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Heard.');
  const bodies = world.model.chats().map((request) => JSON.parse(request.body));
  expect(bodies[0].messages.filter((message: { role: string }) => message.role === 'tool')).toEqual([]);
  expect(bodies[1].messages.at(-1)).toEqual({ role: 'user', content: expect.stringContaining('stop it here') });
  expect(world.ledger.lines()).toEqual([]);
  await expect(bar(page)).toHaveCount(0);
});

test('the history page tells what happened, in order, with names', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await reject(page, 'not today');
  await hasStatus(page, 'finished');
  await goTo(page, 'History');
  const lines = page.getByTestId('history').locator('article');
  await expect(lines.first()).toBeVisible();
  for (const word of ['taken in', 'decided', 'Ada', 'not today', 'claimed', 'rejected', 'completed'])
    await expect(page.getByTestId('history')).toContainText(word);
});
