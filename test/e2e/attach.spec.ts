import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { ask, bar, card, hasStatus, markApproved, nextCall, ready, select, submit } from './reviewer.js';

const RECORD = readFileSync(join(import.meta.dirname, '../fixtures/starweaver/03-waiting-approval-and-deferred.json'));
const FINDINGS = 'three competitors\nArmada\u200b Ltd\n';

/** The system's own dialog, answered as a person would: with these files. */
const choose = (app: ElectronApplication, ...filePaths: string[]): Promise<void> =>
  app.evaluate(({ dialog }, paths) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: paths.length === 0, filePaths: paths });
  }, filePaths);

async function toForm(page: Page): Promise<void> {
  await select(page, 'shell_exec');
  await nextCall(page);
  await expect(page.getByTestId('answer')).toBeVisible();
  await ready(page);
  await page.keyboard.press('a');
  await expect(page.getByTestId('answer-form').getByRole('radio', { name: 'Completed' })).toBeFocused();
}

test('S12 an attached result: picked, refused, kept over kill -9, read whole, and given word for word', async ({
  launch,
  folders,
  world,
}) => {
  test.setTimeout(120_000);
  const { server } = world.ledger;
  const TOOLS = JSON.stringify([{ name: 'shell_exec', inputSchema: { type: 'object' } }]);
  writeSettings(folders, { ...world.settings, servers: [{ ...server, env: { ...server.env, TOOLS } }] });
  const first = await launch();
  publish(folders, 'run.json', RECORD, 'local');
  const papers = join(folders.userData, 'papers');
  mkdirSync(papers, { recursive: true });
  const [good, bad] = [join(papers, 'find\u202eings.txt'), join(papers, 'latin1.txt')];
  writeFileSync(good, FINDINGS);
  writeFileSync(bad, Buffer.from([0x67, 0xfc, 0x6e]));

  await toForm(first.page);
  await first.page.keyboard.press('Space');
  await choose(first.app, bad);
  await first.page.getByTestId('attach').focus();
  await first.page.keyboard.press('Enter');
  await expect(first.page.getByTestId('attach-refused')).toContainText('latin1.txt is no plain UTF-8 text');
  await choose(first.app, good);
  await first.page.keyboard.press('Enter');
  const shown = first.page.getByTestId('attached');
  await expect(shown).toContainText('three competitors');
  await expect(shown.locator('.mark').first()).toBeVisible();
  await expect(first.page.locator('body')).not.toContainText(papers);
  await expect(first.page.getByTestId('attach')).toBeFocused();

  const id = (await card(first.page).getAttribute('data-item-id')) ?? '';
  await expect
    .poll(async () => {
      const opened = (await ask(first.page, 'run:open', id)) as { value: { calls: { draft: unknown }[] } };
      return opened.value.calls[1]?.draft;
    })
    .toMatchObject({ answer: { status: 'completed', file: { text: FINDINGS } } });
  await first.kill();

  const { page } = await launch();
  await select(page, 'shell_exec');
  await markApproved(page, 1);
  await nextCall(page);
  await ready(page);
  await page.keyboard.press('a');
  await expect(page.getByTestId('attached')).toContainText('Armada');
  await ready(page);
  await page.keyboard.press('Control+Enter');
  await expect(bar(page)).toContainText('2 answered');
  await submit(page);
  await hasStatus(page, 'finished');
  const { messages } = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: FINDINGS });
  expect(world.ledger.lines().map(({ tool }) => tool)).toEqual(['shell_exec']);
});

test('a file dropped on the form is the result, and is not taken in as a record', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', RECORD, 'local');
  await toForm(page);
  await page.getByTestId('answer-form').evaluate((form) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['dropped words'], 'dropped.txt'));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByTestId('attached')).toContainText('dropped words');
  await expect(page.getByTestId('toast')).toHaveCount(0);
  await expect(page.getByTestId('row')).toHaveCount(1);
});
