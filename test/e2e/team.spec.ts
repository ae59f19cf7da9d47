import { natsServer } from '../../electron/dev/nats-server.mjs';
import { makeBucket } from '../helpers/nats-bucket.js';
import { natsWorld } from '../helpers/nats-server.js';
import { writeSettings } from './data-folder.js';
import { expect, test } from './fixture.js';
import { answerQuestions } from './questions.js';
import { goTo } from './reviewer.js';

test('the shared engine is set up on the page, asked for natively, and its test says what is wrong and what is right', async ({
  launch,
  folders,
}) => {
  const found = natsServer('cluster');
  test.skip('missing' in found, 'missing' in found ? found.missing : '');
  if ('missing' in found) return;
  const world = natsWorld(found.program);
  try {
    const server = await world.single();
    writeSettings(folders);
    const { page, app } = await launch();
    const questions = await answerQuestions(app, ['yes', 'yes']);
    await goTo(page, 'Settings');
    const team = page.getByRole('form', { name: 'Shared engine' });
    await team.getByLabel('Server addresses', { exact: true }).fill('not an address');
    await team.getByRole('button', { name: 'Save' }).click();
    await expect(team.getByRole('alert')).toContainText('nats://host:4222');
    await team.getByLabel('Server addresses', { exact: true }).fill(server.url);
    await team.getByLabel('Monitoring addresses', { exact: true }).fill(server.monitor);
    await expect(team.getByRole('button', { name: 'Test connection' })).toBeDisabled();
    await team.getByRole('button', { name: 'Save' }).click();
    await expect(team.getByText('Saved.')).toBeVisible();
    expect((await questions())[0]).toContain(server.url);

    await team.getByRole('button', { name: 'Test connection' }).click();
    await expect(team.getByTestId('team-result')).toContainText('There is no bucket "hp"');
    await makeBucket(server.url);
    await team.getByRole('button', { name: 'Test connection' }).click();
    await expect(team.getByTestId('team-result')).toContainText('durability verified');
    await expect(team.getByTestId('team-result')).toContainText('Every right that a reviewer needs is there');
    await server.kill();
    await team.getByRole('button', { name: 'Test connection' }).click();
    await expect(team.getByTestId('team-result')).toContainText('No server can be reached');
  } finally {
    await world.end();
  }
});
