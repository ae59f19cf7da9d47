import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { arm, confirm } from '../../renderer/decision/actions.js';
import { useDecision } from '../../renderer/decision/decision-store.js';
import { refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import {
  confirmInControl,
  openCard,
  openPage,
  type Page,
  pass,
  proposals,
  rowOf,
  scrollTo,
  select,
  submitted,
} from './page.js';
import { makeCall, makeDetail, sha } from './samples.js';

const MAIL = '{"to":"ops@example.com","subject":"Report"}';
const WIPE = '{"path":"/srv/data","recursive":true}';
let bridge: FakeBridge;
let page: Page;

beforeEach(async () => {
  bridge = createFakeBridge([
    makeDetail('mail', [makeCall(MAIL)]),
    makeDetail('wipe', [makeCall(WIPE, { name: 'delete_file', effect: 'destructive' })]),
    makeDetail('look', [makeCall('{"query":"x"}', { name: 'search_kb', effect: 'read_only' })]),
  ]);
  page = await openPage(bridge);
});

const bar = () => screen.getByTestId('decision-bar');

describe('approve by keyboard', () => {
  it('A proposes, and only the approve control confirms: one submission, bound to what is on screen', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    expect(submitted(bridge)).toEqual([]);
    expect(bar().dataset['mode']).toBe('armed');
    // The page has given the keyboard away, and cannot confirm.
    expect(document.activeElement).toBe(screen.getByTestId('approve-frame'));
    await page.user.keyboard('a{Enter}');
    expect(submitted(bridge)).toEqual([]);
    expect(proposals(bridge)).toHaveLength(1);
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toEqual({
      id: 'mail',
      binding: { revision: 1, resumeStep: 2, digest: sha('record mail') },
      verdicts: [{ index: 0, argumentsSha256: sha(MAIL), verdict: 'approve' }],
    });
  });

  it('I12: main is told that nothing is left to be read', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    expect(proposals(bridge)).toEqual([expect.objectContaining({ act: 'decide', unread: [] })]);
  });

  it('left by Escape: nothing is decided, and the keyboard is on the card again', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await act(async () => bridge.leave());
    expect(bar().dataset['mode']).toBe('idle');
    expect(document.activeElement).toBe(screen.getByTestId('card'));
    expect(submitted(bridge)).toEqual([]);
  });

  it('left by a key that moves: the selection moves', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await act(async () => bridge.leave('down'));
    await waitFor(() => expect(screen.getByTestId('card').dataset['itemId']).not.toBe('mail'));
    expect(bridge.proposed).toBeNull();
  });

  it('what is selected instead takes the proposal back', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await page.user.click(rowOf('look'));
    await waitFor(() => expect(bridge.proposed).toBeNull());
    expect(screen.getByTestId('approve-frame').dataset['proposed']).toBe('false');
  });

  it('C97: no single plain key approves', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await page.user.keyboard('{Escape}');
    await page.user.keyboard('{Enter} 12yY');
    expect(submitted(bridge)).toEqual([]);
    expect(bar().dataset['mode']).toBe('idle');
  });

  it('C97: a key right after the card came up does nothing', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('j');
    await waitFor(() => expect(screen.getByTestId('card').dataset['itemId']).not.toBe('mail'));
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('idle');
    pass(349);
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('idle');
    pass(1);
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('armed');
  });

  it('a held key does not arm and confirm', async () => {
    await openCard(page, 'mail');
    const card = screen.getByTestId('card');
    fireEvent.keyDown(card, { key: 'a' });
    for (let i = 0; i < 5; i++) fireEvent.keyDown(document.activeElement ?? card, { key: 'a', repeat: true });
    expect(bar().dataset['mode']).toBe('armed');
    expect(submitted(bridge)).toEqual([]);
  });

  it('keys of an input method decide nothing', async () => {
    await openCard(page, 'mail');
    fireEvent.keyDown(screen.getByTestId('card'), { key: 'a', isComposing: true });
    expect(bar().dataset['mode']).toBe('idle');
  });

  it('Enter never approves from a list row, even when armed: it opens', async () => {
    await select(page, 'mail');
    act(() => screen.getByTestId('queue').focus());
    pass(400);
    await page.user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByTestId('card'));
    await page.user.keyboard('a');
    act(() => screen.getByTestId('queue').focus());
    pass(400);
    await page.user.keyboard('{Enter}');
    expect(submitted(bridge)).toEqual([]);
    expect(bridge.proposed).toBeNull();
  });

  it('keys go to the text field that has the keyboard', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('/');
    expect(document.activeElement?.id).toBe('search');
    await page.user.keyboard('aa');
    expect(submitted(bridge)).toEqual([]);
    expect((document.activeElement as HTMLInputElement).value).toBe('aa');
  });

  it('single keys can be switched off; the buttons stay', async () => {
    page = await openPage(createFakeBridge([makeDetail('mail', [makeCall(MAIL)])], { singleKeys: false }));
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('idle');
    await page.user.click(screen.getByTestId('approve'));
    expect(bar().dataset['mode']).toBe('armed');
  });
});

describe('approve by mouse', () => {
  it('a double click only proposes, once', async () => {
    await select(page, 'mail');
    await page.user.dblClick(screen.getByTestId('approve'));
    expect(bar().dataset['mode']).toBe('armed');
    expect(submitted(bridge)).toEqual([]);
    expect(proposals(bridge)).toHaveLength(1);
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
  });

  it('the click that raises the window is only that', async () => {
    await select(page, 'mail');
    fireEvent.blur(window);
    fireEvent.focus(window);
    await page.user.click(screen.getByTestId('approve'));
    expect(bar().dataset['mode']).toBe('idle');
    pass(400);
    await page.user.click(screen.getByTestId('approve'));
    expect(bar().dataset['mode']).toBe('armed');
  });

  it('no button has the focus by itself, not even the confirming one', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    expect(document.activeElement?.tagName).not.toBe('BUTTON');
    expect(screen.queryByTestId('approve-confirm')).toBeNull();
  });
});

describe('the destructive class', () => {
  it('is proposed like the others: what the control says of it is not for this page to say', async () => {
    await openCard(page, 'wipe');
    await page.user.keyboard('a');
    await page.user.keyboard('a');
    pass(350);
    await page.user.keyboard('{Enter}');
    expect(submitted(bridge)).toEqual([]);
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
  });
});

describe('what is on screen', () => {
  it('C38: content that changes disarms, shows the difference, and nothing is decided', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    const swapped = makeDetail('mail', [makeCall('{"to":"evil@example.com","subject":"Report"}')], {
      binding: { revision: 2, resumeStep: 2, digest: sha('swapped') },
    });
    await act(async () => bridge.put(swapped));
    await waitFor(() => expect(bar().dataset['mode']).toBe('idle'));
    await waitFor(() => expect(bridge.proposed).toBeNull());
    await page.user.keyboard('{Enter}');
    expect(submitted(bridge)).toEqual([]);
    const notice = await screen.findByRole('alert', { name: 'Changed since you looked' });
    expect(notice.textContent).toContain('ops@example.com');
    expect(notice.textContent).toContain('evil@example.com');
  });

  it('a class, a server or a way that changes is told, old and new, and disarms', async () => {
    await openCard(page, 'mail');
    const mail = '{"to":"ops@example.com","subject":"Report"}';
    await page.user.keyboard('a');
    const before = bridge.runs.get('mail');
    const [call] = before?.calls ?? [];
    if (!before || !call) throw new Error('the mail is there');
    const facts = { ...call.facts, effect: 'destructive', repeatable: true } as const;
    const calls = [{ ...call, facts, server: 'elsewhere' }];
    await act(async () => bridge.put({ ...before, calls, row: { ...before.row, route: 'handed_over' } }));
    const notice = await screen.findByRole('alert', { name: 'Changed since you looked' });
    expect([...notice.querySelectorAll('li')].map((li) => li.textContent?.replace(/[\u2066-\u2069]/g, ''))).toEqual([
      'goes on: Continues here → Handed over to its agent',
      'Call 1: effect class: Changes something → Destructive',
      'Call 1: again: not repeatable → repeatable',
      'Call 1: server: filesystem → elsewhere',
    ]);
    expect(notice.textContent).toContain('not what you read');
    expect(notice.textContent).not.toContain(mail);
    await waitFor(() => expect(bar().dataset['mode']).toBe('idle'));
    expect(submitted(bridge)).toEqual([]);
  });

  it('a server that became known is no change of what was read', async () => {
    await openCard(page, 'mail');
    const before = bridge.runs.get('mail');
    const [call] = before?.calls ?? [];
    if (!before || !call) throw new Error('the mail is there');
    await act(async () => bridge.put({ ...before, calls: [{ ...call, server: null }] }));
    await page.user.click(await screen.findByRole('button', { name: 'I have read it' }));
    await act(async () => bridge.put({ ...before, calls: [{ ...call, server: 'filesystem' }] }));
    await waitFor(() => expect(screen.getByTestId('verdict').textContent).toContain('filesystem'));
    expect(screen.queryByRole('alert', { name: 'Changed since you looked' })).toBeNull();
  });

  it('C38: refused by main as changed: says so, reloads, keeps nothing armed', async () => {
    bridge.answer('decide:submit', () => refused('changed_since_you_looked', 'The record changed since you looked.'));
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await confirmInControl(page);
    expect(await screen.findByText(/The record changed since you looked/)).toBeTruthy();
    expect(bar().dataset['mode']).toBe('idle');
    expect(rowOf('mail').dataset['status']).toBe('waiting');
  });

  it('I4: what main did not take is not shown as saved', async () => {
    bridge.answer('decide:submit', () => refused('store_full', 'The disk is full; nothing was saved.'));
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await confirmInControl(page);
    expect(await screen.findByText(/nothing was saved/)).toBeTruthy();
    expect(screen.queryByTestId('undo-bar')).toBeNull();
    expect(screen.queryByText(/^Recorded/)).toBeNull();
  });

  it('a confirmation counts only for exactly what was armed', async () => {
    await openCard(page, 'mail');
    act(() => {
      useDecision.getState().setMode({ kind: 'armed', base: 'another card', by: 'page' });
      confirm((madeFor) => ({ by: 'key', key: 'a', repeat: false, composing: false, keyboard: 'page', madeFor }));
    });
    expect(submitted(bridge)).toEqual([]);
    expect(bar().dataset['mode']).toBe('idle');
  });

  it('a click whose button was drawn for another content does nothing', async () => {
    await openCard(page, 'mail');
    act(() => arm(() => ({ by: 'click', clicks: 1, madeFor: 'another card' })));
    expect(bar().dataset['mode']).toBe('idle');
    expect(proposals(bridge)).toEqual([]);
  });

  it('a text that does not match its digest can never be approved', async () => {
    bridge.put(makeDetail('mail', [makeCall(MAIL, { change: { argumentsSha256: sha('something else') } })]), true);
    await openCard(page, 'mail');
    expect(screen.getByTestId('approve-off').textContent).toContain('do not match their digest');
    await page.user.keyboard('aa');
    expect(proposals(bridge)).toEqual([]);
  });
});

describe('I12: nothing is approved unread', () => {
  const long = JSON.stringify({ path: 'a.txt', content: 'line\n'.repeat(200) });

  it('C57: a long field folds after the short ones and must be opened and read to its end', async () => {
    bridge.put(makeDetail('long', [makeCall(long)]));
    page = await openPage(bridge, { onScreen: (mark) => mark.closest('.long-text.bounded') === null });
    await openCard(page, 'long');
    expect(screen.getByTestId('approve-off').textContent).toContain('“content”');
    await page.user.click(screen.getByRole('button', { name: /content/ }));
    expect(screen.getByTestId('approve-off').textContent).toContain('“content”');
    await page.user.keyboard('aa');
    expect(proposals(bridge)).toEqual([]);
    scrollTo(() => true);
    await waitFor(() => expect(screen.queryByTestId('approve-off')).toBeNull());
  });

  it('C57: the end of the arguments must have been on screen', async () => {
    page = await openPage(bridge, { onScreen: () => false });
    await openCard(page, 'mail');
    expect(screen.getByTestId('approve').getAttribute('aria-disabled')).toBe('true');
    expect(screen.getByTestId('approve-off').textContent).toContain('Scroll to the end');
    scrollTo(() => true);
    await waitFor(() => expect(screen.getByTestId('approve').getAttribute('aria-disabled')).toBeNull());
  });

  it('C93: arguments that came in part are fetched whole, slice by slice, and checked', async () => {
    const text = JSON.stringify({ note: 'x'.repeat(150_000) });
    bridge.wholeTexts.set('cut/0', text);
    bridge.put(makeDetail('cut', [makeCall(text)]));
    page = await openPage(bridge);
    await openCard(page, 'cut');
    await waitFor(() => expect(screen.getByTestId('arguments').textContent).toContain('· whole'));
    expect(bridge.argsOf('run:argument').map(([, , from]) => from)).toEqual([65_536, 131_072]);
    expect(screen.getByTestId('approve-off').textContent).toContain('“note”');
  });

  it('C93: very long arguments wait for the reviewer, and are not approvable before', async () => {
    const text = JSON.stringify({ note: 'y'.repeat(1_100_000) });
    bridge.wholeTexts.set('giant/0', text);
    bridge.put(makeDetail('giant', [makeCall(text)]));
    page = await openPage(bridge);
    await openCard(page, 'giant');
    expect(bridge.argsOf('run:argument')).toEqual([]);
    expect(screen.getByTestId('approve-off').textContent).toContain('not loaded to their end');
    await page.user.click(screen.getByRole('button', { name: 'Load the whole text' }));
    await waitFor(() => expect(screen.getByTestId('arguments').textContent).toContain('· whole'));
  });

  it('what main blocks is off, with its reason, and can still be rejected', async () => {
    bridge.put(makeDetail('dup', [makeCall(MAIL)], { approveBlocked: ['Duplicate key “to”.'] }));
    page = await openPage(bridge);
    await openCard(page, 'dup');
    expect(screen.getByTestId('approve-off').textContent).toContain('Duplicate key “to”.');
    await page.user.keyboard('a');
    expect(bar().dataset['mode']).toBe('idle');
    expect(screen.getByTestId('announcer').textContent).toContain('Duplicate key “to”.');
    await page.user.keyboard('r');
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ verdict: 'reject' }] });
  });
});
