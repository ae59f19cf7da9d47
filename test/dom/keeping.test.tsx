import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useUi } from '../../renderer/app/ui-store.js';
import type { ImportRow } from '../../shared/import-row.js';
import { accepted, refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openPage, type Page } from './page.js';

// A whole page on a machine that may be busy.
vi.setConfig({ testTimeout: 30_000 });

let bridge: FakeBridge;
let page: Page;
beforeEach(async () => {
  bridge = createFakeBridge();
  page = await openPage(bridge);
  useUi.setState({ page: 'settings' });
  await screen.findByTestId('data-folder');
});

const at = (rows: readonly ImportRow[], n: number): ImportRow => rows[n] ?? row('none', {});
const press = (name: string) => page.user.click(within(document.body).getByRole('button', { name }));
const row = (suspension: string, change: Partial<ImportRow>): ImportRow => ({
  suspension,
  status: 'finished',
  relation: 'absent',
  act: 'add',
  why: 'It is over.',
  mayName: false,
  ...change,
});

describe('moving the data folder', () => {
  it('is chosen, shown, and done only after a second act', async () => {
    await press('Move to another folder…');
    expect(await screen.findByText('Move everything to /home/ada/new?')).toBeDefined();
    expect(bridge.argsOf('folder:move')).toEqual([]);
    const confirm = screen.getByRole('button', { name: 'Move it' });
    expect(document.activeElement).toBe(confirm);
    await page.user.keyboard('{Enter}');
    expect(await screen.findByText('Moved to /home/ada/new: 12 files.')).toBeDefined();
    expect(bridge.argsOf('folder:move')).toEqual([['/home/ada/new']]);
  });

  it('a place where it may not go, and a call on its way, are told; nothing can be confirmed', async () => {
    for (const answer of [
      accepted({ path: '/x', wrong: '/x is not empty.' }),
      refused('not_allowed', 'A call is on its way.'),
    ]) {
      bridge.answer('folder:choose', () => answer);
      await press('Move to another folder…');
      expect(await screen.findByText(answer.ok ? '/x is not empty.' : 'A call is on its way.')).toBeDefined();
      expect(screen.queryByRole('button', { name: 'Move it' })).toBeNull();
    }
    bridge.answer('folder:choose', () => accepted(null));
    await press('Move to another folder…');
    await waitFor(() => expect(screen.queryByText('A call is on its way.')).toBeNull());
  });

  it('can be left, and a move that failed says why', async () => {
    await press('Move to another folder…');
    await screen.findByText('Move everything to /home/ada/new?');
    await press('Cancel');
    expect(screen.queryByRole('button', { name: 'Move it' })).toBeNull();
    bridge.answer('folder:move', () => refused('fault', 'The data folder stays where it is: the disk is full.'));
    await press('Move to another folder…');
    await page.user.click(await screen.findByRole('button', { name: 'Move it' }));
    expect(await screen.findByText(/stays where it is: the disk is full/)).toBeDefined();
  });
});

describe('backup', () => {
  it('of everything, or of the runs that stand so', async () => {
    await press('Back up…');
    expect(await screen.findByText('3 records, 1 large text and 4 other files written.')).toBeDefined();
    await page.user.selectOptions(screen.getByLabelText('Which runs'), 'finished');
    bridge.answer('backup:export', () => accepted({ records: 1, payloads: 0, files: 4, left: ['k/x'] }));
    await press('Back up…');
    expect(await screen.findByText(/1 left out: they cannot be read/)).toBeDefined();
    expect(bridge.argsOf('backup:export')).toEqual([[null], ['finished']]);
  });
});

describe('what is under way', () => {
  it('says how far it is, can be stopped while nothing half would be left, and goes when it is over', async () => {
    let mayStop = true;
    bridge.answer('keep:state', () => accepted({ act: 'move', done: 30, all: 120, mayStop }));
    bridge.emit('keep:changed');
    const shown = await screen.findByTestId('under-way');
    expect(within(shown).getByText('Moving: 25 %')).toBeDefined();
    expect(within(shown).getByRole('progressbar').getAttribute('max')).toBe('120');
    await page.user.click(within(shown).getByRole('button', { name: 'Stop' }));
    expect(bridge.argsOf('keep:stop')).toHaveLength(1);
    mayStop = false;
    bridge.emit('keep:changed');
    expect(await screen.findByText('From here on it runs to its end.')).toBeDefined();
    expect((within(shown).getByRole('button', { name: 'Stop' }) as HTMLButtonElement).disabled).toBe(true);
    bridge.answer('keep:state', () => accepted(null));
    bridge.emit('keep:changed');
    await waitFor(() => expect(screen.queryByTestId('under-way')).toBeNull());
  });

  it('the menu bar begins a backup, and a look into one, from any page', async () => {
    act(() => useUi.setState({ page: 'queue' }));
    act(() => bridge.emit('menu:back-up'));
    expect(await screen.findByText(/4 other files written/)).toBeDefined();
    act(() => useUi.setState({ page: 'queue' }));
    act(() => bridge.emit('menu:bring-in'));
    await waitFor(() => expect(bridge.argsOf('backup:preview')).toHaveLength(1));
    expect(bridge.argsOf('backup:export')).toHaveLength(1);
  });
});

describe('bringing a backup in', () => {
  it('says of settings and files beside the runs what is done with them; settings come only when they are named', async () => {
    const rows = [
      row('settings.json', {
        what: 'settings',
        status: 'unknown',
        relation: 'diverged',
        act: 'stays_out',
        mayName: true,
      }),
      row('inbox/a.json', { what: 'inbox', status: 'unknown', act: 'take_in' }),
    ];
    bridge.answer('backup:preview', () => accepted({ name: 'all.backup', rows }));
    bridge.answer('backup:import', () => accepted([{ ...at(rows, 0), why: 'You declined.' }, at(rows, 1)]));
    await press('Bring in a backup…');
    const dialog = await screen.findByRole('dialog', { name: 'Bring in all.backup' });
    expect(dialog.textContent).toContain('waits in the inbox');
    await page.user.click(within(dialog).getByRole('checkbox'));
    await page.user.click(within(dialog).getByRole('button', { name: 'Bring in 0 runs and 2 files' }));
    expect(bridge.argsOf('backup:import')).toEqual([[['settings.json']]]);
    expect(
      await screen.findByText(/1 file brought in. The settings were left as they are: You declined./),
    ).toBeDefined();
  });

  const ROWS = [
    row('klieo:local:1:a', {}),
    row('klieo:local:1:b', { status: 'decided', act: 'stays_out', why: 'Two stores could fire it twice.' }),
    row('klieo:local:1:c', { relation: 'newer_there', act: 'stays_out', why: 'Unless you name it.', mayName: true }),
  ];
  beforeEach(() => bridge.answer('backup:preview', () => accepted({ name: 'all.backup', rows: ROWS })));

  it('lists first what is done with each run; nothing more is brought in than that and what is named', async () => {
    bridge.answer('backup:import', () => accepted(ROWS));
    await press('Bring in a backup…');
    const dialog = await screen.findByRole('dialog', { name: 'Bring in all.backup' });
    expect(dialog.textContent).toContain('Two stores could fire it twice.');
    expect(within(dialog).getAllByRole('checkbox')).toHaveLength(1);
    expect(bridge.argsOf('backup:import')).toEqual([]);
    await page.user.click(within(dialog).getByRole('checkbox'));
    await page.user.click(within(dialog).getByRole('button', { name: 'Bring in 2 runs' }));
    expect(bridge.argsOf('backup:import')).toEqual([[['klieo:local:1:c']]]);
    expect(await screen.findByText('1 run brought in.')).toBeDefined();
  });

  it('where nothing comes in, nothing can be done; a file that is no backup is told', async () => {
    bridge.answer('backup:preview', () => accepted({ name: 'x', rows: ROWS.slice(1, 2) }));
    await press('Bring in a backup…');
    expect(
      ((await screen.findByRole('button', { name: 'There is nothing to bring in.' })) as HTMLButtonElement).disabled,
    ).toBe(true);
    await press('Close');
    bridge.answer('backup:preview', () => refused('unreadable', 'x is no whole backup: it was cut.'));
    await press('Bring in a backup…');
    expect(await screen.findByText(/it was cut/)).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
