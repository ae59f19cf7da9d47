import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { call } from '../../renderer/bridge.js';
import { KEYS } from '../../renderer/keys.js';
import { useQueue } from '../../renderer/queue/queue-store.js';
import { text as words } from '../../renderer/text.js';
import type { HoldpointBridge } from '../../shared/ipc.js';
import { accepted, refused } from '../../shared/refusal.js';
import { createFakeBridge } from './fake-bridge.js';
import { openCard, openPage, type Page, pass, rowIds, select, submitted } from './page.js';
import { makeCall, makeDetail, makeEvent, makeMessage } from './samples.js';

const mail = () => makeDetail('mail', [makeCall('{"to":"ops@example.com"}')]);
const toPage = (page: Page, name: string) =>
  page.user.click(within(screen.getByRole('navigation')).getByRole('button', { name }));

describe('the bridge', () => {
  it('a reply that does not fit the contract becomes a refusal, and so does a lost one', async () => {
    window.holdpoint = {
      invoke: async () => ({ ok: true, value: 7 }),
      on: () => () => undefined,
    } as unknown as HoldpointBridge;
    expect(await call('queue:show', { view: 'needs_me' })).toMatchObject({ ok: false, refusal: { code: 'fault' } });
    window.holdpoint = {
      invoke: async () => {
        throw new Error('gone');
      },
      on: () => () => undefined,
    };
    const reply = await call('app:health');
    expect(!reply.ok && reply.refusal.text).toContain('gone');
  });
});

describe('an empty store', () => {
  it('offers one action, and says where an agent puts its runs', async () => {
    const bridge = createFakeBridge([]);
    bridge.answer('samples:add', () => {
      bridge.put(mail());
      return accepted([{ outcome: 'taken_in' as const, id: 'mail', name: 'one-call.json', text: '' }]);
    });
    const page = await openPage(bridge);
    expect(screen.getByTestId('empty').textContent).toContain('/home/ada/.local/share/holdpoint/inbox/');
    await page.user.click(screen.getByTestId('samples'));
    expect(await screen.findAllByTestId('row')).toHaveLength(1);
    expect(screen.getByTestId('toast').textContent).toContain('one-call.json: Taken in.');
  });
});

describe('dropped files', () => {
  const drop = (data: { files: File[]; items?: unknown[] }) =>
    fireEvent.drop(document, { dataTransfer: { items: [], ...data } });

  it('are read and taken in by their bytes', async () => {
    const bridge = createFakeBridge([mail()]);
    await openPage(bridge);
    drop({ files: [new File(['{"a":1}'], 'run.json')] });
    await waitFor(() => expect(bridge.argsOf('intake:bytes')).toHaveLength(1));
    const [name, bytes] = bridge.argsOf('intake:bytes')[0] as [string, Uint8Array];
    expect([name, new TextDecoder().decode(bytes)]).toEqual(['run.json', '{"a":1}']);
  });

  it('a drop without a file, and a folder, are refused with words', async () => {
    await openPage(createFakeBridge([mail()]));
    drop({ files: [] });
    expect((await screen.findByTestId('toast')).textContent).toContain('holds no file');
    drop({ files: [new File([''], 'runs')], items: [{ webkitGetAsEntry: () => ({ isDirectory: true }) }] });
    expect(await screen.findByText(/runs: This is a folder/)).toBeTruthy();
  });
});

describe('first run', () => {
  it('asks for a name before the first decision; saving it decides nothing', async () => {
    const bridge = createFakeBridge([mail()], { reviewer: '' });
    const page = await openPage(bridge);
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await page.user.type(screen.getByTestId('reviewer-name'), 'Ada{Enter}');
    await waitFor(() => expect(bridge.settings.reviewer).toBe('Ada'));
    await waitFor(() => expect(screen.getByTestId('decision-bar').dataset['mode']).toBe('idle'));
    expect(submitted(bridge)).toEqual([]);
    expect(document.activeElement).toBe(screen.getByTestId('card'));
  });
});

describe('not now', () => {
  it('S opens a menu, in which decision keys are dead; a choice snoozes and decides nothing', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await openCard(page, 'mail');
    await page.user.keyboard('s');
    expect(document.activeElement?.getAttribute('role')).toBe('menuitem');
    pass(400);
    await page.user.keyboard('aar');
    expect(bridge.proposed).toBeNull();
    expect(submitted(bridge)).toEqual([]);
    await page.user.keyboard('{Enter}');
    await waitFor(() => expect(bridge.argsOf('run:snooze')).toHaveLength(1));
    expect(submitted(bridge)).toEqual([]);
  });

  it('a time of one’s own snoozes until then; one that is over, or none, is said to be no time', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await openCard(page, 'mail');
    await page.user.keyboard('s');
    const field = screen.getByLabelText(words.snooze.until);
    fireEvent.change(field, { target: { value: '2001-01-01T09:00' } });
    await page.user.click(screen.getByRole('button', { name: words.snooze.untilThen }));
    expect(screen.getByText(words.snooze.past)).toBeTruthy();
    expect(bridge.argsOf('run:snooze')).toEqual([]);
    fireEvent.change(field, { target: { value: '2999-01-01T09:30' } });
    await page.user.click(screen.getByRole('button', { name: words.snooze.untilThen }));
    const until = new Date(2999, 0, 1, 9, 30).toISOString();
    await waitFor(() => expect(bridge.argsOf('run:snooze')).toEqual([['mail', until]]));
    expect(submitted(bridge)).toEqual([]);
  });

  it('Escape goes back one level at a time, and decides nothing', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await openCard(page, 'mail');
    await page.user.keyboard('a');
    await page.user.keyboard('{Escape}');
    expect(screen.getByTestId('decision-bar').dataset['mode']).toBe('idle');
    expect(document.activeElement).toBe(screen.getByTestId('card'));
    await page.user.keyboard('{Escape}');
    expect(document.activeElement).toBe(screen.getByTestId('queue'));
    expect(submitted(bridge)).toEqual([]);
  });
});

describe('help', () => {
  it('is made from the key table, keeps the keys of the page out, and gives the focus back', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await openCard(page, 'mail');
    await page.user.keyboard('?');
    const dialog = screen.getByRole('dialog', { name: 'Keys' });
    for (const { action } of KEYS) expect(dialog.textContent).toContain(words.help.action[action]);
    pass(400);
    await page.user.keyboard('aa');
    expect(bridge.proposed).toBeNull();
    expect(submitted(bridge)).toEqual([]);
    await page.user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId('card')));
  });
});

describe('held keys', () => {
  it('do once what they do, but for moving through the list', async () => {
    await openPage(createFakeBridge([mail(), makeDetail('b', [makeCall('{}')]), makeDetail('c', [makeCall('{}')])]));
    const press = (key: string, repeat: boolean) => fireEvent.keyDown(document.body, { key, repeat });
    press('i', false);
    press('i', true);
    expect(screen.getByRole('tab', { name: 'Record' }).getAttribute('aria-selected')).toBe('true');
    press('j', false);
    press('j', true);
    press('j', true);
    expect(rowIds().indexOf(useQueue.getState().selected ?? '')).toBe(2);
  });
});

describe('the right pane', () => {
  it('I shows the record, T the conversation, anchored at this step', async () => {
    const detail = makeDetail('mail', [makeCall('{"to":"a"}')], {
      messages: [
        makeMessage(0, 'user', 'go'),
        makeMessage(1, 'assistant', '', { toolCalls: [{ id: 'c', name: 'send_email', arguments: '{}' }] }),
      ],
      history: [makeEvent('taken_in', 'From the inbox.')],
    });
    const page = await openPage(createFakeBridge([detail]));
    await openCard(page, 'mail');
    const conversation = screen.getByTestId('conversation');
    expect(within(conversation).getByText(/this step/)).toBeTruthy();
    expect(conversation.textContent).toContain('may be cut before here');
    await page.user.keyboard('i');
    expect(await screen.findByTestId('raw')).toBeTruthy();
    await page.user.keyboard('t');
    expect(screen.getByTestId('conversation')).toBeTruthy();
    await page.user.click(screen.getByRole('tab', { name: 'History' }));
    expect(screen.getByText('From the inbox.')).toBeTruthy();
  });
});

describe('settings', () => {
  it('are saved whole, and refused with the place of what does not fit', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await toPage(page, 'Settings');
    const form = screen.getByRole('form', { name: 'Tool table' });
    await page.user.click(within(form).getByRole('button', { name: 'Add a tool' }));
    await page.user.click(within(form).getByRole('button', { name: 'Save' }));
    expect(within(form).getByRole('alert').textContent).toContain('tools › no. 1 › tool');
    await page.user.type(within(form).getByLabelText('Tool'), 'delete_*');
    await page.user.selectOptions(within(form).getByLabelText('Effect class'), 'destructive');
    await page.user.click(within(form).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bridge.settings.tools).toEqual([
        { source: '*', server: '*', tool: 'delete_*', effect: 'destructive', repeatable: false, noReview: false },
      ]),
    );
  });

  it('a tool server: arguments over lines, tested once it is saved', async () => {
    const bridge = createFakeBridge([mail()]);
    const page = await openPage(bridge);
    await toPage(page, 'Settings');
    const form = screen.getByRole('form', { name: 'Tool servers' });
    await page.user.click(within(form).getByRole('button', { name: 'Add a command' }));
    await page.user.type(within(form).getByLabelText('Name'), 'files');
    await page.user.type(within(form).getByLabelText('Command'), '/usr/bin/node');
    await page.user.type(within(form).getByLabelText('Arguments'), 'server.js{Enter}/tmp/a b');
    expect((within(form).getByRole('button', { name: 'Test files' }) as HTMLButtonElement).disabled).toBe(true);
    await page.user.click(within(form).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(bridge.settings.servers).toMatchObject([{ name: 'files', args: ['server.js', '/tmp/a b'] }]),
    );
    await page.user.click(within(form).getByRole('button', { name: 'Test files' }));
    expect((await screen.findByTestId('test-result')).textContent).toContain('read_file');
  });

  it('a key is stored and not kept in the page', async () => {
    const bridge = createFakeBridge([mail()], {
      models: [{ kind: 'openai', name: 'local', baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }],
    });
    const page = await openPage(bridge);
    await toPage(page, 'Settings');
    const field = screen.getByLabelText('Key') as HTMLInputElement;
    await page.user.type(field, 'sk-1');
    await page.user.click(screen.getByRole('button', { name: 'Store key' }));
    await waitFor(() => expect(field.value).toBe(''));
    expect(bridge.argsOf('secret:set')).toEqual([['local', 'sk-1']]);
  });

  it('the theme is on the root element', async () => {
    const bridge = createFakeBridge([mail()], { theme: 'dark' });
    await openPage(bridge);
    expect(document.documentElement.dataset['theme']).toBe('dark');
    bridge.settings = { ...bridge.settings, theme: 'system' };
    await act(async () => bridge.emit('settings:changed'));
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBeUndefined());
  });

  it('sweep now shows the last result', async () => {
    const bridge = createFakeBridge([mail()]);
    bridge.answer('gc:sweep', () =>
      accepted({ enabled: true, lastAt: new Date().toISOString(), reaped: 3, kept: 9, text: 'one page', nextAt: null }),
    );
    const page = await openPage(bridge);
    await toPage(page, 'Settings');
    await page.user.click(screen.getByRole('button', { name: 'Sweep now' }));
    await waitFor(() => expect(screen.getByTestId('gc-last').textContent).toContain('3 expired'));
  });
});

describe('history', () => {
  it('shows what happened, newest first, and finds by words', async () => {
    const events = [
      makeEvent('came_second', 'Not taken.', { by: 'Grace' }),
      makeEvent('decided', 'Approved send_email.', { by: 'Ada' }),
    ];
    const bridge = createFakeBridge([mail()]);
    bridge.answer('history:list', () => accepted(events));
    const page = await openPage(bridge);
    await toPage(page, 'History');
    const lines = await screen.findAllByRole('article');
    expect(lines.map((line) => line.textContent)).toEqual([
      expect.stringContaining('came second · Grace'),
      expect.stringContaining('decided · Ada'),
    ]);
    await page.user.type(screen.getByPlaceholderText('Search history'), 'ada');
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('a list that cannot be loaded says so', async () => {
    const bridge = createFakeBridge([mail()]);
    bridge.answer('queue:show', () => refused('store_corrupt', 'The index cannot be read.'));
    await openPage(bridge);
    expect(await screen.findByText('The index cannot be read.')).toBeTruthy();
  });
});

describe('a read-only store', () => {
  it('H16: says so, and approves nothing', async () => {
    const bridge = createFakeBridge([mail()]);
    bridge.health = { ...bridge.health, readOnly: 'This store was copied from another machine.' };
    const page = await openPage(bridge);
    await select(page, 'mail');
    expect(screen.getByTestId('approve-off').textContent).toContain('copied from another machine');
  });

  it('H16: is taken over in the reviewer’s name, by two acts', async () => {
    const bridge = createFakeBridge([mail()]);
    bridge.health = { ...bridge.health, readOnly: 'This store was copied from another machine.' };
    bridge.answer('store:take-over', () => {
      bridge.health = { ...bridge.health, readOnly: null };
      return accepted(null);
    });
    const page = await openPage(bridge);
    await page.user.click(screen.getByRole('button', { name: /Read-only/ }));
    await page.user.click(screen.getByRole('button', { name: 'Take this store over…' }));
    expect(bridge.argsOf('store:take-over')).toEqual([]);
    await page.user.click(screen.getByRole('button', { name: 'Yes, Ada takes it over' }));
    await waitFor(() => expect(screen.queryByText(/copied from another machine/)).toBeNull());
  });
});
