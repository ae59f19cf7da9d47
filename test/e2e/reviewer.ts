import type { Frame, Locator, Page } from 'playwright/test';
import { expect } from './fixture.js';

/** What a reviewer does at the keyboard, and where to look afterwards. Nothing here waits by a fixed time. */

export const rows = (page: Page): Locator => page.getByTestId('row');
export const selected = (page: Page): Locator => page.locator('[data-testid="row"][aria-selected="true"]');
export const card = (page: Page): Locator => page.getByTestId('card');
export const bar = (page: Page): Locator => page.getByTestId('decision-bar');
export const toasts = (page: Page): Locator => page.getByTestId('toast');

/** Goes to a place of the left column with the keyboard, as after a few Tabs. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.getByRole('navigation').getByRole('button', { name: place }).focus();
  await page.keyboard.press('Enter');
}

/** Waits for a row that says `words`, shows what is new, and moves the selection to it with J. */
export async function select(page: Page, words: string | RegExp): Promise<void> {
  const wanted = rows(page).filter({ hasText: words });
  await expect(async () => {
    const fresh = page.locator('.new-items');
    if ((await fresh.count()) > 0) await page.keyboard.press('.');
    await expect(wanted.first()).toBeVisible({ timeout: 300 });
  }).toPass({ timeout: 15_000 });
  await leaveFields(page);
  await page.keyboard.press('g');
  await page.keyboard.press('g');
  const at = Number(await wanted.first().getAttribute('aria-posinset')) - 1;
  for (let i = 0; i < at; i++) await page.keyboard.press('j');
  await expect(selected(page)).toContainText(words);
  const id = await selected(page).getAttribute('data-item-id');
  await expect(card(page)).toHaveAttribute('data-item-id', id ?? '');
}

/** A text field keeps the keys to itself: Escape goes back to the list. */
async function leaveFields(page: Page): Promise<void> {
  const inField = await page.evaluate(() => document.activeElement?.matches('input, textarea, select') ?? false);
  if (inField) await page.keyboard.press('Escape');
}

/** The approve control: a frame of another origin, in a process of its own. */
export const control = (page: Page): Locator =>
  page.frameLocator('[data-testid="approve-frame"]').getByTestId('control');
export const confirmButton = (page: Page): Locator => control(page).getByTestId('approve-confirm');

/** Something is proposed to the approve control, and it is on screen. */
const proposed = (page: Page): Promise<void> =>
  expect(page.getByTestId('approve-frame')).toHaveAttribute('data-proposed', 'true');

/** The approve control has nothing to ask: it takes no room, and the keyboard is the page's. */
export const notProposed = (page: Page): Promise<void> =>
  expect(page.getByTestId('approve-frame')).toHaveAttribute('data-proposed', 'false');

/** Decision keys are dead for a moment after anything changed: waits until the bar says that they are alive. */
export const ready = (page: Page): Promise<void> => expect(bar(page)).toHaveAttribute('data-ready', 'true');

/** The same for the approve control, which also waits until it is seen and has the keyboard. */
export async function controlReady(page: Page): Promise<void> {
  await proposed(page);
  await expect(control(page)).toHaveAttribute('data-ready', 'true');
}

export const inMode = (page: Page, mode: string): Promise<void> => expect(bar(page)).toHaveAttribute('data-mode', mode);

/** Approve may be offered: everything was read, nothing stands against it. */
export async function mayApprove(page: Page): Promise<void> {
  await expect(page.getByTestId('approve')).toBeVisible();
  await expect(page.getByTestId('approve-off')).toHaveCount(0);
  await ready(page);
}

/** Scrolls to the end of the arguments, as somebody who reads them does. */
export const readToEnd = (page: Page): Promise<void> => page.locator('.args > .reach-end').scrollIntoViewIfNeeded();

/** A: the first half of an approval. The keyboard is in the approve control afterwards. */
export async function arm(page: Page): Promise<void> {
  await mayApprove(page);
  await page.keyboard.press('a');
  await inMode(page, 'armed');
}

/** A, then A again. */
export async function approve(page: Page): Promise<void> {
  await arm(page);
  await confirmInControl(page);
}

/** A in the approve control, once it answers. A list that is longer than the control is read to its end first. */
export async function confirmInControl(page: Page): Promise<void> {
  await proposed(page);
  await expect(async () => {
    if ((await control(page).getAttribute('data-ready')) !== 'true') await page.keyboard.press('PageDown');
    await expect(control(page)).toHaveAttribute('data-ready', 'true', { timeout: 700 });
  }).toPass({ timeout: 15_000 });
  await page.keyboard.press('a');
  await notProposed(page);
}

/** Presses the button on the card that lets a run go on, and confirms in the approve control. */
export async function continueRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).focus();
  await page.keyboard.press('Enter');
  await confirmInControl(page);
}

/** R, the reason, Ctrl+Enter. */
export async function reject(page: Page, reason: string): Promise<void> {
  await ready(page);
  await page.keyboard.press('r');
  await expect(page.getByTestId('reject-reason')).toBeFocused();
  await page.keyboard.type(reason);
  await ready(page);
  await page.keyboard.press('Control+Enter');
}

/** E, the whole text anew, Ctrl+Enter. Keeping the edit decides nothing. */
export async function edit(page: Page, text: string): Promise<void> {
  await ready(page);
  await page.keyboard.press('e');
  await expect(page.getByTestId('edit-text')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

export async function keepEdit(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await inMode(page, 'idle');
}

/** In a batch of harmless calls: marks the call in front as approved; nothing is sent yet. */
export async function markApproved(page: Page, call: number): Promise<void> {
  await mayApprove(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toContainText(new RegExp(`\\b${call} approved`));
}

/** ]: the next call of the batch. */
export async function nextCall(page: Page): Promise<void> {
  await page.keyboard.press(']');
}

/** Ctrl+Enter: the whole batch as one act; where it releases a call the approve control lists it and confirms. */
export async function submit(page: Page): Promise<void> {
  await expect(page.getByTestId('submit')).not.toHaveAttribute('aria-disabled', 'true');
  await ready(page);
  await page.keyboard.press('Control+Enter');
  // A batch that releases nothing goes at once.
  await expect(
    page.locator('[data-testid="approve-frame"][data-proposed="true"], [data-testid="decision"]'),
  ).toBeVisible();
  if ((await page.getByTestId('approve-frame').getAttribute('data-proposed')) === 'true') await confirmInControl(page);
}

export const hasStatus = (page: Page, status: string, timeout = 15_000): Promise<void> =>
  expect(card(page)).toHaveAttribute('data-status', status, { timeout });

/** Asks the main process over the window's own bridge, as the page does; for looking, where the window has no words. */
export function ask(page: Page, channel: string, ...args: unknown[]): Promise<unknown> {
  return page.evaluate(
    ([name, given]) =>
      (
        window as unknown as { holdpoint: { invoke(channel: string, ...args: unknown[]): Promise<unknown> } }
      ).holdpoint.invoke(name, ...given),
    [channel, args] as const,
  );
}

/** The frame that the approve control is in. */
export function controlFrame(page: Page): Frame {
  const frame = page.frames().find((one) => one.url().startsWith('app-approve://'));
  if (!frame) throw new Error('the approve control is not there');
  return frame;
}

/** Asks the main process as the approve control does. */
export function askAsControl(page: Page, channel: string, ...args: unknown[]): Promise<unknown> {
  return controlFrame(page).evaluate(
    ([name, given]) =>
      (
        window as unknown as { holdpointApprove: { invoke(channel: string, ...args: unknown[]): Promise<unknown> } }
      ).holdpointApprove.invoke(name, ...given),
    [channel, args] as const,
  );
}

interface Shown {
  value: { offered: { offer: string; seal: string } | null };
}

/** Proposes by the page's bridge and confirms by the control's, without either window: what main says of it. */
export async function releaseRaw(page: Page, proposal: unknown): Promise<unknown> {
  let outcome: unknown;
  const settled = ask(page, 'approve:offer', proposal).then((reply) => {
    outcome = reply;
  });
  await expect(async () => {
    const { offered } = ((await askAsControl(page, 'approve:view')) as Shown).value;
    if (outcome === undefined && offered === null) throw new Error('not proposed yet');
    if (offered) await askAsControl(page, 'approve:confirm', offered.offer, offered.seal, 1);
  }).toPass();
  await settled;
  return outcome;
}

/** The history of the whole store, oldest first. */
export async function historyOf(page: Page): Promise<{ kind: string; by: string | null; text: string }[]> {
  const reply = (await ask(page, 'history:list')) as { value: { kind: string; by: string | null; text: string }[] };
  return reply.value.toReversed();
}

export const kinds = async (page: Page): Promise<string[]> => (await historyOf(page)).map((event) => event.kind);

/** Says by keyboard what is true of the unknown call in front, with the result where there is one. */
export async function settle(page: Page, how: 'It ran' | 'It did not run' | 'Give up', result = ''): Promise<void> {
  await page.getByTestId('reconcile').getByRole('button', { name: how, exact: true }).focus();
  await page.keyboard.press('Enter');
  if (result !== '') {
    await page.getByTestId('reconcile-result').focus();
    await page.keyboard.type(result);
  }
  const confirm = page.getByTestId('reconcile-confirm');
  await confirm.focus();
  // Dead for a moment: pressed until it counts. A second press finds nothing to settle.
  await expect(async () => {
    if (await confirm.isVisible()) await page.keyboard.press('Enter');
    await expect(confirm).toHaveCount(0, { timeout: 500 });
  }).toPass();
}
