import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { useBulk } from '../../renderer/bulk/bulk-store.js';
import { refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openCard, openPage, type Page, pass, proposals, rowOf, select, submitted } from './page.js';
import { makeCall, makeDetail } from './samples.js';

let bridge: FakeBridge;
let page: Page;
const search = (id: string, n: number) =>
  makeDetail(id, [makeCall(`{"query":"deposit ${n}"}`, { name: 'search', effect: 'read_only' })]);

beforeEach(async () => {
  bridge = createFakeBridge(
    [
      search('one', 1),
      search('two', 2),
      search('three', 3),
      makeDetail('mail', [makeCall('{"to":"a@example.com"}')]),
      makeDetail('gone', [makeCall('{"path":"/srv"}', { name: 'delete_file', effect: 'destructive' })]),
    ],
    { undoSeconds: 60 },
  );
  page = await openPage(bridge);
});

const press = async (keys: string): Promise<void> => {
  await page.user.keyboard(keys);
  await act(async () => undefined);
};
const marked = (): string[] => [...useBulk.getState().marks.keys()].sort();
const said = () => screen.getByTestId('announcer').textContent;
const settle = async (): Promise<void> => {
  await act(async () => undefined);
  pass(400);
};

describe('marking', () => {
  it('X marks and unmarks the run in front, says so, and the selection stays', async () => {
    await openCard(page, 'one');
    await press('x');
    await waitFor(() => expect(marked()).toEqual(['one']));
    expect(rowOf('one').getAttribute('aria-checked')).toBe('true');
    expect(rowOf('two').getAttribute('aria-checked')).toBe('false');
    expect(rowOf('one').getAttribute('aria-selected')).toBe('true');
    expect(said()).toContain('1 run marked');
    // The card stays to be read; the bar is about the marked ones.
    expect(screen.getByTestId('card').dataset['itemId']).toBe('one');
    expect(screen.getByTestId('bulk-bar')).toBeTruthy();
    expect(screen.queryByTestId('decision-bar')).toBeNull();
    await press('x');
    await waitFor(() => expect(marked()).toEqual([]));
    expect(screen.getByTestId('decision-bar')).toBeTruthy();
  });

  it('Shift+X takes all of the same tool and class; Shift+J and Shift+Down extend; Escape takes all marks away', async () => {
    await openCard(page, 'one');
    await press('X');
    await waitFor(() => expect(marked()).toEqual(['one', 'three', 'two']));
    await press('{Escape}');
    expect(marked()).toEqual([]);
    expect(said()).toContain('Nothing is marked');
    await select(page, 'gone');
    await press('J');
    await waitFor(() => expect(marked()).toHaveLength(2));
    act(() => screen.getByTestId('queue').focus());
    fireEvent.keyDown(screen.getByTestId('queue'), { key: 'ArrowDown', shiftKey: true });
    await waitFor(() => expect(marked()).toHaveLength(3));
  });

  it('with the pointer: Ctrl and a click marks one, Shift and a click all up to it; the selection stays', async () => {
    await select(page, 'gone');
    fireEvent.click(rowOf('two'), { ctrlKey: true });
    await waitFor(() => expect(marked()).toEqual(['two']));
    expect(rowOf('gone').getAttribute('aria-selected')).toBe('true');
    fireEvent.click(rowOf('two'), { ctrlKey: true });
    await waitFor(() => expect(marked()).toEqual([]));
    fireEvent.click(rowOf('one'), { shiftKey: true });
    await waitFor(() => expect(marked().length).toBeGreaterThan(1));
    expect(marked()).toContain('gone');
    expect(marked()).toContain('one');
  });
});

describe('approving together', () => {
  it('H20 the approve key is dead for 350 ms after a mark, and then proposes exactly the marked ones, never the card', async () => {
    await openCard(page, 'one');
    await press('X');
    await waitFor(() => expect(marked()).toHaveLength(3));
    await press('a');
    expect(proposals(bridge)).toEqual([]);
    await settle();
    await press('a');
    await waitFor(() => expect(proposals(bridge)).toHaveLength(1));
    expect(proposals(bridge)[0]).toMatchObject({ act: 'decide_many' });
    const { submissions } = proposals(bridge)[0] as { submissions: { id: string }[] };
    expect(submissions.map(({ id }) => id).sort()).toEqual(['one', 'three', 'two']);
    expect(screen.getByTestId('bulk-panel').dataset['phase']).toBe('approving');
    // In the page nothing confirms.
    await settle();
    for (const key of ['a', '{Enter}', '{Control>}{Enter}{/Control}']) await press(key);
    expect(submitted(bridge)).toEqual([]);
    await act(() => bridge.confirm());
    await waitFor(() => expect(screen.getByTestId('bulk-panel').dataset['phase']).toBe('told'));
    const told = within(screen.getByTestId('bulk-told')).getAllByRole('listitem');
    expect(told.map((one) => one.dataset['taken'])).toEqual(['true', 'true', 'true']);
    expect(marked()).toEqual([]);
    expect(screen.getByTestId('undo-bar').textContent).toContain('search × 3 approved');
    expect(rowOf('one').getAttribute('aria-selected')).toBe('true');
  });

  it('Escape from the list goes back with the marks; j moves and decides nothing', async () => {
    await openCard(page, 'one');
    await press('X');
    await settle();
    await press('a');
    await waitFor(() => expect(bridge.proposed).not.toBeNull());
    await press('{Escape}');
    expect(bridge.proposed).toBeNull();
    expect(marked()).toHaveLength(3);
    expect(screen.getByTestId('card').dataset['itemId']).toBe('one');
    await settle();
    await press('a');
    await waitFor(() => expect(bridge.proposed).not.toBeNull());
    await act(async () => bridge.leave('down'));
    await waitFor(() => expect(screen.queryByTestId('bulk-panel')).toBeNull());
    expect(submitted(bridge)).toEqual([]);
  });

  it('the dangerous class is never approved together, and says why; it may be rejected', async () => {
    await openCard(page, 'gone');
    await press('x');
    await settle();
    expect(screen.getByTestId('bulk-off').textContent).toContain('dangerous class');
    await press('a');
    await settle();
    expect(proposals(bridge)).toEqual([]);
    await press('r');
    await waitFor(() => expect(screen.getByTestId('bulk-list').textContent).toContain('/srv'));
  });

  it('several tools: one at a time, of the run in front; the others stay marked', async () => {
    await openCard(page, 'mail');
    await press('x');
    await select(page, 'one');
    await press('X');
    await waitFor(() => expect(marked()).toHaveLength(4));
    expect(within(screen.getByTestId('bulk-bar')).getAllByRole('button', { pressed: true })[0]?.textContent).toContain(
      'search',
    );
    await settle();
    await press('a');
    await waitFor(() => expect(bridge.proposed).not.toBeNull());
    await act(() => bridge.confirm());
    await waitFor(() => expect(marked()).toEqual(['mail']));
  });

  it('what is refused is told by itself, and stays marked', async () => {
    await openCard(page, 'one');
    await press('X');
    await settle();
    bridge.answer('decide:submit-many', async (submissions) => {
      const told = [];
      for (const one of submissions)
        told.push({
          id: one.id,
          answer:
            one.id === 'two'
              ? refused('already_decided', 'Grace decided it.')
              : await bridge.invoke('decide:submit', one),
        });
      return { ok: true, value: { batchId: 'b', told } };
    });
    await press('a');
    await waitFor(() => expect(bridge.proposed).not.toBeNull());
    await act(() => bridge.confirm());
    await waitFor(() => expect(screen.getByTestId('bulk-told').textContent).toContain('Grace decided it.'));
    expect(marked()).toEqual(['two']);
  });
});

describe('rejecting together, and taking back', () => {
  async function rejectAll(): Promise<void> {
    await openCard(page, 'one');
    await press('X');
    await settle();
    await press('r');
    const field = await screen.findByTestId('bulk-reason');
    expect(document.activeElement).toBe(field);
    await page.user.type(field, 'Not needed.');
    await settle();
    await press('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bridge.argsOf('decide:submit-many')).toHaveLength(1));
  }

  it('one reason, exactly those in the list', async () => {
    await rejectAll();
    const [[given]] = bridge.argsOf('decide:submit-many') as [[{ id: string; verdicts: object[] }[]]];
    expect(given.map(({ id }) => id).sort()).toEqual(['one', 'three', 'two']);
    for (const { verdicts } of given) expect(verdicts).toMatchObject([{ verdict: 'reject', reason: 'Not needed.' }]);
  });

  it('U takes the whole act back; one can be taken back alone', async () => {
    await rejectAll();
    const told = await screen.findByTestId('bulk-told');
    await page.user.click(within(told).getAllByRole('button', { name: 'Take this one back' })[0] as HTMLElement);
    await waitFor(() => expect(bridge.argsOf('decide:undo')).toHaveLength(1));
    await press('u');
    await waitFor(() => expect(bridge.argsOf('decide:undo-many')).toHaveLength(1));
    expect([...bridge.runs.values()].every(({ row }) => row.status === 'waiting')).toBe(true);
  });
});
