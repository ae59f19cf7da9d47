import type { ElectronApplication, Page } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import { expect, type Folders, test } from './fixture.js';
import { test as ledgerTest } from './ledger-world.js';
import { type Call, klieoRecord } from './records.js';
import { card, control, controlReady, historyOf, notProposed, ready, rows, select, selected } from './reviewer.js';

const row = (tool: string, effect: 'read_only' | 'changes' | 'destructive') => ({ tool, effect, repeatable: false });
const TOOLS = [
  row('search_kb', 'read_only'),
  row('get_invoice', 'read_only'),
  row('send_email', 'changes'),
  row('update_record', 'changes'),
  row('delete_records', 'destructive'),
];

const bulkBar = (page: Page) => page.getByTestId('bulk-bar');
const panel = (page: Page) => page.getByTestId('bulk-panel');
const marked = (page: Page) => page.locator('[data-testid="row"][aria-checked="true"]');
/** How many runs a place of the left column says it holds. */
const countIn = async (page: Page, place: string): Promise<number> => {
  const button = page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${place} `) });
  return Number((await button.textContent())?.replace(/\D/g, ''));
};
const decided = async (page: Page): Promise<number> =>
  (await historyOf(page)).filter(({ kind }) => kind === 'decided').length;

/** `count` runs of one tool; every fifth has two calls of it. */
function publishMany(folders: Folders, tool: string, count: number, args: (n: number) => string): void {
  for (let n = 0; n < count; n += 1) {
    const calls: Call[] = [{ id: 'c1', name: tool, args: args(n) }];
    if (n % 5 === 4) calls.push({ id: 'c2', name: tool, args: args(n + 1000) });
    publish(folders, `${tool}-${n}.json`, klieoRecord({ calls }));
  }
}

/** Presses keys, and counts them. */
function keyboard(page: Page) {
  const pressed = { keys: 0 };
  const press = async (key: string): Promise<void> => {
    pressed.keys += 1;
    await page.keyboard.press(key);
  };
  return { pressed, press };
}

/** Reads the list in the control to its end, and confirms it. */
async function confirmList(page: Page, press: (key: string) => Promise<void>): Promise<void> {
  await expect(page.getByTestId('approve-frame')).toHaveAttribute('data-proposed', 'true');
  await expect(control(page).getByTestId('control-run').first()).toBeVisible();
  await expect(async () => {
    const why = await control(page).getByTestId('control-why').textContent();
    if (why?.includes('Scroll down')) await press('PageDown');
    await expect(control(page)).toHaveAttribute('data-ready', 'true', { timeout: 900 });
  }).toPass({ timeout: 60_000 });
  await press('a');
  await notProposed(page);
}

test('100 mixed runs by keyboard: fewer than 3 keys a run for the harmless class, a confirmation for each dangerous one', async ({
  launch,
  folders,
}) => {
  test.setTimeout(300_000);
  writeSettings(folders, { tools: TOOLS, undoSeconds: 600, selectNextAfterDecision: true });
  publishMany(folders, 'search_kb', 40, (n) => `{"query":"deposit of customer ${n}"}`);
  publishMany(folders, 'get_invoice', 20, (n) => `{"invoice":"INV-${2000 + n}"}`);
  publishMany(folders, 'send_email', 15, (n) => `{"to":"desk-${n}@example.com","subject":"Your request ${n}"}`);
  publishMany(folders, 'update_record', 5, (n) => `{"id":"K-${n}","status":"closed"}`);
  for (let n = 0; n < 20; n += 1)
    publish(
      folders,
      `delete-${n}.json`,
      klieoRecord({ calls: [{ id: 'c', name: 'delete_records', args: `{"table":"t${n}"}` }] }),
    );
  const { page } = await launch();
  await expect(page.getByRole('heading', { name: '100 waiting' })).toBeVisible({ timeout: 60_000 });
  await page.getByTestId('queue').focus();
  await page.keyboard.press('Home');
  await expect(selected(page)).toContainText('delete_records');

  // The dangerous ones stand first: each is armed and confirmed by itself, and the next one comes by itself.
  const danger = keyboard(page);
  let confirmations = 0;
  for (let n = 0; n < 20; n += 1) {
    const id = await card(page).getAttribute('data-item-id');
    await expect(page.getByTestId('approve-off')).toHaveCount(0);
    await ready(page);
    await danger.press('a');
    await controlReady(page);
    await expect(control(page)).toContainText('This destroys or overwrites');
    expect(await decided(page)).toBe(n);
    await danger.press('a');
    confirmations += 1;
    await notProposed(page);
    await expect(card(page)).not.toHaveAttribute('data-item-id', id ?? '');
  }
  expect(await decided(page)).toBe(20);

  // The harmless ones by tool and class: mark all of them, approve, read the list in the control, confirm.
  const harmless = keyboard(page);
  let lists = 0;
  for (let n = 20; n < 100; ) {
    await expect(selected(page)).toHaveAttribute('data-status', 'waiting');
    await ready(page);
    await harmless.press('X');
    await expect(bulkBar(page)).toHaveAttribute('data-ready', 'true');
    const count = await marked(page).count();
    await harmless.press('a');
    await confirmList(page, harmless.press);
    await expect(panel(page)).toHaveAttribute('data-phase', 'told');
    await expect(page.getByTestId('bulk-told').locator('[data-taken="false"]')).toHaveCount(0);
    lists += 1;
    expect(count).toBeGreaterThan(0);
    n = await decided(page);
    await harmless.press('n');
    await expect(panel(page)).toHaveCount(0);
  }
  expect(lists).toBe(4);
  expect(await decided(page)).toBe(100);
  await expect.poll(() => countIn(page, 'Needs me')).toBe(0);
  const perRun = harmless.pressed.keys / 80;
  console.log(
    `100 mixed runs: ${harmless.pressed.keys} keys for 80 harmless runs in ${lists} lists (${perRun.toFixed(2)} a run), ` +
      `${danger.pressed.keys} keys and ${confirmations} confirmations for 20 dangerous ones`,
  );
  expect(perRun).toBeLessThan(3);
  expect(confirmations).toBe(20);
});

test('I12 a long list is off until each row was on screen; Escape leaves it undecided; U takes the whole act back', async ({
  launch,
  folders,
}) => {
  writeSettings(folders, { tools: TOOLS, undoSeconds: 600 });
  publishMany(folders, 'search_kb', 30, (n) => `{"query":"deposit of customer ${n}"}`);
  const { page } = await launch();
  await expect(page.getByRole('heading', { name: '30 waiting' })).toBeVisible({ timeout: 30_000 });
  await select(page, 'search_kb');
  const before = await selected(page).getAttribute('data-item-id');
  // What has the pointer over it is not rebuilt by itself.
  await selected(page).hover();
  await page.keyboard.press('X');
  await expect(bulkBar(page)).toHaveAttribute('data-ready', 'true');
  await page.keyboard.press('a');
  await expect(control(page).getByTestId('control-run').first()).toBeVisible();
  await expect(control(page).getByTestId('control-why')).toContainText('not seen yet. Scroll down');
  for (const key of ['a', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
  expect(await decided(page)).toBe(0);
  await page.keyboard.press('Escape');
  await notProposed(page);
  await expect(marked(page)).toHaveCount(30);
  await expect(bulkBar(page)).toHaveAttribute('data-ready', 'true');
  await page.keyboard.press('a');
  await confirmList(page, (key) => page.keyboard.press(key));
  await expect(panel(page)).toHaveAttribute('data-phase', 'told');
  expect(await decided(page)).toBe(30);
  await expect(marked(page)).toHaveCount(0);
  // The selection has not moved by itself.
  await expect(selected(page)).toHaveAttribute('data-item-id', before ?? '');
  await page.keyboard.press('u');
  await expect(page.getByTestId('toast').last()).toContainText('30 of 30 taken back');
  await expect.poll(() => countIn(page, 'Needs me')).toBe(30);
});

test('one reason for all that are marked, with the list of exactly those; one that was decided meanwhile is told', async ({
  launch,
  folders,
}) => {
  writeSettings(folders, { tools: TOOLS, undoSeconds: 600 });
  publishMany(folders, 'delete_records', 3, (n) => `{"table":"t${n}"}`);
  const { page } = await launch();
  await select(page, 'delete_records');
  await expect(rows(page)).toHaveCount(3);
  await page.keyboard.press('x');
  await expect(marked(page)).toHaveCount(1);
  await page.keyboard.press('J');
  await expect(marked(page)).toHaveCount(2);
  await expect(page.getByTestId('bulk-off')).toContainText('dangerous class');
  await expect(bulkBar(page)).toHaveAttribute('data-ready', 'true');
  await page.keyboard.press('r');
  await expect(page.getByTestId('bulk-reason')).toBeFocused();
  await expect(page.getByTestId('bulk-list').getByRole('listitem')).toHaveCount(2);
  await page.keyboard.type('Keep the tables.');
  await expect(page.getByTestId('bulk-reject-form')).toHaveAttribute('data-ready', 'true');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('bulk-told').locator('[data-taken="true"]')).toHaveCount(2);
  expect(await decided(page)).toBe(2);
  await page.getByRole('button', { name: 'Take this one back' }).first().click();
  await expect.poll(() => countIn(page, 'Needs me')).toBe(2);
});

ledgerTest(
  'I1 what is approved together is sent once each, and nothing that the list did not name',
  async ({ launch, folders, world }) => {
    writeSettings(folders, { ...world.settings, tools: [row('http_request', 'changes')] });
    const { page } = await launch();
    for (const n of [1, 2, 3])
      publish(
        folders,
        `${n}.json`,
        klieoRecord({ calls: [{ id: 'c', name: 'http_request', args: `{"url":"https://a.example/${n}"}` }] }),
      );
    await select(page, 'http_request');
    await expect(rows(page)).toHaveCount(3);
    await page.keyboard.press('x');
    await page.keyboard.press('J');
    await expect(marked(page)).toHaveCount(2);
    await expect(bulkBar(page)).toHaveAttribute('data-ready', 'true');
    await page.keyboard.press('a');
    await confirmList(page, (key) => page.keyboard.press(key));
    await expect.poll(() => world.ledger.lines().length).toBe(2);
    await expect.poll(() => countIn(page, 'Finished')).toBe(2);
    expect(world.ledger.lines()).toHaveLength(2);
    await expect.poll(() => countIn(page, 'Needs me')).toBe(1);
  },
);

/** Playwright gives a page up when a process of it dies: from then on the main process looks and types. */
const inWindow = (app: ElectronApplication) => ({
  frames: (): Promise<{ url: string; pid: number }[]> =>
    app.evaluate(({ BrowserWindow }) => {
      const main = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
      return (main?.frames ?? []).flatMap((frame) => {
        try {
          return [{ url: frame.url, pid: frame.osProcessId }];
        } catch {
          return []; // Its process is gone, and the next one not there yet.
        }
      });
    }),
  /** Of the page, or of the control where that is asked for; null while there is nothing to ask. */
  look: (script: string, where: 'page' | 'control' = 'page'): Promise<unknown> =>
    app.evaluate(
      async ({ BrowserWindow }, [text, which]) => {
        const main = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
        const isControl = (one: Electron.WebFrameMain): boolean => {
          try {
            return one.url.startsWith('app-approve://');
          } catch {
            return false; // Its process is gone, and the next one not there yet.
          }
        };
        const frame = which === 'page' ? main : main?.frames.find(isControl);
        // A frame that is being made has nothing to say yet.
        const late = new Promise<null>((done) => setTimeout(done, 1000, null));
        return (await Promise.race([frame?.executeJavaScript(text).catch(() => null), late])) as unknown;
      },
      [script, where] as const,
    ),
  /** To the page alone. */
  typeInPage: (keyCode: string): Promise<void> =>
    app.evaluate(({ BrowserWindow }, key) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      for (const type of ['keyDown', 'char', 'keyUp'] as const) contents?.sendInputEvent({ type, keyCode: key });
    }, keyCode),
  /** As a keyboard does: to the frame that has the focus, whatever process it is in. */
  type: (key: string): Promise<void> =>
    app.evaluate(async ({ BrowserWindow }, letter) => {
      const tools = BrowserWindow.getAllWindows()[0]?.webContents.debugger;
      if (!tools?.isAttached()) tools?.attach('1.3');
      const code = letter.toUpperCase().charCodeAt(0);
      const named = { key: letter, code: `Key${letter.toUpperCase()}`, windowsVirtualKeyCode: code };
      await tools?.sendCommand('Input.dispatchKeyEvent', { type: 'keyDown', text: letter, ...named });
      await tools?.sendCommand('Input.dispatchKeyEvent', { type: 'keyUp', ...named });
    }, key),
});

test('the approve control’s process dies: its frame is made anew, asks by itself, and a person confirms as before', async ({
  launch,
  folders,
}) => {
  test.setTimeout(120_000);
  writeSettings(folders, { tools: TOOLS, undoSeconds: 600 });
  const { page, app } = await launch();
  publish(folders, 'a.json', klieoRecord({ calls: [{ id: 'c', name: 'send_email', args: '{"to":"a@b.c"}' }] }));
  await select(page, 'send_email');
  await ready(page);
  const { frames, look, type, typeInPage } = inWindow(app);
  const pidOfControl = async (): Promise<number> =>
    (await frames()).find(({ url }) => url.startsWith('app-approve'))?.pid ?? 0;
  const of = (testId: string, name: string): string =>
    `document.querySelector('[data-testid="${testId}"]')?.dataset.${name}`;
  const asks = async (pid: number): Promise<void> => {
    await expect.poll(pidOfControl, { timeout: 30_000 }).not.toBe(pid);
    await expect.poll(() => look(of('control', 'ready'), 'control'), { timeout: 30_000 }).toBe('true');
  };
  await expect.poll(pidOfControl).toBeGreaterThan(0);
  const first = await pidOfControl();
  process.kill(first, 'SIGKILL');
  await expect.poll(() => look(of('decision-bar', 'ready'))).toBe('true');
  await typeInPage('a');
  await asks(first);
  // Once more, while it asks.
  const second = await pidOfControl();
  process.kill(second, 'SIGKILL');
  await asks(second);
  expect(await look(of('card', 'status'))).toBe('waiting');
  await type('a');
  await expect.poll(() => look(of('card', 'status'))).toBe('decided');
  expect(await look(of('approve-frame', 'proposed'))).toBe('false');
});
