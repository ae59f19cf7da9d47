import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openPage, type Page } from './page.js';
import { makeCall, makeDetail } from './samples.js';

let bridge: FakeBridge;
let page: Page;

beforeEach(async () => {
  bridge = createFakeBridge([makeDetail('x', [makeCall('{}')])], {
    servers: [{ kind: 'stdio', name: 'fs', command: '/bin/fs', args: [], env: {}, timeoutSeconds: 60 }],
    tools: [
      { source: '*', server: '*', tool: 'send_*', effect: 'destructive', repeatable: false, noReview: false },
      { source: '*', server: 'fs', tool: 'known', effect: 'read_only', repeatable: false, noReview: false },
    ],
  });
  bridge.answer('server:tools', () => ({
    ok: true,
    value: [
      { name: 'known', description: '', claims: {} },
      { name: 'send_mail', description: 'Harmless!\u202e', claims: { readOnly: true } },
      { name: 'wipe', description: '', claims: { destructive: true } },
    ],
  }));
  bridge.answer('tools:counts', () => ({
    ok: true,
    value: [{ source: 'inbox', tool: 'send_mail', approved: 12, edited: 1, rejected: 2, failed: 3 }],
  }));
  page = await openPage(bridge);
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
});

describe('tools of a server for the table', () => {
  const open = async () => {
    await page.user.click(await screen.findByRole('button', { name: 'Import tools of fs' }));
    return screen.findAllByTestId('import-tool');
  };

  it('shows the claims as the server’s words, conflicts with rows, and ticks nothing', async () => {
    const [known, send, wipe] = (await open()) as [HTMLElement, HTMLElement, HTMLElement];
    for (const box of screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^(known|send_mail|wipe)$/ }))
      expect(box.checked).toBe(false);
    expect(known.textContent).toContain('In the table already, as row 2: Read-only.');
    expect(within(known).getByRole<HTMLInputElement>('checkbox').disabled).toBe(true);
    expect(send.textContent).toContain('Row 1 (send_*: Destructive) counts for it now.');
    expect(send.textContent).toContain('In its own words:');
    expect(send.querySelector('.mark')).toBeTruthy();
    expect(send.textContent).toContain('not relied on');
    expect([...within(wipe).getByRole<HTMLSelectElement>('combobox').options].map(({ value }) => value)).toEqual([
      'destructive',
    ]);
    expect((screen.getByTestId('import-add') as HTMLButtonElement).disabled).toBe(true);
  });

  it('adds what was ticked, where it counts, and saves nothing by itself', async () => {
    await open();
    await page.user.click(screen.getByRole('checkbox', { name: 'send_mail' }));
    await page.user.click(screen.getByRole('checkbox', { name: 'wipe' }));
    await page.user.click(screen.getByTestId('import-add'));
    expect(bridge.argsOf('settings:set')).toEqual([]);
    const form = screen.getByRole('form', { name: 'Tool table' });
    await page.user.click(within(form).getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(bridge.argsOf('settings:set')).toHaveLength(1));
    const [[saved]] = bridge.argsOf('settings:set') as [[{ tools: { tool: string; effect: string }[] }]];
    expect(saved.tools.map(({ tool, effect }) => [tool, effect])).toEqual([
      ['send_mail', 'changes'],
      ['send_*', 'destructive'],
      ['known', 'read_only'],
      ['wipe', 'destructive'],
    ]);
  });

  it('counts from the history stand beside each row, for a period', async () => {
    const [first, second] = await screen.findAllByTestId('row-counts');
    expect(first?.textContent).toBe('Approved 12, with edits 1, rejected 2; failed 3.');
    expect(second?.textContent).toBe('Approved 0, with edits 0, rejected 0; failed 0.');
    await page.user.selectOptions(screen.getByLabelText('Counts of the last'), '7');
    await waitFor(() => expect(bridge.argsOf('tools:counts')).toEqual([[30], [7]]));
  });
});
