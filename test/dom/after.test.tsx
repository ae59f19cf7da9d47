import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { text as words } from '../../renderer/text.js';
import type { RunDetail } from '../../shared/ipc.js';
import type { CallEntry } from '../../shared/journal.js';
import { refused } from '../../shared/refusal.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, proposals, submitted } from './page.js';
import { type DetailChange, makeCall, makeDecision, makeDetail, makeJournal, sha } from './samples.js';

const ARGS = '{"to":"Vendor 1","amount":100.00}';
const pay = (change: DetailChange): RunDetail => makeDetail('pay', [makeCall(ARGS, { name: 'send_payment' })], change);
const entry = (change: Partial<CallEntry>): CallEntry => ({
  index: 0,
  name: 'send_payment',
  id: 'call-0',
  state: 'done',
  argumentsSha256: sha(ARGS),
  edited: false,
  reconciled: [],
  ...change,
});

async function show(detail: RunDetail, place: RegExp): Promise<{ page: Page; bridge: FakeBridge }> {
  const bridge = createFakeBridge([detail]);
  const page = await openPage(bridge);
  await page.user.click(within(screen.getByRole('navigation')).getByRole('button', { name: place }));
  await openCard(page, 'pay');
  return { page, bridge };
}

describe('undo', () => {
  it('counts down, and U takes the decision back', async () => {
    const bridge = createFakeBridge([pay({})]);
    const page = await openPage(bridge);
    await openCard(page, 'pay');
    await page.user.keyboard('a');
    await confirmInControl(page);
    expect(await screen.findByTestId('undo')).toBeTruthy();
    await page.user.keyboard('u');
    await waitFor(() => expect(bridge.argsOf('decide:undo')).toEqual([['pay']]));
    await waitFor(() => expect(screen.getByTestId('card').dataset['status']).toBe('waiting'));
    expect(screen.queryByTestId('undo')).toBeNull();
  });

  it('too late says what happened', async () => {
    const bridge = createFakeBridge([pay({})]);
    bridge.answer('decide:undo', () =>
      refused('too_late', 'Too late: claimed at 14:02 by Holdpoint. send_payment: done.'),
    );
    const page = await openPage(bridge);
    await openCard(page, 'pay');
    await page.user.keyboard('a');
    await confirmInControl(page);
    await page.user.click(await screen.findByTestId('undo'));
    expect(await screen.findByText(/Too late: claimed at 14:02/)).toBeTruthy();
  });
});

describe('a run that did not go on', () => {
  const calls = (...states: CallEntry['state'][]): RunDetail => {
    const detail = pay({ row: { status: 'not_continued' } });
    const entries = states.map((state, index) => entry({ index, id: `call-${index}`, state }));
    detail.journal = makeJournal(detail, entries, {
      continuation: { state: 'not_continued', cause: 'stopped', text: 'Stopped.', at: '2026-03-02T09:00:00Z' },
    });
    return detail;
  };
  const status = () => within(screen.getByRole('region', { name: words.outcome.title })).getByText(/^Not continued:/);

  it('H7: says that its calls are settled only where each of them is', async () => {
    await show(calls('done', 'failed', 'rejected', 'answered'), /^Needs me/);
    expect(status().textContent).toBe('Not continued: the calls are settled, the model has not been asked');
  });

  it.each(['not_started', 'started', 'unknown'] as const)(
    'H7: with a call that is %s it says no such thing',
    async (open) => {
      await show(calls('done', open), /^Needs me/);
      expect(status().textContent).toBe('Not continued: the model has not been asked');
      expect(screen.getByTestId('card').textContent).not.toMatch(/calls are settled/);
    },
  );

  it('H7: without a journal nothing is known to be settled', async () => {
    await show(pay({ row: { status: 'not_continued' } }), /^Needs me/);
    expect(status().textContent).toBe('Not continued: the model has not been asked');
  });
});

describe('a decided run', () => {
  it('C35: says "recorded, not executed", why, and since when; it can be continued or taken back', async () => {
    const detail = pay({
      row: { status: 'decided', needsPerson: false },
      waiting: {
        code: 'model_unreachable',
        text: 'The model “local” does not answer.',
        since: new Date().toISOString(),
      },
    });
    detail.decision = makeDecision(detail, [{ index: 0, argumentsSha256: sha(ARGS), verdict: 'approve' }]);
    const { page, bridge } = await show(detail, /^Decided/);
    expect(screen.getByTestId('waiting-note').textContent).toMatch(
      /Recorded, not executed\. The model “local” does not answer\. for \d s/,
    );
    expect(screen.queryByTestId('decision-bar')).toBeNull();
    await page.user.click(screen.getByRole('button', { name: 'Continue' }));
    expect(proposals(bridge)).toEqual([{ act: 'continue', id: 'pay' }]);
    expect(document.activeElement).toBe(screen.getByTestId('approve-frame'));
  });
});

describe('what happened', () => {
  it('the journal is live: a call that starts, ends, and its result', async () => {
    const detail = pay({ row: { status: 'resuming', needsPerson: false }, running: true });
    const { bridge } = await show(
      { ...detail, journal: makeJournal(detail, [entry({ state: 'started' })]) },
      /^Running/,
    );
    expect(screen.getByTestId('journal').textContent).toContain('Started');
    const done = makeJournal(detail, [entry({ state: 'done', result: 'paid 2512292042121000001' })]);
    await act(async () => bridge.put({ ...detail, journal: done }));
    await waitFor(() => expect(screen.getByTestId('journal').textContent).toContain('paid 2512292042121000001'));
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
  });

  it('C27: the four endings never share a word', () => {
    const endings = [
      words.journal.state('rejected', 'rejected_by_person'),
      words.outcome.status.expired,
      words.outcome.status.withdrawn,
      words.outcome.status.superseded,
    ];
    expect(endings[0]).toMatch(/Rejected by a person/);
    for (const other of endings.slice(1)) expect(other).not.toMatch(/[Rr]ejected by a person/);
    expect(new Set(endings).size).toBe(4);
  });

  it('C25, C40: a rejection and a missing tool never look done', async () => {
    const detail = pay({ row: { status: 'finished', needsPerson: false } });
    const journal = makeJournal(
      detail,
      [
        entry({ state: 'rejected', cause: 'rejected_by_person', result: 'Not executed.' }),
        entry({ index: 1, name: 'legacy_export', state: 'failed', cause: 'tool_not_available' }),
      ],
      { continuation: { state: 'completed', answer: 'Nothing was sent.', steps: 3, at: new Date().toISOString() } },
    );
    await show({ ...detail, journal, finalAnswer: 'Nothing was sent.' }, /^Finished/);
    const lines = within(screen.getByTestId('journal')).getAllByRole('listitem');
    expect(lines[0]?.textContent).toContain('Rejected by a person, not executed');
    expect(lines[1]?.textContent).toContain('Not executed: tool not available');
    expect(screen.getByTestId('final-answer').textContent).toContain('Nothing was sent.');
  });
});

describe('reconcile', () => {
  const unknown = (): RunDetail => {
    const detail = pay({ row: { status: 'unknown_outcome' } });
    const calls = [entry({ state: 'unknown', startedAt: '2026-03-02T09:00:00Z', cause: 'timeout' })];
    return { ...detail, journal: makeJournal(detail, calls) };
  };

  it('I8: shows the evidence and three actions; no action happens by itself', async () => {
    const { bridge } = await show(unknown(), /^Unknown outcome/);
    const panel = screen.getByTestId('reconcile');
    expect(panel.textContent).toContain('no answer in time');
    expect(panel.textContent).toContain('100.00');
    expect(within(panel).getByRole('button', { name: 'It ran' })).toBeTruthy();
    expect(within(panel).getByRole('button', { name: 'It did not run' })).toBeTruthy();
    expect(within(panel).getByRole('button', { name: 'Give up' })).toBeTruthy();
    expect(within(panel).queryByRole('button', { name: /Dispatch again/ })).toBeNull();
    expect(bridge.argsOf('resume:reconcile')).toEqual([]);
  });

  it('it ran: with its result and a note, confirmed', async () => {
    const { page, bridge } = await show(unknown(), /^Unknown outcome/);
    await page.user.click(screen.getByRole('button', { name: 'It ran' }));
    expect(screen.getByTestId('reconcile-confirm').getAttribute('aria-disabled')).toBe('true');
    fireEvent.change(screen.getByTestId('reconcile-result'), { target: { value: 'paid' } });
    fireEvent.change(screen.getByLabelText(/Note/), { target: { value: 'seen in the bank' } });
    await page.user.click(screen.getByTestId('reconcile-confirm'));
    await waitFor(() =>
      expect(bridge.argsOf('resume:reconcile')).toEqual([
        ['pay', 0, { how: 'it_ran', result: 'paid', note: 'seen in the bank' }],
      ]),
    );
  });

  it('H4: a record that came latched has no journal of ours; its calls are unknown', async () => {
    await show(pay({ row: { status: 'unknown_outcome' }, fileState: 'latched' }), /^Unknown outcome/);
    expect(screen.getByTestId('reconcile').textContent).toContain('already latched when it came');
  });

  it('K13: dispatch again is offered only when the table says repeatable, and takes two acts', async () => {
    const detail = unknown();
    const repeatable = detail.calls.map((call) => ({ ...call, facts: { ...call.facts, repeatable: true } }));
    const { page, bridge } = await show({ ...detail, calls: repeatable }, /^Unknown outcome/);
    await page.user.click(screen.getByRole('button', { name: 'Dispatch again…' }));
    expect(proposals(bridge)).toEqual([{ act: 'redispatch', id: 'pay' }]);
    await confirmInControl(page);
    await waitFor(() => expect(bridge.proposed).toBeNull());
    expect(screen.getByTestId('approve-frame').dataset['proposed']).toBe('false');
  });
});

describe('I5: an unreadable record', () => {
  it('shows reason, place, size and bytes, offers a copy, and no decision', async () => {
    const refusal = {
      code: 'duplicate_key',
      path: 'a.b',
      offset: 214,
      line: 9,
      column: 7,
      text: 'duplicate key "amount"',
    };
    const detail = makeDetail('pay', [], { binding: null, refusal, row: { status: 'unreadable', needsPerson: false } });
    const { page, bridge } = await show(detail, /^Unreadable/);
    const panel = screen.getByTestId('unreadable');
    expect(panel.textContent).toContain('line 9, column 7, byte 214');
    expect(within(panel).getByTestId('raw')).toBeTruthy();
    expect(screen.queryByTestId('decision-bar')).toBeNull();
    await page.user.keyboard('aa{Enter}');
    expect(submitted(bridge)).toEqual([]);
    await page.user.click(screen.getByRole('button', { name: 'Save the bytes…' }));
    expect(bridge.argsOf('run:export')).toEqual([['pay']]);
  });
});

describe('a superseded run', () => {
  it('C38: shows what is different in the record that took its place, and the way there', async () => {
    const old = pay({ row: { status: 'superseded', needsPerson: false, runId: 'R', seq: 1 } });
    const now = makeDetail('now', [makeCall(ARGS.replace('100.00', '100000'), { name: 'send_payment' })], {
      row: { runId: 'R', seq: 2 },
    });
    const bridge = createFakeBridge([old, now]);
    const page = await openPage(bridge);
    await page.user.click(within(screen.getByRole('navigation')).getByRole('button', { name: /^Finished/ }));
    await openCard(page, 'pay');
    const notice = await screen.findByRole('region', { name: 'Another record took its place' });
    await waitFor(() => expect(notice.querySelector('.diff .del')?.textContent).toContain('100.00'));
    expect(notice.querySelector('.diff .add')?.textContent).toContain('100000');
    await page.user.click(within(notice).getByRole('button', { name: 'Go to the newer one' }));
    await waitFor(() => expect(screen.getByTestId('card').dataset['itemId']).toBe('now'));
  });
});

describe('a stop without calls', () => {
  it('K2: the verdict is on the step', async () => {
    const bridge = createFakeBridge([makeDetail('pay', [], { hasCallList: false })]);
    const page = await openPage(bridge);
    await openCard(page, 'pay');
    await page.user.keyboard('r');
    pass(400);
    await page.user.type(screen.getByTestId('reject-reason'), 'Not today');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [], step: { verdict: 'reject', reason: 'Not today' } });
  });

  it('C30: calls deep in the history without an answer need the reviewer’s consent', async () => {
    const unanswered = [{ message: 3, id: 'c-1', name: 'get_status' }];
    const bridge = createFakeBridge([pay({ unanswered })]);
    const page = await openPage(bridge);
    await openCard(page, 'pay');
    expect(screen.getByTestId('approve').getAttribute('aria-disabled')).toBe('true');
    await page.user.click(screen.getByRole('checkbox', { name: /get_status/ }));
    await openCard(page, 'pay');
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ repair: true });
  });
});
