import type { Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, type Folders, type Launched, type LaunchOptions, test } from './fixture.js';
import {
  approve,
  arm,
  ask,
  bar,
  card,
  controlReady,
  hasStatus,
  kinds,
  mayApprove,
  ready,
  rows,
  select,
  selected,
} from './reviewer.js';

/** C97's first run is in the list and in front; nothing continues it, so a decision would be seen. */
async function firstRun(
  launch: (options?: LaunchOptions) => Promise<Launched>,
  folders: Folders,
): Promise<{ page: Page; id: string }> {
  writeSettings(folders, { tools: [{ tool: 'delete_file', effect: 'destructive', repeatable: false }] });
  const { page } = await launch();
  publish(folders, 'first.json', caseFile('C97'));
  await select(page, 'send_email');
  await mayApprove(page);
  return { page, id: (await selected(page).getAttribute('data-item-id')) ?? '' };
}

const arrive = (folders: Folders): void => publish(folders, 'arrives.json', caseFile('C97', 'arrives.json'));
const announced = (page: Page) => expect(page.locator('.new-items')).toContainText('1 new');

/** Undecided still; and then one deliberate approval is exactly one decision. */
async function decidedByNobodyYet(page: Page): Promise<void> {
  await hasStatus(page, 'waiting');
  expect(await kinds(page)).not.toContain('decided');
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await approve(page);
  await hasStatus(page, 'decided');
  expect((await kinds(page)).filter((kind) => kind === 'decided')).toHaveLength(1);
}

test('C97 typing in the search while a run arrives: the keys go to the box, focus and selection stay', async ({
  launch,
  folders,
}) => {
  const { page, id } = await firstRun(launch, folders);
  await page.keyboard.press('/');
  const search = page.getByRole('searchbox');
  await expect(search).toBeFocused();
  await page.keyboard.type('email');
  arrive(folders);
  // Counted among those that need a person, though the search hides it.
  await expect(page.getByRole('navigation').getByRole('button', { name: 'Needs me' })).toContainText('2');
  await expect(search).toBeFocused();
  await page.keyboard.type(' a 1 2 ');
  await expect(search).toHaveValue('email a 1 2 ');
  await expect(search).toBeFocused();
  await expect(card(page)).toHaveAttribute('data-item-id', id);
  // Enter leaves the box for the list, and opens nothing else; Space does nothing there.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(card(page)).toHaveAttribute('data-item-id', id);
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await decidedByNobodyYet(page);
});

test('C97 typing a reason while a run arrives: the keys go to the box, focus and selection stay', async ({
  launch,
  folders,
}) => {
  const { page, id } = await firstRun(launch, folders);
  await page.keyboard.press('r');
  const reason = page.getByTestId('reject-reason');
  await expect(reason).toBeFocused();
  await page.keyboard.type('rm 1 ');
  arrive(folders);
  await announced(page);
  await expect(reason).toBeFocused();
  await page.keyboard.type('2 a ');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(reason).toHaveValue('rm 1 2 a \n ');
  await expect(reason).toBeFocused();
  await expect(selected(page)).toHaveAttribute('data-item-id', id);
  await expect(card(page)).toHaveAttribute('data-item-id', id);
  await expect(bar(page)).toHaveAttribute('data-mode', 'rejecting');
  await decidedByNobodyYet(page);
});

test('C97 rows do not shift under the pointer, and the new one announces itself', async ({ launch, folders }) => {
  const { page, id } = await firstRun(launch, folders);
  await rows(page).first().hover();
  arrive(folders);
  await announced(page);
  // It would stand first by risk; it waits to be asked for.
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toHaveAttribute('data-item-id', id);
  await page.keyboard.press('.');
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText('delete_file');
  await expect(selected(page)).toHaveAttribute('data-item-id', id);
  await decidedByNobodyYet(page);
});

test('C97 a click just after the list moved by itself is ignored', async ({ launch, folders }) => {
  const { page, id } = await firstRun(launch, folders);
  // In the page itself, so that the click comes with the change and not some time after it.
  const clicked = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const list = document.querySelector('[data-testid="queue"]');
        if (!list) throw new Error('no list');
        const observer = new MutationObserver(() => {
          const first = list.querySelector<HTMLElement>('[data-testid="row"]');
          if (!first?.textContent?.includes('delete_file')) return;
          observer.disconnect();
          first.click();
          resolve(first.dataset['itemId'] ?? '');
        });
        observer.observe(list, { childList: true, subtree: true, characterData: true });
      }),
  );
  arrive(folders);
  expect(await clicked).not.toBe(id);
  await expect(rows(page)).toHaveCount(2);
  await expect(selected(page)).toHaveAttribute('data-item-id', id);
  await expect(card(page)).toHaveAttribute('data-item-id', id);
});

test('C97 no single plain key approves or rejects', async ({ launch, folders }) => {
  const { page, id } = await firstRun(launch, folders);
  for (const key of [
    ...'abcdefghijklmnopqrstuvwxyz0123456789.,-?',
    'Enter',
    'Space',
    'Delete',
    'F1',
    'Control+Enter',
  ]) {
    await page.keyboard.press(key);
    // Out of whatever it opened, without deciding.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape');
    await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
    await expect(card(page), key).toHaveAttribute('data-status', 'waiting');
    await ready(page);
  }
  await expect(card(page)).toHaveAttribute('data-item-id', id);
  await decidedByNobodyYet(page);
});

test('C97 decision keys are dead for a moment after another card came up, and alive after it', async ({
  launch,
  folders,
}) => {
  const { page } = await firstRun(launch, folders);
  arrive(folders);
  await announced(page);
  await page.keyboard.press('.');
  await expect(rows(page)).toHaveCount(2);
  /** Moves to the other run, and presses A so long after its card came up. */
  const pressAfter = (pause: number): Promise<string> =>
    page.evaluate(async (after) => {
      const press = (key: string) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      const shown = () => document.querySelector('[data-testid="card"]')?.getAttribute('data-item-id');
      const at = () => document.querySelector('[data-testid="decision-bar"]')?.getAttribute('data-mode') ?? '';
      (document.activeElement as HTMLElement | null)?.blur();
      const before = shown();
      const rowOf = document.querySelector('[data-testid="row"][aria-selected="true"]');
      const changed = new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (shown() === before || at() === '') return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      });
      press(rowOf?.getAttribute('aria-posinset') === '1' ? 'j' : 'k');
      await changed;
      // What Approve needs is on screen well before the grace time is over.
      await new Promise((resolve) => setTimeout(resolve, after));
      press('a');
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return at();
    }, pause);
  expect(await pressAfter(0)).toBe('idle');
  expect(await pressAfter(150)).toBe('idle');
  expect(await pressAfter(600)).toBe('armed');
});

test('C97 any change of what is shown takes the arming away', async ({ launch, folders }) => {
  const { page } = await firstRun(launch, folders);
  await arm(page);
  const { value: settings } = (await ask(page, 'settings:get')) as {
    value: Record<string, unknown> & { tools: object[] };
  };
  // A graver class, and nothing that was there goes: the system has nothing to ask.
  const row = {
    source: '*',
    server: '*',
    tool: 'send_email',
    effect: 'destructive',
    repeatable: false,
    noReview: false,
  };
  const stored = await ask(page, 'settings:set', { ...settings, tools: [row, ...settings.tools] });
  expect(stored).toMatchObject({ ok: true });
  await expect(page.getByTestId('verdict')).toContainText('Destructive');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await decidedByNobodyYet(page);
});

test('C97 Enter on a row of the list opens, and never confirms what is armed', async ({ launch, folders }) => {
  const { page } = await firstRun(launch, folders);
  await arm(page);
  await page.getByTestId('queue').focus();
  await expect(page.getByTestId('queue')).toBeFocused();
  await ready(page);
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await expect(card(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await decidedByNobodyYet(page);
});

test('C97 a held key arms at most, however long it is held', async ({ launch, folders }) => {
  const { page } = await firstRun(launch, folders);
  // The second and every later "down" of a key that was not let go is a repeat.
  await page.keyboard.down('a');
  await expect(bar(page)).toHaveAttribute('data-mode', 'armed');
  for (let i = 0; i < 15; i++) {
    await page.keyboard.down('a');
    await controlReady(page);
    await expect(bar(page)).toHaveAttribute('data-mode', 'armed');
  }
  await page.keyboard.up('a');
  await page.keyboard.press('Escape');
  // Enter held on the Approve button, from before it was armed.
  await page.getByTestId('approve').focus();
  await ready(page);
  await page.keyboard.down('Enter');
  for (let i = 0; i < 15; i++) {
    await page.keyboard.down('Enter');
    await controlReady(page);
  }
  await page.keyboard.up('Enter');
  await decidedByNobodyYet(page);
});

test('C97 a double click never approves', async ({ launch, folders }) => {
  const { page } = await firstRun(launch, folders);
  // The first click of all only raises the window; the later ones count.
  for (let time = 0; time < 3; time++) {
    await page.getByTestId('approve').dblclick();
    await expect(bar(page)).toHaveAttribute('data-mode', /idle|armed/);
    await page.keyboard.press('Escape');
    await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
    await ready(page);
  }
  await decidedByNobodyYet(page);
});

test('C97 a click that raises the window is only that', async ({ launch, folders }) => {
  const { page } = await firstRun(launch, folders);
  await page.evaluate(() => window.dispatchEvent(new Event('blur')));
  await page.getByTestId('approve').click();
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await ready(page);
  await page.getByTestId('approve').click();
  await expect(bar(page)).toHaveAttribute('data-mode', 'armed');
  await decidedByNobodyYet(page);
});
