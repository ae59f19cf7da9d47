import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useUi } from '../../renderer/app/ui-store.js';
import { dayOf, nextDayOf, startOf } from '../../renderer/history/days.js';
import { accepted, refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openPage, type Page } from './page.js';
import { makeEvent } from './samples.js';

// A whole page on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

const EVENTS = [
  makeEvent('completed', 'Done.', { at: '2026-07-21T09:00:00Z' }),
  makeEvent('decided', 'call 1: rejected (no)', {
    by: 'Grace',
    at: '2026-07-20T09:00:00Z',
    facts: { verdicts: [{ verdict: 'reject' }], tools: ['delete_file'] },
  }),
  makeEvent('decided', 'call 1: approved', {
    by: 'Ada',
    at: '2026-07-19T09:00:00Z',
    facts: { verdicts: [{ verdict: 'approve' }], tools: ['send_email'] },
  }),
];

let bridge: FakeBridge;
let page: Page;
beforeEach(async () => {
  bridge = createFakeBridge();
  bridge.answer('history:list', () => accepted(EVENTS));
  page = await openPage(bridge);
  useUi.setState({ page: 'history' });
  await waitFor(() => expect(lines()).toHaveLength(3));
});

const lines = (): string[] =>
  within(screen.getByTestId('history'))
    .queryAllByRole('article')
    .map((line) => line.textContent ?? '');
const choose = (label: string, value: string) => page.user.selectOptions(screen.getByLabelText(label), value);

describe('history filters', () => {
  it.each([
    ['Who', 'Grace', 'rejected (no)'],
    ['Verdict', 'approve', 'approved'],
    ['Tool', 'delete_file', 'rejected (no)'],
    ['Ending', 'completed', 'Done.'],
  ])('%s', async (label, value, expected) => {
    await choose(label, value);
    expect(lines()).toEqual([expect.stringContaining(expected)]);
    expect(screen.getByText('1 of 3 events')).toBeDefined();
    await page.user.click(screen.getByRole('button', { name: 'Clear' }));
    expect(lines()).toHaveLength(3);
  });

  it('days are those of the reviewer’s own calendar, first and last included', async () => {
    const day = dayOf('2026-07-20T09:00:00Z');
    await page.user.type(screen.getByLabelText('From'), day);
    expect(lines()).toHaveLength(2);
    await page.user.type(screen.getByLabelText('To'), day);
    expect(lines()).toEqual([expect.stringContaining('rejected (no)')]);
    expect((screen.getByLabelText('To') as HTMLInputElement).value).toBe(day);
  });

  it('a day goes through an instant and back', () => {
    for (const day of ['2026-03-29', '2026-10-25', '2026-12-31', '2024-02-29']) {
      expect(dayOf(startOf(day))).toBe(day);
      expect(dayOf(nextDayOf(day), -1)).toBe(day);
    }
    expect([startOf(''), startOf('2026-1'), dayOf(undefined)]).toEqual([undefined, undefined, '']);
  });
});

describe('history export', () => {
  it('sends the filters on screen and says how many events were written', async () => {
    await choose('Who', 'Grace');
    await page.user.type(screen.getByPlaceholderText('Search history'), 'reject');
    await choose('Format', 'csv');
    await page.user.click(screen.getByRole('button', { name: 'Export…' }));
    expect(bridge.argsOf('history:export')).toEqual([[{ by: 'Grace', search: 'reject' }, 'csv']]);
    expect(await screen.findByText('7 events exported.')).toBeDefined();
  });

  it('a cancelled one says nothing, a failed one says why', async () => {
    bridge.answer('history:export', () => accepted(null));
    await page.user.click(screen.getByRole('button', { name: 'Export…' }));
    expect(screen.queryByText(/exported\./)).toBeNull();
    bridge.answer('history:export', () => refused('fault', 'The disk is full.'));
    await page.user.click(screen.getByRole('button', { name: 'Export…' }));
    expect(await screen.findByText('The disk is full.')).toBeDefined();
  });
});
