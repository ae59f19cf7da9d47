import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { accepted } from '../../shared/refusal.js';

const made: { data: unknown }[] = [];
// The page of the tests has no canvas; what is drawn is looked at in the window itself.
vi.mock('uplot', () => ({
  default: class {
    static paths = { bars: () => () => null };
    constructor(_options: unknown, data: unknown) {
      made.push({ data });
    }
    setSize(): void {}
    destroy(): void {}
  },
}));
const { useUi } = await import('../../renderer/app/ui-store.js');
const { bucketNames, byClass, shortDay } = await import('../../renderer/insight/figures.js');
const { createFakeBridge } = await import('./fake-bridge.js');
const { openPage } = await import('./page.js');
const { makeCall, makeDetail } = await import('./samples.js');

beforeEach(() => {
  made.length = 0;
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }));
});

describe('the insight page', () => {
  it('draws each series, and says the same numbers in tables', async () => {
    const bridge = createFakeBridge([makeDetail('a', [makeCall('{}')])]);
    const tool = { effect: 'destructive', approved: 3, edited: 1, rejected: 2, answered: 0, byRule: 4 } as const;
    bridge.answer('insight:read', () =>
      accepted({
        days: [
          { day: '2026-03-01', waiting: 4, decided: 1, decidedByMe: 1, expired: 0 },
          { day: '2026-03-02', waiting: 3, decided: 2, decidedByMe: 0, expired: 5 },
        ],
        toDecision: {
          medianSeconds: 90,
          buckets: [
            { upTo: 60, runs: 1 },
            { upTo: null, runs: 2 },
          ],
        },
        tools: [{ tool: 'wi\u200Bpe', ...tool }],
        expired: [{ tool: 'look', runs: 5 }],
        myPace: { decisions: 12, medianSeconds: 2 },
      }),
    );
    await openPage(bridge);
    act(() => useUi.getState().goTo('insight'));
    const page = within(await screen.findByTestId('insight'));
    await waitFor(() => page.getByText(/within 1 min/));
    expect(made.map(({ data }) => data)).toEqual([
      [
        [0, 1],
        [4, 3],
        [1, 2],
        [1, 0],
        [0, 5],
      ],
      [
        [0, 1],
        [1, 2],
      ],
      [
        [0, 1, 2],
        [0, 0, 6],
      ],
    ]);
    expect(page.getByText('2026-03-02').closest('tr')?.textContent).toBe('2026-03-023205');
    expect(page.getByText(/quicker than a card can be read/)).toBeTruthy();
    const row = page.getAllByRole('row').find((one) => one.textContent?.includes('Destructive'));
    expect(row?.textContent).toMatch(/^wi.*zero width space.*pe/i);
    expect(row?.textContent).toMatch(/31204$/);
    expect(bridge.argsOf('insight:read')).toEqual([[30]]);
  });

  it('names days, buckets and classes', () => {
    expect(shortDay('2026-03-02')).toBe('Mar 2');
    expect(bucketNames([60, 600, null])).toEqual(['up to 1 min', '1 min to 10 min', 'over 10 min']);
    const none = { approved: 1, edited: 1, rejected: 1, answered: 1, byRule: 0 };
    expect(byClass([{ tool: 'a', effect: 'read_only', ...none }]).map(({ all }) => all)).toEqual([4, 0, 0]);
  });
});
