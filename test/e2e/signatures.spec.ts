import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BO } from '../helpers/signer.js';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { environment, runToEnd } from './fixture.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import { approve, goTo, hasStatus, select } from './reviewer.js';

test('the first start makes a key; a decision says who signed it; another program’s check agrees', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const path = join(folders.data, 'signing-key.json');
  await expect.poll(() => existsSync(path)).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('signed')).toContainText(/Signed by Ada \([0-9a-f]{32}\)/);
  expect(world.ledger.lines()).toHaveLength(1);
  const run = (await page.getByTestId('card').getAttribute('data-item-id'))?.slice(2) ?? '';
  const printed = await runToEnd(['decision', run], environment(folders));
  expect(printed.stdout).toContain('"alg": "ed25519"');
  const key = await runToEnd(['key'], environment(folders));
  expect(key.stdout).toContain(JSON.parse(readFileSync(path, 'utf8')).publicKey);
});

test('the settings show the key and where it lies; a reviewer of the team comes in by a native yes only', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page, app } = await launch();
  const questions = await answerQuestions(app, ['no', 'yes']);
  await goTo(page, 'Settings');
  const form = page.getByRole('form', { name: 'Signatures' });
  await expect(form.getByTestId('own-public-key')).toHaveText(/^[A-Za-z0-9+/]{43}=$/);
  await expect(form.getByTestId('own-key')).toContainText(/Fingerprint [0-9a-f]{32}\. .*(key store)/);
  await form.getByRole('button', { name: 'Add a reviewer' }).click();
  await form.getByLabel('Name', { exact: true }).fill('Bo');
  await form.getByLabel('Public key', { exact: true }).fill(BO.key.publicKey);
  await form.getByLabel('Destructive calls need a second').check();
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByRole('alert')).toContainText('You declined');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(form.getByRole('status').last()).toContainText('Saved');
  await expect(form).toContainText(`Fingerprint ${BO.key.keyId}`);
  expect(await questions()).toHaveLength(2);
  expect((await questions())[1]).toContain(`“Bo” count from now on, with the public key ${BO.key.publicKey}`);
});
