import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { approve, ask, card, hasStatus, kinds, mayApprove, ready, reject, select, toasts } from './reviewer.js';

test('U inside the undo window: the run waits again, nothing was sent, and it can be decided anew', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, undoSeconds: 60 });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await hasStatus(page, 'decided');
  await expect(page.getByTestId('undo-bar')).toContainText('approved');
  await page.keyboard.press('u');
  await hasStatus(page, 'waiting');
  await expect(page.getByTestId('undo-bar')).toHaveCount(0);
  await expect(toasts(page).last()).toContainText('Taken back');
  expect(world.ledger.lines()).toEqual([]);
  // Nothing is selected beforehand after it: it is armed and confirmed anew.
  await mayApprove(page);
  await reject(page, 'on second thought');
  await hasStatus(page, 'decided');
  const id = (await card(page).getAttribute('data-item-id')) ?? '';
  const opened = (await ask(page, 'run:open', id)) as { value: { decision: { supersedes?: string[] } } };
  expect(opened.value.decision.supersedes).toHaveLength(1);
});

test('H9 U after the claim: too late, with what happened', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await hasStatus(page, 'finished');
  await page.keyboard.press('u');
  await expect(toasts(page).last()).toContainText('Too late');
  await expect(toasts(page).last()).toContainText('http_request: done');
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
  expect(await kinds(page)).not.toContain('decision_withdrawn');
});

test('H9 too late while the call still runs: what has started is named', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  world.ledger.script({ http_request: { delayMs: 4000 } });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await expect.poll(() => world.ledger.lines().length).toBe(1);
  await page.keyboard.press('u');
  await expect(toasts(page).last()).toContainText('Too late');
  await expect(toasts(page).last()).toContainText('http_request: started');
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
});

test('an undone run goes on only after a new decision, also over a restart', async ({ launch, folders, world }) => {
  writeSettings(folders, { ...world.settings, undoSeconds: 60 });
  const first = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(first.page, 'http_request');
  await approve(first.page);
  await hasStatus(first.page, 'decided');
  await first.page.keyboard.press('u');
  await hasStatus(first.page, 'waiting');
  await first.kill();
  writeSettings(folders, world.settings);
  const { page } = await launch();
  await select(page, 'http_request');
  await hasStatus(page, 'waiting');
  await ready(page);
  expect(world.ledger.lines()).toEqual([]);
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
});
