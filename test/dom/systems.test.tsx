import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { RunDetail } from '../../shared/ipc.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, proposals, rowIds, rowOf, submitted } from './page.js';
import { makeCall, makeDecision, makeDetail, makeOther } from './samples.js';

const READY = 'ready for turn 3; nothing waits for a person';
const ready = (change = {}): RunDetail => makeOther('ready', READY, { goesOn: true, ...change });
const IN_FLIGHT = 'in flight: turn 2 may have run';
const RETRY = {
  turn: 2,
  refused: 'AmbiguousCheckpoint: turn 2 was in flight',
  warning: 'What turn 2 did may happen twice: refund.',
  blocked: [],
};
const inFlight = (change = {}): RunDetail =>
  makeOther('flight', IN_FLIGHT, { retry: RETRY, approveBlocked: [RETRY.refused], ...change });
const card = () => screen.getByTestId('card');
const places = () => within(screen.getByRole('navigation'));

async function goTo(page: Page, place: RegExp): Promise<void> {
  await page.user.click(places().getByRole('button', { name: place }));
}

async function show(detail: RunDetail, ...others: RunDetail[]): Promise<{ page: Page; bridge: FakeBridge }> {
  const bridge = createFakeBridge([detail, ...others]);
  const page = await openPage(bridge);
  if (detail.row.other) await goTo(page, /^Other/);
  await openCard(page, detail.row.id);
  return { page, bridge };
}

/** Takes the keyboard away from the list, and lets the grace time pass. */
function inCard(): void {
  act(() => card().focus());
  pass(400);
}

describe('what waits for nobody', () => {
  const finished = makeOther('over', 'finished; nothing to decide', { row: { status: 'finished' } });

  it('stands under Other with its classification, is counted there, and never under "Needs me" or "Finished"', async () => {
    const page = await openPage(createFakeBridge([ready(), finished, makeDetail('mail', [makeCall('{"to":"a"}')])]));
    expect(rowIds()).toEqual(['mail']);
    expect(places().getByRole('button', { name: /^Needs me/ }).textContent).toBe('Needs me 1');
    expect(places().getByRole('button', { name: /^Finished/ }).textContent).toBe('Finished 0');
    expect(places().getByRole('button', { name: /^Other/ }).textContent).toBe('Other 2');
    await goTo(page, /^Other/);
    expect(rowIds().sort()).toEqual(['over', 'ready']);
    expect(within(rowOf('ready')).getByTestId('classified').textContent).toBe(READY);
    expect(rowOf('over').textContent).toContain('finished; nothing to decide');
    expect(rowOf('ready').textContent).not.toContain('not continued');
  });

  it('says so on its card, with the record to save, and offers no verdict and no "Continue"', async () => {
    const { page, bridge } = await show(finished);
    expect(screen.getByTestId('classification').textContent).toBe('runifold finished; nothing to decide');
    expect(card().textContent).toContain('Nothing waits for a person');
    expect(screen.queryByTestId('decision-bar')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
    expect(card().textContent).not.toMatch(/approv/i);
    await page.user.keyboard('aars');
    expect(submitted(bridge)).toEqual([]);
    await page.user.click(screen.getByTestId('export'));
    expect(bridge.argsOf('run:export')).toEqual([['over']]);
  });

  it('a finished record shows its stored outcome: answer and facts, each said once', async () => {
    await show({
      ...finished,
      finalAnswer: 'Refunded 9007199254740993.',
      storedOutcome: { answer: 'Refunded 9007199254740993.', facts: [{ name: 'Turns', value: '3' }] },
    });
    expect(screen.getByTestId('stored-outcome').textContent).toContain('No model was asked');
    expect(screen.getByTestId('stored-outcome').textContent).toContain('Refunded 9007199254740993.');
    expect(screen.getByTestId('stored-outcome').textContent).toContain('Turns3');
    expect(screen.queryByTestId('final-answer')).toBeNull();
  });
});

describe('the own words of a system', () => {
  it('classification under the crumb, facts and neighbours with the state, the claim beside the latch', async () => {
    const waiting = makeDetail('sw', [makeCall('{"cmd":"ls"}', { name: 'shell_exec' })], {
      classification: 'waiting for one approval',
      about: [{ name: 'node', value: 'wait_hitl' }],
      neighbours: [{ name: 'approval', value: 'approval_run_1: pending' }],
      claimState: 'admitted',
      latch: { kind: 'here', by: 'Ada', at: '2026-03-02T09:00:00Z' },
      row: { system: 'starweaver' },
    });
    await show(waiting);
    expect(screen.getByTestId('classification').textContent).toBe('starweaver waiting for one approval');
    expect(screen.getByTestId('about').textContent).toContain('nodewait_hitl');
    expect(screen.getByTestId('neighbours').textContent).toContain('approval_run_1: pending');
    expect(screen.getByRole('region', { name: 'State' }).textContent).toMatch(/Latchtaken .* by Ada .*· admitted:/);
  });

  it('a record of klieo that has none of this shows none of it', async () => {
    await show(makeDetail('mail', [makeCall('{"to":"a"}')]));
    for (const id of ['classification', 'about', 'neighbours', 'run-links', 'only-handed-over'])
      expect(screen.queryByTestId(id)).toBeNull();
  });

  it('what can only be handed over says why, and offers no other way', async () => {
    const why = 'the steps of a workflow are code of its own worker';
    await show(makeDetail('wf', [makeCall('{"amount":1}')], { onlyHandedOver: why, row: { route: 'handed_over' } }));
    expect(screen.getByTestId('only-handed-over').textContent).toBe(`It can only be handed over: ${why}`);
    expect(screen.queryByRole('button', { name: 'continue here instead' })).toBeNull();
  });

  it('the cards of one run lead to each other', async () => {
    const first = makeDetail('first', [makeCall('{"a":1}')], { continuedAs: 'second' });
    const second = makeOther('second', 'finished; nothing to decide', { continues: 'first' });
    const { page } = await show(first, second);
    await page.user.click(screen.getByRole('button', { name: 'Go to what came of it' }));
    await waitFor(() => expect(card().dataset['itemId']).toBe('second'));
    await page.user.click(screen.getByRole('button', { name: 'Go to the earlier record' }));
    await waitFor(() => expect(card().dataset['itemId']).toBe('first'));
  });
});

describe('S16 a claim of somebody else', () => {
  const digest = 'c'.repeat(64);
  const foreignClaim = { id: 'claim_7', at: '2026-03-02T09:00:00Z', words: 'a new run was admitted', digest };
  const claimed = (change = {}): RunDetail =>
    makeDetail('sw', [makeCall('{"cmd":"ls"}', { name: 'shell_exec' })], {
      foreignClaim,
      approveBlocked: ['Conflict: run run_1 already has an active resume claim'],
      ...change,
    });

  it('is said on the card; that it was given up there takes two steps, a reason, and goes out as shown', async () => {
    const { page, bridge } = await show(claimed());
    expect(screen.getByTestId('foreign-claim').textContent).toContain('claim_7: a new run was admitted');
    await page.user.click(screen.getByTestId('claim-given-up'));
    expect(screen.getByTestId('foreign-claim').textContent).toContain('runs twice');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: /How do you know/ }));
    await page.user.click(screen.getByTestId('claim-given-up-confirm'));
    expect(bridge.argsOf('resume:claim-given-up')).toEqual([]);
    await page.user.type(screen.getByRole('textbox', { name: /How do you know/ }), 'Its host is gone');
    await page.user.click(screen.getByTestId('claim-given-up-confirm'));
    expect(bridge.argsOf('resume:claim-given-up')).toEqual([['sw', { digest, note: 'Its host is gone' }]]);
    expect(submitted(bridge)).toEqual([]);
  });

  it('a claim that moves under the open form closes it', async () => {
    const { page, bridge } = await show(claimed());
    await page.user.click(screen.getByTestId('claim-given-up'));
    await act(async () => bridge.put(claimed({ foreignClaim: { ...foreignClaim, digest: 'd'.repeat(64) } })));
    await waitFor(() => expect(screen.queryByTestId('claim-given-up-confirm')).toBeNull());
  });

  it('no key of the card reaches it, and without a claim nothing of it is shown', async () => {
    const { page, bridge } = await show(claimed());
    inCard();
    await page.user.keyboard('aar{Enter}');
    expect(bridge.argsOf('resume:claim-given-up')).toEqual([]);
    await act(async () => bridge.put(makeDetail('sw', [makeCall('{"cmd":"ls"}')])));
    await waitFor(() => expect(screen.queryByTestId('foreign-claim')).toBeNull());
  });
});

describe('letting it go on', () => {
  it('A arms, A confirms: the step is submitted with its binding, and nothing on the card is called approving', async () => {
    const { page, bridge } = await show(ready());
    expect(screen.getByTestId('go-on').textContent).toContain('Let it go on');
    expect(card().textContent).not.toMatch(/approv/i);
    await page.user.keyboard('a');
    expect(submitted(bridge)).toEqual([]);
    expect(card().textContent).not.toMatch(/approv/i);
    await confirmInControl(page);
    expect(submitted(bridge)).toEqual([
      { id: 'ready', binding: ready().binding, verdicts: [], step: { verdict: 'approve' } },
    ]);
    expect((await screen.findByTestId('undo-bar')).textContent).toContain('let go on');
  });

  it('C97: nothing counts in the grace time, and Escape takes the arming back', async () => {
    const bridge = createFakeBridge([ready()]);
    const page = await openPage(bridge);
    await goTo(page, /^Other/);
    await page.user.click(rowOf('ready'));
    await screen.findByTestId('go-on');
    await page.user.keyboard('aa');
    expect(proposals(bridge)).toEqual([]);
    inCard();
    await page.user.keyboard('a');
    expect(bridge.proposed).not.toBeNull();
    await page.user.keyboard('{Escape}');
    expect(bridge.proposed).toBeNull();
    await page.user.keyboard('r');
    expect(screen.queryByTestId('reject-reason')).toBeNull();
    expect(submitted(bridge)).toEqual([]);
  });

  it('is off while something stands against it, with the reason', async () => {
    const { page, bridge } = await show(ready({ approveBlocked: ['The row of step 5 exists already.'] }));
    expect(screen.getByTestId('approve-off').textContent).toBe('Going on is off: The row of step 5 exists already.');
    await page.user.keyboard('aa');
    expect(proposals(bridge)).toEqual([]);
  });

  it('afterwards it is a run that was let go on, not an approved step', async () => {
    const detail = ready({ row: { status: 'decided', other: false } });
    detail.decision = makeDecision(detail, [], { step: { verdict: 'approve' } });
    const page = await openPage(createFakeBridge([detail]));
    await goTo(page, /^Decided/);
    await openCard(page, 'ready');
    expect(screen.getByTestId('decision').textContent).toContain('Let go on');
    expect(screen.getByTestId('decision').textContent).not.toMatch(/approved/i);
  });
});

describe('R7 a turn that may have run', () => {
  it('runs again only behind its warning: the keys that approve do nothing', async () => {
    const { page, bridge } = await show(inFlight());
    expect(screen.getByTestId('retry-refused').textContent).toContain(RETRY.refused);
    expect(screen.getByTestId('retry-warning').textContent).toContain(RETRY.warning);
    expect(screen.getByTestId('retry').className).toContain('danger');
    await page.user.keyboard('aa{Enter}{Control>}{Enter}{/Control}r');
    expect(proposals(bridge)).toEqual([]);
    expect(submitted(bridge)).toEqual([]);
  });

  it('its button proposes, and only the approve control confirms', async () => {
    const { page, bridge } = await show(inFlight());
    await page.user.click(screen.getByTestId('retry'));
    expect(proposals(bridge)).toEqual([
      { act: 'retry_turn', id: 'flight', binding: inFlight().binding, repair: false },
    ]);
    await page.user.keyboard('a{Enter}');
    pass(400);
    await page.user.keyboard('a{Enter}');
    expect(bridge.proposed).not.toBeNull();
    await confirmInControl(page);
    expect(submitted(bridge)).toEqual([]);
    expect((await screen.findByTestId('undo-bar')).textContent).toContain('turn 2 may run again');
    await goTo(page, /^Decided/);
    await openCard(page, 'flight');
    expect(screen.getByTestId('decision').textContent).toContain('Turn 2 runs again');
    expect(screen.getByTestId('decision').textContent).toContain(RETRY.warning);
  });

  it('C30: earlier calls without an answer need a consent of their own before the turn runs again', async () => {
    const unanswered = [{ message: 1, id: 'c1', name: 'lookup' }];
    const { page, bridge } = await show(inFlight({ unanswered }));
    expect(screen.getByTestId('approve-off').textContent).toMatch(/1 earlier call without an answer/);
    await page.user.click(screen.getByTestId('retry'));
    expect(proposals(bridge)).toEqual([]);
    await page.user.click(screen.getByRole('checkbox', { name: /no result was recorded: lookup/ }));
    pass(400);
    await page.user.click(screen.getByTestId('retry'));
    expect(proposals(bridge)).toEqual([{ act: 'retry_turn', id: 'flight', binding: inFlight().binding, repair: true }]);
  });

  it('what no consent mends keeps it off, in the words of the rule', async () => {
    const blocked = ['No model would take this conversation: message 2 answers "x", which no call before it asks'];
    await show(inFlight({ retry: { ...RETRY, blocked } }));
    expect(screen.getByTestId('approve-off').textContent).toContain(blocked[0]);
  });

  it('a record that moves under the armed act disarms it', async () => {
    const { page, bridge } = await show(inFlight());
    await page.user.click(screen.getByTestId('retry'));
    pass(400);
    const moved = { ...RETRY, warning: 'What turn 2 did may happen twice: refund, email.' };
    await act(async () => bridge.put(inFlight({ retry: moved })));
    await waitFor(() => expect(bridge.proposed).toBeNull());
    expect(screen.getByTestId('retry-warning').textContent).toContain('refund, email');
    expect(submitted(bridge)).toEqual([]);
  });

  it('a warning that stands against it keeps it off', async () => {
    const text = 'The turn is 7, but 1 turn was completed.';
    const warning = { code: 'turn_mismatch', path: 'payload.phase.turn', text, blocksApproval: true };
    const { page, bridge } = await show(inFlight({ warnings: [warning] }));
    expect(screen.getByTestId('approve-off').textContent).toContain(text);
    await page.user.click(screen.getByTestId('retry'));
    expect(proposals(bridge)).toEqual([]);
  });
});
