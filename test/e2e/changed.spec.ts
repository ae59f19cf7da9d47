import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import {
  approve,
  arm,
  ask,
  bar,
  card,
  controlReady,
  edit,
  goTo,
  hasStatus,
  keepEdit,
  kinds,
  mayApprove,
  nextCall,
  ready,
  reject,
  releaseRaw,
  rows,
  select,
  submit,
  toasts,
} from './reviewer.js';

const destructive = (tool: string) => ({ tool, effect: 'destructive' as const, repeatable: false });

test('C38 the record is swapped while its card is armed: Approve is refused, the difference is marked, neither is sent', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'seen.json', caseFile('C38', 'seen.json'));
  await select(page, 'send_payment');
  const id = (await card(page).getAttribute('data-item-id')) ?? '';
  const seen = (await ask(page, 'run:open', id)) as {
    value: { binding: unknown; calls: { index: number; argumentsSha256: string }[] };
  };
  await arm(page);
  await controlReady(page);
  publish(folders, 'swapped.json', caseFile('C38', 'swapped.json'));
  await hasStatus(page, 'superseded');
  await expect(page.getByTestId('approve-frame')).toHaveAttribute('data-proposed', 'false');
  await page.keyboard.press('a');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('approve')).toHaveCount(0);
  await expect(card(page)).toContainText('100000');
  await expect(card(page).locator('.diff .del')).toContainText('100');
  await expect(card(page).locator('.diff .add')).toContainText('100000');

  // The click that was on its way: main compares what was seen with what is there.
  const submission = {
    id,
    binding: seen.value.binding,
    verdicts: seen.value.calls.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, verdict: 'approve' })),
  };
  // Not from the page at all; and from the approve control it is too late.
  expect(await ask(page, 'decide:submit', submission)).toMatchObject({ ok: false, refusal: { code: 'not_allowed' } });
  const late = await releaseRaw(page, { act: 'decide', submission, unread: [] });
  expect(late).toMatchObject({ ok: false, refusal: { code: 'superseded' } });
  expect(await kinds(page)).not.toContain('decided');
  expect(world.ledger.lines()).toEqual([]);
});

test('C38 swapped between the decision and the claim: the decision stays as evidence, neither amount is sent', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, undoSeconds: 2 });
  const { page } = await launch();
  publish(folders, 'seen.json', caseFile('C38', 'seen.json'));
  await select(page, 'send_payment');
  await approve(page);
  await hasStatus(page, 'decided');
  publish(folders, 'swapped.json', caseFile('C38', 'swapped.json'));
  await hasStatus(page, 'superseded');
  await expect(card(page)).toContainText('the decision is kept as evidence');
  // The undo window is over when the runner has looked: nothing waits any more, and nothing ran.
  await goTo(page, 'Decided');
  await expect(rows(page)).toHaveCount(0);
  expect(world.ledger.lines()).toEqual([]);
  // Only the one that is there now can be decided, and it goes out as it was read.
  await goTo(page, 'Needs me');
  await select(page, '100000');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
  expect(world.ledger.lines()[0]?.arguments).toContain('100000');
});

test('C20 the edit keeps types: text in a number is refused, a slip in the JSON is shown, the rest stays as written', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [destructive('delete_records')] });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C20'));
  await select(page, 'delete_records');
  await mayApprove(page);
  await page.keyboard.press('e');
  const field = page.getByTestId('edit-text');
  await expect(field).toBeFocused();
  const proposed = await field.inputValue();
  const fault = page.getByTestId('edit-fault');
  const type = async (text: string): Promise<void> => {
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };

  await type(proposed.replace('500', '"500"'));
  await expect(fault).toContainText('limit');
  await expect(fault).toContainText('number');
  await expect(page.getByTestId('edit-keep')).toBeDisabled();
  await page.keyboard.press('Control+Enter');
  await expect(bar(page)).toHaveAttribute('data-mode', 'editing');

  await type(proposed.slice(0, -1));
  await expect(fault).toContainText('not valid JSON');
  await expect(page.getByTestId('edit-keep')).toBeDisabled();

  await type(proposed.replace('"events"', '"events_2024"'));
  await expect(page.getByTestId('edit-diff')).toContainText('events_2024');
  await keepEdit(page);
  await approve(page);
  await hasStatus(page, 'finished');
  const [line] = world.ledger.lines();
  const written = /"pending_tool_calls"[\s\S]*?"args": (\{[\s\S]*?\n {3}\}),?\s/.exec(caseFile('C20').toString())?.[1];
  const bare = (text: string | undefined): string => (text ?? '').replace(/\s+/g, '');
  expect(bare(line?.arguments)).toBe(bare(written).replace('"events"', '"events_2024"'));
  expect(line?.arguments).toContain('1.0');
});

test('C18 an edit changes arguments only: what is shown, decided and sent is the tool that was reviewed', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [destructive('delete_file')] });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C18'));
  await select(page, 'read_file');
  const { edited_action: action } = JSON.parse(caseFile('C18', 'decision.json').toString());
  await edit(page, JSON.stringify({ path: '/var/log/app.log', name: action.name }));
  await keepEdit(page);
  await expect(page.getByTestId('verdict')).toContainText('read_file');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['read_file']);
});

test('C07 a batch decided from its end: verdicts stay with their calls, and go out in batch order', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [destructive('delete_file')] });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C07'));
  await select(page, 'delete_file');
  await nextCall(page);
  await expect(page.getByTestId('verdict')).toContainText('send_email');
  await reject(page, 'not to ops');
  await expect(bar(page)).toContainText('2 rejected');
  await page.keyboard.press('[');
  await expect(page.getByTestId('verdict')).toContainText('delete_file');
  // The destructive class is confirmed by itself, also in a batch.
  await arm(page);
  await ready(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toContainText('1 approved');
  await submit(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map((line) => line.tool)).toEqual(['delete_file']);
  const request = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(request.messages.slice(-2)).toEqual([
    { role: 'tool', tool_call_id: 'rm-77', content: 'delete_file done' },
    { role: 'tool', tool_call_id: 'mail-12', content: expect.stringContaining('not to ops') },
  ]);
});

test('C35 nothing can continue it: "recorded, not executed" with its reason and age, in a list that is empty else', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  const decided = page.getByRole('navigation').getByRole('button', { name: 'Decided' });
  await expect(decided).toContainText('0');
  publish(folders, 'run.json', caseFile('C35'));
  await select(page, 'publish_post');
  await approve(page);
  await hasStatus(page, 'decided');
  const waiting = page.getByTestId('waiting-note');
  await expect(waiting).toContainText('Recorded, not executed.');
  await expect(waiting).toContainText('has no profile');
  await expect(waiting).toContainText(/for \d+ s|for a moment|for less/);
  await expect(decided).toContainText('1');
  await goTo(page, 'Decided');
  await expect(rows(page)).toContainText('Recorded, not executed');
  await expect(page.getByRole('banner')).toContainText('1 decided, not executed');
});

test('C35 what only was recorded is not said in the colour of success', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C35'));
  await select(page, 'publish_post');
  await approve(page);
  const message = toasts(page).filter({ hasText: 'Recorded' });
  await expect(message).toBeVisible();
  await expect(message).not.toContainText(/executed|done|success/i);
  const [stripe, success] = await message.evaluate((toast) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.className = 'ok';
    const color = getComputedStyle(probe).color;
    probe.remove();
    return [getComputedStyle(toast).borderLeftColor, color];
  });
  expect(stripe).not.toBe(success);
});

test('C40 the tool is gone: "not executed: tool not available", said to the reviewer and to the model', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C40'));
  await select(page, 'legacy_export');
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('journal').locator('.entry')).toContainText(/not executed: tool not available/i);
  await expect(page.getByTestId('journal').locator('.entry')).not.toContainText('Done');
  expect(world.ledger.lines()).toEqual([]);
  const request = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(request.messages.at(-1)).toMatchObject({
    role: 'tool',
    tool_call_id: 'o1',
    content: expect.stringMatching(/not executed/i),
  });
});

test('I6 the bytes that were taken in are the bytes that are shown as the record', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C20'));
  await select(page, 'delete_records');
  const id = (await card(page).getAttribute('data-item-id')) ?? '';
  const raw = (await ask(page, 'run:raw', id, 0)) as { value: { text: string } };
  expect(raw.value.text).toBe(caseFile('C20').toString());
  await page.keyboard.press('i');
  await expect(page.getByRole('complementary').getByTestId('raw')).toContainText('"ratio": 1.0');
});
