import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { caseFile } from './cases.js';
import { writeSettings } from './data-folder.js';
import { expect, type Folders, test } from './fixture.js';
import { klieoRecord } from './records.js';
import { approve, goTo, hasStatus, markApproved, nextCall, reject, select, submit } from './reviewer.js';

const cli = join(import.meta.dirname, '../../dist/cli.js');

interface Said {
  code: number;
  json: Record<string, unknown> & { refusal?: { code: string } };
}

/** Runs `holdpoint … --json` with plain Node, on the data folder of the window. */
function holdpoint(folders: Folders, ...args: string[]): Promise<Said> {
  const env = { ...process.env, HOLDPOINT_DATA: folders.data };
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [cli, ...args, '--json'],
      { env, timeout: 30_000 },
      (_error, stdout, stderr) => {
        try {
          resolve({ code: child.exitCode ?? -1, json: JSON.parse(stdout) });
        } catch {
          reject(new Error(`no JSON from ${args.join(' ')}: ${stdout}${stderr}`));
        }
      },
    );
  });
}

test('H13 an agent hands its run over: suspended, decided in the window, claimed once, reported, completed', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const record = join(folders.data, '../agent-run.json');
  writeFileSync(record, caseFile('C33'));
  const suspended = await holdpoint(folders, 'suspend', record, '--reason', 'this host is new');
  expect(suspended).toMatchObject({ code: 0, json: { ok: true, outcome: 'taken_in' } });
  const run = String(suspended.json['run']);
  // In the window within 3 seconds, as handed over.
  await expect(page.getByTestId('row')).toHaveCount(1, { timeout: 3000 });
  await select(page, 'http_request');
  await expect(page.getByTestId('card')).toContainText('Handed over to its agent');
  await expect(page.getByTestId('card')).toContainText('this host is new');
  expect(await holdpoint(folders, 'suspend', record)).toMatchObject({ code: 0, json: { outcome: 'already_known' } });
  // Not decided yet: nobody gets anything.
  const early = await holdpoint(folders, 'await', run, '--token', 'mine', '--timeout', '0');
  expect(early).toMatchObject({ code: 3, json: { ok: false, refusal: { code: 'not_decided' } } });

  const waits = holdpoint(folders, 'await', run, '--token', 'mine', '--timeout', '25');
  await approve(page);
  const answer = await waits;
  expect(answer).toMatchObject({
    code: 0,
    json: { ok: true, calls: [{ index: 0, name: 'http_request', verdict: 'approve', id: 'x1' }] },
  });
  await hasStatus(page, 'handed_over');
  // The same token, the same answer; another one, nothing.
  expect((await holdpoint(folders, 'await', run, '--token', 'mine')).json).toEqual(answer.json);
  const other = await holdpoint(folders, 'await', run, '--token', 'theirs', '--timeout', '0');
  expect(other).toMatchObject({ code: 1, json: { refusal: { code: 'already_claimed' } } });
  expect(await holdpoint(folders, 'start', run, '--call', '0', '--token', 'theirs')).toMatchObject({ code: 1 });

  expect(await holdpoint(folders, 'start', run, '--call', '0', '--token', 'mine')).toMatchObject({ code: 0 });
  await expect(page.getByTestId('journal').locator('.entry')).toContainText(/^Started/);
  // Begun once: a second start could be a second effect.
  expect(await holdpoint(folders, 'start', run, '--call', '0', '--token', 'mine')).toMatchObject({ code: 1 });
  const result = join(folders.data, '../result.txt');
  writeFileSync(result, '201 created');
  expect(await holdpoint(folders, 'report', run, '--call', '0', '--token', 'mine', '--result', result)).toMatchObject({
    code: 0,
  });
  await expect(page.getByTestId('journal').locator('.entry')).toContainText(/^Done/);
  await expect(page.getByTestId('journal')).toContainText('201 created');
  expect(await holdpoint(folders, 'complete', run, '--token', 'mine', '--answer', 'The spec is added.')).toMatchObject({
    code: 0,
  });
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('The spec is added.');
  await goTo(page, 'Finished');
  await expect(page.getByTestId('row')).toHaveCount(1);
});

test('H13 a mixed batch of an agent: what was approved and what was not reaches it as decided', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const record = join(folders.data, '../agent-run.json');
  const calls = [
    { id: 'a', name: 'send_email', args: '{"to":"a@example.com"}' },
    { id: 'b', name: 'delete_file', args: '{"path":"/srv"}' },
  ];
  writeFileSync(record, klieoRecord({ calls }));
  const run = String((await holdpoint(folders, 'suspend', record)).json['run']);
  await select(page, 'send_email');
  await markApproved(page, 1);
  await nextCall(page);
  await reject(page, 'never /srv');
  await submit(page);
  await hasStatus(page, 'decided');
  const answer = await holdpoint(folders, 'await', run, '--token', 'mine', '--timeout', '20');
  expect(answer).toMatchObject({
    code: 0,
    json: {
      calls: [
        { index: 0, verdict: 'approve', arguments: '{"to":"a@example.com"}' },
        { index: 1, verdict: 'reject', answer: expect.stringContaining('never /srv') },
      ],
    },
  });
  expect(await holdpoint(folders, 'start', run, '--call', '1', '--token', 'mine')).toMatchObject({ code: 1 });
  // Claimed and nothing started: a person may free it, and the agent can claim it again.
  await hasStatus(page, 'handed_over');
  await page.getByRole('button', { name: 'Release the claim' }).focus();
  await page.keyboard.press('Enter');
  await hasStatus(page, 'decided');
  expect(await holdpoint(folders, 'start', run, '--call', '0', '--token', 'mine')).toMatchObject({ code: 1 });
  expect(await holdpoint(folders, 'await', run, '--token', 'next')).toMatchObject({ code: 0 });
});

test('an agent withdraws what nobody decided yet; the window says so, and it can no longer be decided', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const record = join(folders.data, '../agent-run.json');
  writeFileSync(record, caseFile('C33'));
  const run = String((await holdpoint(folders, 'suspend', record)).json['run']);
  await select(page, 'http_request');
  expect(await holdpoint(folders, 'withdraw', run)).toMatchObject({ code: 0 });
  await hasStatus(page, 'withdrawn');
  await expect(page.getByTestId('approve')).toHaveCount(0);
  await expect(page.getByTestId('card')).toContainText('Withdrawn by the agent');
  const late = await holdpoint(folders, 'await', run, '--token', 'mine', '--timeout', '0');
  expect(late).toMatchObject({ code: 1, json: { refusal: { code: 'withdrawn' } } });
});
