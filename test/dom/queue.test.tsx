import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { matches, NO_FILTER } from '../../renderer/queue/filter.js';
import { compareRows } from '../../renderer/queue/order.js';
import { build, nextOpen, update } from '../../renderer/queue/stable-list.js';
import { countViews, isInView } from '../../renderer/queue/views.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, rowIds, rowOf, select, submitted } from './page.js';
import { makeCall, makeDetail, makeRow } from './samples.js';

const NOW = Date.parse('2026-03-02T10:00:00Z');
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();

describe('order and views', () => {
  it('unknown outcomes first, then by risk, time left and age', () => {
    const rows = [
      makeRow('reads', { effect: 'read_only', expiresAt: at(1) }),
      makeRow('late', { expiresAt: at(90) }),
      makeRow('soon', { expiresAt: at(10) }),
      makeRow('wipes', { effect: 'destructive', expiresAt: at(500) }),
      makeRow('may-have-run', { status: 'unknown_outcome', effect: 'read_only' }),
      makeRow('old', { createdAt: at(-900) }),
      makeRow('new', { createdAt: at(-9) }),
    ];
    expect(rows.sort(compareRows).map((row) => row.id)).toEqual([
      'may-have-run',
      'wipes',
      'soon',
      'late',
      'old',
      'new',
      'reads',
    ]);
  });

  it('one predicate fills count and list; a snoozed row needs nobody until it wakes', () => {
    const snoozed = makeRow('s', { snoozedUntil: at(5), needsPerson: false });
    const rows = [makeRow('a'), snoozed, makeRow('b', { status: 'unreadable', needsPerson: false })];
    expect(countViews(rows, NOW)).toMatchObject({ needs_me: 1, snoozed: 1, unreadable: 1, decided: 0 });
    expect(isInView(snoozed, 'needs_me', NOW + 6 * 60_000)).toBe(true);
  });

  it('every status has a place', () => {
    const seen = ['waiting', 'held', 'not_continued', 'unknown_outcome', 'decided', 'resuming', 'handed_over'] as const;
    const over = ['finished', 'failed', 'expired', 'withdrawn', 'superseded', 'unreadable'] as const;
    for (const status of [...seen, ...over]) {
      const counts = countViews([makeRow('x', { status })], NOW);
      expect(Object.values(counts).some((count) => count > 0)).toBe(true);
    }
  });

  it('C59: search finds a name with and without its hidden characters', () => {
    const row = makeRow('x', { preview: '{"to":"Vendor\u200b 1\u2060"}' });
    expect(matches(row, { ...NO_FILTER, search: 'vendor 1' }, NOW)).toBe(true);
    expect(matches(row, { ...NO_FILTER, search: 'Vendor\u200b' }, NOW)).toBe(true);
    expect(matches(row, { ...NO_FILTER, search: 'vendor zwei' }, NOW)).toBe(false);
  });

  it('filters by class, source and time left', () => {
    const row = makeRow('x', { effect: 'destructive', source: 'ops', expiresAt: at(30) });
    expect(matches(row, { ...NO_FILTER, effect: 'destructive', source: 'ops', expiresToday: true }, NOW)).toBe(true);
    expect(matches(row, { ...NO_FILTER, effect: 'changes' }, NOW)).toBe(false);
    expect(matches({ ...row, expiresAt: null }, { ...NO_FILTER, expiresToday: true }, NOW)).toBe(false);
  });
});

describe('the list does not move under the hand', () => {
  const all = () => true;
  const a = makeRow('a', { createdAt: at(-10) });
  const b = makeRow('b', { createdAt: at(-5) });
  const urgent = makeRow('urgent', { effect: 'destructive' });

  it('an arrival waits, a change updates in place, a row that left stays where it was', () => {
    const list = build([a, b], (row) => row.needsPerson);
    const decided = { ...a, status: 'decided' as const, needsPerson: false };
    const after = update(list, [urgent, decided, b], (row) => row.needsPerson);
    expect(after.shown.map((row) => [row.id, row.status])).toEqual([
      ['a', 'decided'],
      ['b', 'waiting'],
    ]);
    expect(after.fresh).toEqual(['urgent']);
    expect(build([urgent, decided, b], (row) => row.needsPerson).shown.map((row) => row.id)).toEqual(['urgent', 'b']);
  });

  it('a row that is gone from the store keeps its place, as it was last', () => {
    expect(update(build([a, b], all), [b], all).shown.map((row) => row.id)).toEqual(['a', 'b']);
  });

  it('the next open row wraps round and never is the same one', () => {
    const decided = { ...b, needsPerson: false };
    expect(nextOpen(build([a, decided], all), 'b')?.id).toBe('a');
    expect(nextOpen(build([a], all), 'a')).toBeNull();
  });
});

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
