import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import { approve, goTo, hasStatus, kinds, select, selected } from './reviewer.js';

test('servers, model and source are set up on the page, tested there, and a decided run that waited for them goes on', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders);
  world.model.queue({ content: 'Set up.' });
  const { page, app } = await launch();
  const questions = await answerQuestions(app, ['no', 'yes', 'yes']);
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await expect(page.getByTestId('waiting-note')).toContainText('has no profile');
  await goTo(page, 'Settings');

  const servers = page.getByRole('form', { name: 'Tool servers' });
  await servers.getByRole('button', { name: 'Add a command' }).click();
  await servers.getByLabel('Name', { exact: true }).fill('ledger');
  // A command that the search path would find is refused: only absolute ones are started.
  await servers.getByLabel('Command', { exact: true }).fill('node');
  await servers.getByRole('button', { name: 'Save' }).click();
  await expect(servers.getByRole('alert')).toContainText('absolute');
  const { command, args, env } = world.ledger.server;
  await servers.getByLabel('Command', { exact: true }).fill(command);
  await servers.getByLabel('Arguments', { exact: true }).fill(args.join('\n'));
  await servers.getByLabel('Environment', { exact: true }).fill(
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  );
  // A program that is started is asked for natively, all of it: declined, nothing is saved.
  await servers.getByRole('button', { name: 'Save' }).click();
  await expect(servers.getByRole('alert')).toContainText('You declined');
  expect((await questions())[0]).toContain(`starts this program: “${command}”`);
  await servers.getByRole('button', { name: 'Save' }).click();
  await expect(servers.getByRole('status').last()).toContainText('Saved');
  await servers.getByRole('button', { name: /Test/ }).click();
  await expect(servers.getByTestId('test-result')).toContainText('http_request');

  const models = page.getByRole('form', { name: 'Model endpoints' });
  await models.getByRole('button', { name: 'Add an endpoint' }).click();
  await models.getByLabel('Name', { exact: true }).fill('model');
  await models.getByLabel('Base address', { exact: true }).fill(world.model.baseUrl);
  await models.getByLabel('Model', { exact: true }).fill('test-model');
  await models.getByRole('button', { name: 'Save' }).first().click();
  await models.getByRole('button', { name: /Test/ }).click();
  await expect(models.getByTestId('test-result')).toBeVisible();

  const sources = page.getByRole('form', { name: 'Sources' });
  await sources.getByRole('button', { name: 'Add a source' }).click();
  await sources.getByLabel('Name', { exact: true }).fill('local');
  await sources.getByLabel('Can continue here').check();
  await sources.getByLabel('Model', { exact: true }).selectOption('model');
  await sources.getByLabel('ledger', { exact: true }).check();
  await sources.getByRole('button', { name: 'Save' }).click();

  // What waited for the settings goes on without another act.
  await goTo(page, 'Finished');
  await select(page, 'http_request');
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Set up.');
  expect(world.ledger.lines()).toHaveLength(1);
});

test('the clean-up says what it did and when it looks again; a dry look removes nothing that is young', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await expect(page.getByTestId('row')).toHaveCount(1);
  await goTo(page, 'Settings');
  await page.getByRole('button', { name: /Sweep|Clean up now/i }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('gc-last')).toContainText('0 expired');
  await goTo(page, 'Needs me');
  await expect(page.getByTestId('row')).toHaveCount(1);
});

test('I9 what is older than the ttl expires with its card open: said so, no rejection, never decided', async ({
  launch,
  folders,
}) => {
  test.slow();
  // A ttl of 36 seconds is the shortest; the sweep runs about every second.
  writeSettings(folders, { gc: { enabled: true, ttlHours: 0.01, intervalMinutes: 0.01 } });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  // A later one stays when the first one goes.
  await expect(selected(page)).toContainText(/(1\d|2[0-5]) s left/, { timeout: 30_000 });
  publish(folders, 'later.json', caseFile('C35'));
  const reaped = async (): Promise<boolean> => (await kinds(page)).includes('reaped');
  await expect.poll(reaped, { timeout: 60_000, intervals: [500] }).toBe(true);
  // Nothing can be decided on what is gone, and nothing says that it waits.
  await expect(page.locator('#card')).toContainText('expired; nobody rejected it');
  await expect(page.getByTestId('approve')).toHaveCount(0);
  await expect(page.getByTestId('card')).not.toHaveAttribute('data-status', 'waiting');
  await expect(
    page.locator('[data-testid="row"][data-status="waiting"]').filter({ hasText: 'http_request' }),
  ).toHaveCount(0);
  const seen = await kinds(page);
  expect(seen).not.toContain('rejected');
  expect(seen).not.toContain('decided');
});
