import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useUi } from '../../renderer/app/ui-store.js';
import { useDecision } from '../../renderer/decision/decision-store.js';
import { text as words } from '../../renderer/text.js';
import { createFakeBridge } from './fake-bridge.js';
import { openCard, openPage, pass, submitted } from './page.js';
import { makeCall, makeDetail } from './samples.js';

const one = () => createFakeBridge([makeDetail('a', [makeCall('{"to":"ada@example.com"}')])]);

// The page of the tests has no layout to scroll.
beforeEach(() => {
  Element.prototype.scrollIntoView = vi.fn();
});

const options = () => within(screen.getByRole('dialog')).getAllByRole('option');

describe('the command palette', () => {
  it('opens by its combination, runs what was found, and gives the focus back', async () => {
    const page = await openPage(one());
    await openCard(page, 'a');
    await page.user.keyboard('{Control>}k{/Control}');
    const field = screen.getByTestId('palette');
    expect(document.activeElement).toBe(field);
    await page.user.type(field, 'go to history');
    expect(options().map((option) => option.textContent)).toEqual(['Go to History']);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(useUi.getState().page).toBe('history'));
    expect(screen.queryByTestId('palette')).toBeNull();
  });

  it('moves by the arrows, names the active one for a screen reader, and Escape takes it away', async () => {
    const page = await openPage(one());
    await openCard(page, 'a');
    await page.user.keyboard('{Control>}k{/Control}');
    await page.user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}');
    const chosen = options()[1];
    expect(chosen?.getAttribute('aria-selected')).toBe('true');
    expect(screen.getByTestId('palette').getAttribute('aria-activedescendant')).toBe(chosen?.id);
    await page.user.keyboard('{Escape}');
    expect(screen.queryByTestId('palette')).toBeNull();
    expect(document.activeElement).toBe(screen.getByTestId('card'));
  });

  it('leaves what was armed, opens a form at most, and decides nothing', async () => {
    const page = await openPage(one());
    await openCard(page, 'a');
    await page.user.keyboard('a');
    expect(useDecision.getState().mode.kind).toBe('armed');
    await page.user.keyboard('{Control>}k{/Control}');
    expect(useDecision.getState().mode.kind).toBe('idle');
    pass(400);
    await page.user.type(screen.getByTestId('palette'), 'reject, with');
    pass(400);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(useDecision.getState().mode.kind).toBe('rejecting'));
    expect(submitted(page.bridge)).toEqual([]);
  });

  it('approving by it arms, and nothing more', async () => {
    const page = await openPage(one());
    await openCard(page, 'a');
    await page.user.keyboard('{Control>}k{/Control}');
    pass(400);
    await page.user.type(screen.getByTestId('palette'), 'approve');
    pass(400);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(useDecision.getState().mode.kind).toBe('armed'));
    expect(submitted(page.bridge)).toEqual([]);
  });
});

describe('own keys in the settings', () => {
  async function keysForm() {
    const page = await openPage(one());
    act(() => useUi.getState().goTo('settings'));
    const form = within(await screen.findByRole('form', { name: words.settings.keys.title }));
    const button = (action: keyof typeof words.help.action) =>
      form.getByRole('button', { name: words.settings.keys.changeLabel(words.help.action[action]) });
    return { page, form, button };
  }

  it('are taken from the key pressed, saved, and then answered to', async () => {
    const { page, form, button } = await keysForm();
    await page.user.click(button('help'));
    await page.user.keyboard('h');
    await waitFor(() => expect(form.getByText('H')).toBeTruthy(), { timeout: 3000 });
    await page.user.click(form.getByRole('button', { name: words.settings.save }));
    await waitFor(() => expect(page.bridge.settings.keys).toEqual({ help: ['h'] }));
    act(() => (document.activeElement as HTMLElement).blur());
    await page.user.keyboard('?');
    expect(useUi.getState().help).toBe(false);
    await page.user.keyboard('h');
    expect(useUi.getState().help).toBe(true);
  });

  it('that another action has are refused with its name; Escape leaves it as it was', async () => {
    const { page, form, button } = await keysForm();
    await page.user.click(button('reject'));
    await page.user.keyboard('a');
    await waitFor(() => expect(form.getByText(/A is taken by: Approve/)).toBeTruthy(), { timeout: 3000 });
    await page.user.click(button('reject'));
    await page.user.keyboard('{Escape}');
    expect(form.queryByText(words.settings.keys.press)).toBeNull();
    expect((form.getByRole('button', { name: words.settings.save }) as HTMLButtonElement).disabled).toBe(true);
  });
});
