import type { Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, type Folders, type Launched, type LaunchOptions, test } from './fixture.js';
import {
  arm,
  bar,
  card,
  confirmButton,
  confirmInControl,
  control,
  controlFrame,
  controlReady,
  hasStatus,
  kinds,
  mayApprove,
  notProposed,
  ready,
  select,
} from './reviewer.js';

/** One run that nothing continues, proposed to the approve control, which answers. */
async function armed(
  launch: (options?: LaunchOptions) => Promise<Launched>,
  folders: Folders,
  settings: object = {},
): Promise<Launched> {
  writeSettings(folders, { tools: [{ tool: 'delete_file', effect: 'destructive', repeatable: false }], ...settings });
  const launched = await launch();
  publish(folders, 'first.json', caseFile('C97'));
  await select(launched.page, 'send_email');
  await arm(launched.page);
  await controlReady(launched.page);
  return launched;
}

const decisions = async (page: Page): Promise<number> =>
  (await kinds(page)).filter((kind) => kind === 'decided').length;

/** Undecided still; and then one deliberate press is exactly one decision. */
async function undecidedThenOnce(page: Page): Promise<void> {
  await hasStatus(page, 'waiting');
  expect(await decisions(page)).toBe(0);
  await confirmInControl(page);
  await hasStatus(page, 'decided');
  expect(await decisions(page)).toBe(1);
}

/** When the control last became deaf, and whether it is: looked at in its own process, without a pause between. */
const deafFor = (page: Page): Promise<string | null> =>
  controlFrame(page).evaluate(
    () => document.querySelector('[data-testid="control"]')?.getAttribute('data-ready') ?? null,
  );

test('the keyboard is in the control, and no button has it', async ({ launch, folders }) => {
  const { page } = await armed(launch, folders);
  await expect(control(page)).toBeFocused();
  await expect(page.getByTestId('approve-frame')).toBeFocused();
  await expect(control(page)).toHaveAttribute('aria-label', /send send_email.*A or Enter confirms, Escape goes back/);
  await undecidedThenOnce(page);
});

for (const key of ['Enter', 'Control+Enter'])
  test(`${key} confirms too, and the keyboard is on the card afterwards`, async ({ launch, folders }) => {
    const { page } = await armed(launch, folders, { selectNextAfterDecision: false });
    await page.keyboard.press(key);
    await hasStatus(page, 'decided');
    await notProposed(page);
    await expect(card(page)).toBeFocused();
    expect(await decisions(page)).toBe(1);
  });

test('Escape goes back to the card and decides nothing', async ({ launch, folders }) => {
  const { page } = await armed(launch, folders);
  await page.keyboard.press('Escape');
  await notProposed(page);
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await expect(card(page)).toBeFocused();
  await arm(page);
  await undecidedThenOnce(page);
});

test('a real held key: its repeats arrive in the control and confirm nothing', async ({ launch, folders }) => {
  const { page } = await armed(launch, folders);
  await page.keyboard.down('a');
  // The first press of all was let go; this one counts, so another run is held from its very arming on.
  await hasStatus(page, 'decided');
  await page.keyboard.up('a');
  publish(folders, 'arrives.json', caseFile('C97', 'arrives.json'));
  await select(page, 'delete_file');
  await mayApprove(page);
  await page.keyboard.down('a');
  await controlReady(page);
  for (let i = 0; i < 20; i++) await page.keyboard.down('a');
  expect(await deafFor(page)).toBe('false');
  await controlReady(page);
  await page.keyboard.down('a');
  await hasStatus(page, 'waiting');
  await page.keyboard.up('a');
  expect(await decisions(page)).toBe(1);
});

test('keys typed for something else confirm nothing, whatever letters they are', async ({ launch, folders }) => {
  const { page } = await armed(launch, folders);
  await page.keyboard.type('xaxaxaxa rm -rf data/a');
  await page.keyboard.press('Space');
  await hasStatus(page, 'waiting');
  await undecidedThenOnce(page);
});

test('H20 dead after it got the keyboard again, and while the window has none', async ({ launch, folders }) => {
  const { page, app } = await armed(launch, folders);
  const focus = (yes: boolean): Promise<void> =>
    app.evaluate(({ BrowserWindow }, on) => {
      const [window] = BrowserWindow.getAllWindows();
      if (on) window?.focus();
      else window?.blur();
    }, yes);
  await focus(false);
  await expect(control(page)).toHaveAttribute('data-ready', 'false');
  await page.keyboard.press('a');
  await focus(true);
  await controlReady(page);
  // Away and back within the page: from the moment it has the keyboard again it is deaf for a moment.
  await page.evaluate(() => document.getElementById('card')?.focus());
  await expect(control(page)).toHaveAttribute('data-ready', 'false');
  await page.evaluate(() => document.getElementById('approve-control')?.focus());
  await page.keyboard.press('a');
  await hasStatus(page, 'waiting');
  await undecidedThenOnce(page);
});

test('a click that brings the keyboard is only that; a double click is one confirmation at most', async ({
  launch,
  folders,
}) => {
  const { page } = await armed(launch, folders, { selectNextAfterDecision: false });
  await page.evaluate(() => document.getElementById('card')?.focus());
  await expect(control(page)).toHaveAttribute('data-ready', 'false');
  await confirmButton(page).click();
  await hasStatus(page, 'waiting');
  expect(await decisions(page)).toBe(0);
  await controlReady(page);
  await confirmButton(page).dblclick();
  await hasStatus(page, 'decided');
  expect(await decisions(page)).toBe(1);
});

test('keys that move go back to the card and move there', async ({ launch, folders }) => {
  const { page } = await armed(launch, folders);
  publish(folders, 'arrives.json', caseFile('C97', 'arrives.json'));
  await expect(page.locator('.new-items')).toContainText('1 new');
  // What arrives takes nothing away from under the hand.
  await controlReady(page);
  await page.keyboard.press('Escape');
  await notProposed(page);
  await page.keyboard.press('.');
  await select(page, 'send_email');
  await arm(page);
  await controlReady(page);
  await page.keyboard.press('k');
  await notProposed(page);
  await expect(card(page)).not.toContainText('send_email');
  expect(await decisions(page)).toBe(0);
});

test('the destructive class has its own layout, and its confirmation is not where the first button was', async ({
  launch,
  folders,
}) => {
  writeSettings(folders, { tools: [{ tool: 'delete_file', effect: 'destructive', repeatable: false }] });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C97', 'arrives.json'));
  await select(page, 'delete_file');
  await mayApprove(page);
  const first = await page.getByTestId('approve').boundingBox();
  await page.keyboard.press('a');
  await controlReady(page);
  await expect(control(page)).toContainText('This destroys or overwrites');
  const second = await confirmButton(page).boundingBox();
  if (!first || !second) throw new Error('both buttons have a place');
  const apart = second.x + second.width <= first.x || first.x + first.width <= second.x;
  expect(apart).toBe(true);
  await page.keyboard.press('Escape');
  await ready(page);
});
