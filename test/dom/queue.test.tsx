import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, rowIds, rowOf, select, submitted } from './page.js';
import { makeCall, makeDetail } from './samples.js';

describe('the list on the page', () => {
  let bridge: FakeBridge;
  let page: Page;
  const mail = makeDetail('mail', [makeCall('{"to":"a@example.com"}')]);
  const arrives = makeDetail('arrives', [makeCall('{"path":"/srv"}', { name: 'delete_file', effect: 'destructive' })]);

  beforeEach(async () => {
    bridge = createFakeBridge([
      mail,
      makeDetail('other', [makeCall('{"q":1}', { name: 'search', effect: 'read_only' })]),
    ]);
    page = await openPage(bridge);
  });

  it('is a listbox whose options say their position and the size of the set', () => {
    const options = within(screen.getByRole('listbox')).getAllByRole('option');
    expect(options.map((o) => [o.getAttribute('aria-posinset'), o.getAttribute('aria-setsize')])).toEqual([
      ['1', '2'],
      ['2', '2'],
    ]);
  });

  it('C97: an arrival while typing moves neither focus nor selection nor rows, and the keys go to the box', async () => {
    await select(page, 'mail');
    await page.user.click(screen.getByRole('searchbox'));
    await page.user.keyboard('e');
    await act(async () => bridge.put(arrives));
    await page.user.keyboard('x');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect((document.activeElement as HTMLInputElement).value).toBe('ex');
    expect(screen.getByTestId('card').dataset['itemId']).toBe('mail');
    expect(submitted(bridge)).toEqual([]);
  });

  it('C97: an arrival announces itself in the heading line, and comes in on demand', async () => {
    await select(page, 'mail');
    const before = rowIds();
    await act(async () => bridge.put(arrives));
    const button = await screen.findByRole('button', { name: /1 new/ });
    expect(rowIds()).toEqual(before);
    expect(button.closest('header')).not.toBeNull();
    await page.user.click(button);
    expect(rowIds()).toEqual(['arrives', ...before]);
    expect(screen.getByTestId('card').dataset['itemId']).toBe('mail');
  });

  it('a decided row keeps its place and says what it is; the selection goes on to the next open one', async () => {
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(screen.getByTestId('card').dataset['itemId']).toBe('other'));
    expect(rowIds()).toEqual(['mail', 'other']);
    expect(rowOf('mail').dataset['status']).toBe('decided');
    expect(document.activeElement).toBe(screen.getByTestId('card'));
  });

  it('builds itself anew only when nobody uses it', async () => {
    await select(page, 'mail');
    act(() => screen.getByTestId('card').focus());
    fireEvent.pointerLeave(screen.getByRole('region', { name: 'Runs: Needs me' }));
    await act(async () => bridge.put(arrives));
    expect(rowIds()).toEqual(['mail', 'other']);
    pass(6_000);
    await act(async () => bridge.emit('runs:changed'));
    await waitFor(() => expect(rowIds()).toEqual(['arrives', 'mail', 'other']));
  });

  it('C97: a click right after the rows moved by themselves is ignored', async () => {
    await select(page, 'mail');
    act(() => screen.getByTestId('card').focus());
    fireEvent.pointerLeave(screen.getByRole('region', { name: 'Runs: Needs me' }));
    pass(6_000);
    await act(async () => bridge.put(arrives));
    await waitFor(() => expect(rowIds()).toHaveLength(3));
    fireEvent.click(rowOf('arrives'));
    expect(rowOf('arrives').getAttribute('aria-selected')).toBe('false');
    pass(400);
    fireEvent.click(rowOf('arrives'));
    expect(rowOf('arrives').getAttribute('aria-selected')).toBe('true');
  });

  it('J, K, G G and G move; N goes to the next open one', async () => {
    await page.user.keyboard('j');
    expect(rowOf('mail').getAttribute('aria-selected')).toBe('true');
    await page.user.keyboard('j');
    expect(rowOf('other').getAttribute('aria-selected')).toBe('true');
    await page.user.keyboard('k');
    expect(rowOf('mail').getAttribute('aria-selected')).toBe('true');
    await page.user.keyboard('G');
    expect(rowOf('other').getAttribute('aria-selected')).toBe('true');
    await page.user.keyboard('gg');
    expect(rowOf('mail').getAttribute('aria-selected')).toBe('true');
    await page.user.keyboard('n');
    expect(rowOf('other').getAttribute('aria-selected')).toBe('true');
    await waitFor(() => expect(screen.getByTestId('card').dataset['itemId']).toBe('other'));
  });

  it('views: an unreadable record is in the list with its reason', async () => {
    const bad = makeDetail('bad', [], {
      binding: null,
      row: { status: 'unreadable', needsPerson: false, calls: 0, tools: [], note: 'duplicate key "amount"' },
    });
    await act(async () => bridge.put(bad));
    await page.user.click(screen.getByRole('button', { name: /^Unreadable/ }));
    expect(rowOf('bad').textContent).toContain('duplicate key "amount"');
  });
});
