import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import {
  approve,
  ask,
  bar,
  card,
  continueRun,
  goTo,
  hasStatus,
  kinds,
  markApproved,
  nextCall,
  ready,
  rows,
  select,
  settle,
  submit,
} from './reviewer.js';

test('C33 kill -9 after a reason was typed: the run waits, undecided, with the reason; approving works once', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const first = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(first.page, 'http_request');
  await ready(first.page);
  await first.page.keyboard.press('r');
  await first.page.keyboard.type('not this host');
  // Saved while it is typed: nothing asks for it.
  const id = (await card(first.page).getAttribute('data-item-id')) ?? '';
  await expect
    .poll(async () => {
      const opened = (await ask(first.page, 'run:open', id)) as { value: { calls: { draft: unknown }[] } };
      return opened.value.calls[0]?.draft;
    })
    .toEqual({ reason: 'not this host' });
  await first.kill();

  const { page } = await launch();
  await select(page, 'http_request');
  await hasStatus(page, 'waiting');
  await ready(page);
  await page.keyboard.press('r');
  await expect(page.getByTestId('reject-reason')).toHaveValue('not this host');
  await page.keyboard.press('Escape');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['http_request']);
  expect((await kinds(page)).filter((kind) => kind === 'decided')).toHaveLength(1);
});

test('I8 kill -9 while the second of three calls runs: it is unknown, a person settles it, the third one runs once', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.ledger.script({ http_request: { delayMs: 60_000 } });
  world.model.queue({ content: 'Noted.' });
  const first = await launch();
  const calls = [
    { id: 'x1', name: 'send_email', args: '{"to":"a@example.com"}' },
    { id: 'x2', name: 'http_request', args: '{"url":"https://api.example.com/spec"}' },
    { id: 'x3', name: 'update_record', args: '{"id":7}' },
  ];
  publish(folders, 'run.json', klieoRecord({ calls }));
  await select(first.page, 'http_request');
  for (const call of [1, 2, 3]) {
    await markApproved(first.page, call);
    if (call < 3) await nextCall(first.page);
  }
  await submit(first.page);
  await expect.poll(() => world.ledger.lines().length).toBe(2);
  await hasStatus(first.page, 'resuming');
  await expect(first.page.getByTestId('journal').locator('.entry')).toHaveText([/^Done/, /^Started/, /^Not started/]);
  await first.kill();

  const { page } = await launch();
  await goTo(page, 'Unknown outcome');
  await select(page, 'http_request');
  await hasStatus(page, 'unknown_outcome');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByTestId('journal').locator('.entry')).toHaveText([/^Done/, /^Outcome unknown/, /^Not started/]);
  const place = page.getByTestId('reconcile');
  await expect(place).toContainText('the application ended meanwhile');
  await expect(place).toContainText('https://api.example.com/spec');
  await expect(place.getByRole('heading', { name: 'send_email' })).toHaveCount(0);
  // By keyboard: the option, the result, a note, the confirmation.
  await place.getByRole('button', { name: 'It ran' }).focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('reconcile-result').focus();
  await page.keyboard.type('201 created');
  await page.keyboard.press('Tab');
  await page.keyboard.type('seen in the log of the other side');
  await page.keyboard.press('Tab');
  const confirm = page.getByTestId('reconcile-confirm');
  await expect(confirm).toBeFocused();
  // Dead for a moment after anything on the card changed: pressed until it counts.
  await expect(async () => {
    if (await confirm.isVisible()) await page.keyboard.press('Enter');
    await expect(confirm).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await hasStatus(page, 'not_continued');
  // Nothing goes on by itself, and it is among those that need a person.
  await goTo(page, 'Needs me');
  await select(page, 'cut short');
  expect(world.ledger.lines()).toHaveLength(2);
  await continueRun(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Noted.');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['send_email', 'http_request', 'update_record']);
  await expect(page.getByTestId('journal')).toContainText('It ran, said Ada');
  const request = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(request.messages.slice(-3)).toEqual([
    { role: 'tool', tool_call_id: 'x1', content: 'send_email done' },
    { role: 'tool', tool_call_id: 'x2', content: '201 created' },
    { role: 'tool', tool_call_id: 'x3', content: 'update_record done' },
  ]);
});

test('I8 "it did not run" after kill -9: Continue dispatches it again, by that explicit act only', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  world.ledger.script({ http_request: { delayMs: 60_000 } });
  const first = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(first.page, 'http_request');
  await approve(first.page);
  await expect.poll(() => world.ledger.lines().length).toBe(1);
  await first.kill();
  world.ledger.script({});

  const { page } = await launch();
  await goTo(page, 'Unknown outcome');
  await select(page, 'http_request');
  await settle(page, 'It did not run');
  await hasStatus(page, 'not_continued');
  expect(world.ledger.lines()).toHaveLength(1);
  await continueRun(page);
  await hasStatus(page, 'finished');
  // The person said that the first one had no effect.
  expect(world.ledger.lines()).toHaveLength(2);
});

test('I4 kill -9 inside the undo window: decided stays decided, and goes on once after the restart', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, undoSeconds: 4 });
  const first = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(first.page, 'http_request');
  await approve(first.page);
  await hasStatus(first.page, 'decided');
  await first.kill();
  expect(world.ledger.lines()).toEqual([]);

  const { page } = await launch();
  await expect.poll(() => world.ledger.lines().length, { timeout: 15_000 }).toBe(1);
  await goTo(page, 'Finished');
  await expect(rows(page)).toHaveCount(1);
  await select(page, 'http_request');
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
  expect((await kinds(page)).filter((kind) => kind === 'decided')).toHaveLength(1);
});

test('a crash of the page between the click and the answer dispatches once', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page, app } = await launch();
  publish(folders, 'run.json', caseFile('C33'));
  await select(page, 'http_request');
  await approve(page);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(() => world.ledger.lines().length).toBe(1);
  await expect
    .poll(() =>
      app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
          `[...document.querySelectorAll('nav button')].find((b) => b.textContent.startsWith('Finished'))?.textContent`,
        ),
      ),
    )
    .toMatch(/1$/);
  expect(world.ledger.lines()).toHaveLength(1);
});
