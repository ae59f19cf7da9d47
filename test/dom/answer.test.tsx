import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { text as words } from '../../renderer/text.js';
import type { RunDetail } from '../../shared/ipc.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, submitted } from './page.js';
import { makeCall, makeDecision, makeDetail, makeJournal, sha } from './samples.js';

// Typing key by key, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const SHELL = '{"command":"ls"}';
const SEARCH = '{"query":"competitors"}';
const shell = makeCall(SHELL, { index: 0, name: 'shell_exec' });
const search = makeCall(SEARCH, { index: 1, name: 'external_search', change: { needs: 'result' } });
const alone = { ...search, index: 0 };
const bar = () => screen.getByTestId('decision-bar');

async function show(detail: RunDetail): Promise<{ page: Page; bridge: FakeBridge }> {
  const bridge = createFakeBridge([detail]);
  const page = await openPage(bridge);
  await openCard(page, detail.row.id);
  return { page, bridge };
}

async function next(page: Page): Promise<void> {
  await page.user.keyboard(']');
  pass(400);
}

describe('S12 a call that waits for its result', () => {
  it('cannot be approved or edited; its result is asked for instead, and R stays reject', async () => {
    const { page, bridge } = await show(makeDetail('run', [alone]));
    expect(screen.queryByTestId('approve')).toBeNull();
    expect(screen.queryByTestId('edit')).toBeNull();
    expect(bar().textContent).toContain('no approval runs it');
    expect(screen.getByTestId('answer').textContent).toContain('Give its result');
    await page.user.keyboard('e');
    expect(bar().dataset['mode']).toBe('idle');
    await page.user.keyboard('r');
    pass(400);
    await page.user.type(screen.getByTestId('reject-reason'), 'Not needed');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ verdict: 'reject', reason: 'Not needed' }] });
  });

  it('S9 a question is asked for its answer in its own words, and is answered or not: it does not fail', async () => {
    const question = makeCall('{"questions":[{"question":"Which?"}]}', {
      name: 'ask_user_question',
      change: { needs: 'result', question: true },
    });
    const { page, bridge } = await show(makeDetail('run', [question]));
    expect(bar().textContent).toContain('no approval answers it');
    await page.user.click(screen.getByTestId('answer'));
    pass(400);
    expect(within(bar()).getAllByRole('radio')).toHaveLength(2);
    expect(bar().textContent).not.toContain('made elsewhere');
    await page.user.type(screen.getByTestId('answer-text'), 'The first');
    await page.user.click(screen.getByRole('radio', { name: 'Answered' }));
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)[0]).toMatchObject({
      verdicts: [{ verdict: 'answer', answer: { status: 'completed', text: 'The first' } }],
    });
  });

  it('takes status and text; without a status nothing is sent', async () => {
    const { page, bridge } = await show(makeDetail('run', [alone]));
    await page.user.keyboard('a');
    pass(400);
    await page.user.type(screen.getByTestId('answer-text'), 'three competitors');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([]);
    expect(screen.getByTestId('announcer').textContent).toBe('Say first how it ended.');
    await page.user.click(screen.getByRole('radio', { name: 'Failed' }));
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([
      {
        id: 'run',
        binding: { revision: 1, resumeStep: 2, digest: sha('record run') },
        verdicts: [
          {
            index: 0,
            argumentsSha256: sha(SEARCH),
            verdict: 'answer',
            answer: { status: 'failed', text: 'three competitors' },
          },
        ],
      },
    ]);
    expect((await screen.findByTestId('undo-bar')).textContent).toContain('external_search answered');
  });

  it('C97: the confirming chord is dead in the grace time of the form', async () => {
    const { page, bridge } = await show(makeDetail('run', [alone]));
    await page.user.keyboard('a');
    await page.user.click(screen.getByRole('radio', { name: 'Completed' }));
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([]);
  });

  it('is part of the one atomic submit of its batch', async () => {
    const { page, bridge } = await show(makeDetail('run', [shell, search]));
    await page.user.keyboard('a');
    await next(page);
    await page.user.keyboard('a');
    pass(400);
    await page.user.click(screen.getByRole('radio', { name: 'Completed' }));
    await page.user.type(screen.getByTestId('answer-text'), 'three');
    pass(400);
    await page.user.click(screen.getByTestId('answer-confirm'));
    expect(submitted(bridge)).toEqual([]);
    expect(within(bar()).getByText(/^Call 1/).textContent).toBe('Call 1 approved, 2 answered');
    expect(screen.getByRole('button', { name: 'Call 2, external_search: answered' })).toBeTruthy();
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({
      verdicts: [
        { index: 0, verdict: 'approve' },
        { index: 1, verdict: 'answer', answer: { status: 'completed', text: 'three' } },
      ],
    });
  });

  it('what is typed is kept over Escape and over another call', async () => {
    const { page } = await show(makeDetail('run', [shell, search]));
    await next(page);
    await page.user.keyboard('a');
    await page.user.click(screen.getByRole('radio', { name: 'Cancelled' }));
    await page.user.type(screen.getByTestId('answer-text'), 'nobody wants it');
    await page.user.keyboard('{Escape}[[');
    await next(page);
    expect(within(bar()).getByText(/^Call 1/).textContent).toBe('Call 1 open, 2 open');
    act(() => screen.getByTestId('card').focus());
    pass(400);
    await page.user.keyboard('a');
    expect((screen.getByTestId('answer-text') as HTMLTextAreaElement).value).toBe('nobody wants it');
    expect((screen.getByRole('radio', { name: 'Cancelled' }) as HTMLInputElement).checked).toBe(true);
  });

  it('"approve all" leaves it out', async () => {
    const { page } = await show(makeDetail('run', [shell, search, { ...shell, index: 2 }]));
    await page.user.click(screen.getByTestId('approve-all'));
    expect(screen.getByRole('region', { name: /^Approve \d calls? of this batch$/ }).textContent).not.toContain(
      'external_search',
    );
  });

  it('the result is shown with the decision and in the journal, as given and not as executed', async () => {
    const detail = makeDetail('run', [alone], { row: { status: 'finished', needsPerson: false } });
    detail.decision = makeDecision(detail, [
      {
        index: 0,
        argumentsSha256: sha(SEARCH),
        verdict: 'answer',
        answer: { status: 'failed', text: 'no network there' },
      },
    ]);
    detail.journal = makeJournal(detail, [
      {
        index: 0,
        name: 'external_search',
        id: 'call-0',
        state: 'answered',
        argumentsSha256: sha(SEARCH),
        edited: false,
        cause: 'failed_elsewhere',
        result: 'no network there',
        reconciled: [],
      },
    ]);
    const page = await openPage(createFakeBridge([detail]));
    await page.user.click(screen.getByRole('button', { name: /^Finished/ }));
    await openCard(page, 'run');
    const said = screen.getByTestId('decision').textContent;
    expect(said).toContain('Answered by a person');
    expect(said).toContain('Failed:');
    expect(said).toContain('no network there');
    expect(screen.getByTestId('journal').textContent).toContain('Result given by a person, not executed here');
    expect(screen.getByTestId('journal').textContent).toContain('failed elsewhere');
    expect(words.journal.state('answered', undefined)).not.toContain('given by a person');
    expect(words.history.kind('answered')).toBe('answered, not executed here');
  });
});

describe('H13 a call that no tool server takes', () => {
  const list = makeCall('[1,2]', { index: 1, name: 'deploy', change: { sentAs: 'not_sendable' } });

  it('blocks itself alone, with its reason; the others of the batch go', async () => {
    const { page, bridge } = await show(makeDetail('run', [shell, list]));
    await page.user.keyboard('a');
    await next(page);
    expect(screen.getByTestId('approve-off').textContent).toContain('No tool server takes this call');
    expect(screen.getByTestId('approve-off').textContent).toContain('named values');
    await page.user.keyboard('a');
    expect(within(bar()).getByText(/^Call 1/).textContent).toBe('Call 1 approved, 2 open');
    await page.user.keyboard('r');
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    act(() => screen.getByTestId('card').focus());
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ verdict: 'approve' }, { verdict: 'reject' }] });
  });

  it('handed over, its agent may take it', async () => {
    await show(makeDetail('run', [{ ...list, index: 0 }], { row: { route: 'handed_over' } }));
    expect(screen.queryByTestId('approve-off')).toBeNull();
  });
});
