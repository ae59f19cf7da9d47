import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { approve, bar, hasStatus, markApproved, mayApprove, ready, reject, rows, select, submit } from './reviewer.js';

test('C09 equal ids in a batch: both cards, flagged, Approve off with both named; a whole rejection is possible', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C09'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  await hasStatus(page, 'waiting');
  await expect(page.getByTestId('approve-off')).toBeVisible();
  await ready(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await expect(page.getByTestId('card')).toContainText(/ids collide/i);
  const batch = page.locator('button', { hasText: /^[12]/ });
  await expect(batch.first()).toBeVisible();
  await reject(page, 'which one?');
  await expect(bar(page)).toContainText('1 rejected');
  await page.keyboard.press(']');
  await expect(page.getByTestId('approve-off')).toBeVisible();
  await reject(page, 'which one?');
  await submit(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toEqual([]);
  const { messages } = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  const ids = messages
    .flatMap((m: { tool_calls?: { id: string }[] }) => (m.tool_calls ?? []).map((c) => c.id))
    .slice(-2);
  expect(new Set(ids).size).toBe(2);
  expect(messages.slice(-2).map((m: { tool_call_id: string }) => m.tool_call_id)).toEqual(ids);
});

test('C30 a call in the history without an answer: Approve only with an explicit consent, which is logged', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C30'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  await expect(page.getByTestId('approve-off')).toContainText('without an answer');
  await bar(page).getByRole('checkbox').focus();
  await page.keyboard.press('Space');
  // Off the box again, as by Tab: a key that decides is no key of a form.
  await page.getByTestId('approve').focus();
  await mayApprove(page);
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
  await expect(page.getByTestId('decision')).toContainText('no result was recorded');
  const { messages } = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  const asked = messages.findIndex((m: { tool_calls?: { id: string }[] }) =>
    m.tool_calls?.some((c) => c.id === 'toolu_old'),
  );
  expect(messages[asked + 1]).toMatchObject({ role: 'tool', tool_call_id: 'toolu_old' });
});

test('C47 no arguments: an empty string came, {} is sent, and the card says so', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C47'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  await expect(page.getByTestId('arguments')).toContainText('No arguments (empty string received)');
  await expect(page.getByTestId('arguments')).toContainText('{}');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.arguments)).toEqual(['{}']);
});

test('C52 words that say "cut" are shown as they are, with a hint', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C52'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  await expect(page.getByTestId('arguments')).toContainText(/\[Circular\]|\[Truncated\]/);
  await expect(page.locator('.warnings')).toContainText(/cut/i);
});

test('C56 arguments that are a text, a list, a number, an encoded object, a twice encoded one: all are shown', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  for (const name of ['a-string', 'b-list', 'c-number', 'd-encoded', 'e-double'])
    publish(folders, `${name}.json`, caseFile('C56', `${name}.json`), name);
  await expect(rows(page)).toHaveCount(5);
  for (const name of ['a-string', 'b-list', 'c-number', 'e-double']) {
    await select(page, new RegExp(`${name} ·`));
    await expect(page.getByTestId('arguments'), name).toContainText('Not an object');
    await expect(page.getByTestId('approve-off'), name).toContainText('takes an object');
  }
  await select(page, /d-encoded ·/);
  await expect(page.getByTestId('arguments')).toContainText('Came as a JSON string that holds an object');
  await mayApprove(page);
  expect(world.ledger.lines()).toEqual([]);
});

test('C14 C24 a tool that no table names counts as changing something, not repeatable, and says so', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'first.json', caseFile('C14', 'checkpoint-unknown-first.json'));
  await select(page, 'vendor_magic');
  for (let call = 1; ; call++) {
    await expect(page.getByTestId('verdict')).toContainText('not repeatable');
    await expect(page.getByTestId('verdict')).toContainText('No row of your tool table names this tool');
    if (await page.getByTestId('verdict').getByText('vendor_magic').isVisible()) break;
    await page.keyboard.press(']');
    expect(call).toBeLessThan(5);
  }
  expect(world.ledger.lines()).toEqual([]);
});

test('C12 every approved call of a batch has its outcome, in batch order, also when one fails', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C12'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  const tools: string[] = [];
  for (const call of [1, 2, 3]) {
    tools.push(((await page.getByTestId('verdict').locator('h1').textContent()) ?? '').trim());
    await markApproved(page, call);
    await page.keyboard.press(']');
  }
  world.ledger.script({ [tools[1] ?? '']: [{ isError: true, text: 'the other side said no' }] });
  await submit(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(tools);
  await expect(page.getByTestId('journal').locator('.entry')).toHaveCount(3);
  const { messages } = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(messages.slice(-3).map((m: { tool_call_id: string }) => m.tool_call_id)).toEqual(['c1', 'c2', 'c3']);
});
