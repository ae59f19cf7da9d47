import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { draftFor, notNamed, withTest } from '../../renderer/rules/draft-rule.js';
import type { Rule, RuleView } from '../../shared/rule.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { openCard, openPage, type Page } from './page.js';
import { makeCall, makeDetail } from './samples.js';

const MAIL = '{"to":"ops@example.com","n":1.0}';
const made: Rule = {
  v: 1,
  id: '01x',
  name: 'Reports',
  verdict: 'approve',
  reason: '',
  conditions: [{ pointer: '/to', test: 'equals', value: '"ops\u200b@example.com"' }],
  others: false,
  limit: 100,
  source: 'inbox',
  server: 'filesystem',
  tool: 'send_email',
  owner: 'Ada',
  createdAt: '2026-03-02T09:00:00Z',
  expiresAt: '2026-04-02T09:00:00Z',
  state: 'shadow',
  used: 0,
  moves: [],
};
const view = (change: Partial<RuleView> = {}): RuleView => ({
  rule: made,
  revision: 1,
  standing: 'shadow',
  figures: { approved: 12, edited: 1, rejected: 1 },
  ...change,
});

let bridge: FakeBridge;
let page: Page;

describe('a rule from a call', () => {
  it('is filled with exactly this call: every argument as it is written', () => {
    expect(draftFor(makeCall(MAIL), MAIL)).toMatchObject({
      verdict: 'approve',
      others: false,
      conditions: [
        { pointer: '/to', test: 'equals', value: '"ops@example.com"' },
        { pointer: '/n', test: 'equals', value: '1.0' },
      ],
    });
    expect(draftFor(makeCall('{}'), '{}').conditions).toEqual([{ pointer: '', test: 'equals', value: '{}' }]);
    expect(draftFor(makeCall('{"a/b~":1}'), '{"a/b~":1}').conditions[0]?.pointer).toBe('/a~1b~0');
  });

  it('names the arguments that no condition speaks of', () => {
    const long = JSON.stringify({ to: 'x', body: 'y'.repeat(600) });
    const draft = draftFor(makeCall(long), long);
    expect(notNamed(makeCall(long), long, draft)).toEqual(['body']);
    expect(notNamed(makeCall(long), long, { ...draft, others: true })).toEqual([]);
  });

  it('another test keeps what can be kept', () => {
    const equals = { pointer: '/a', test: 'equals', value: '"x"' } as const;
    expect(withTest(equals, 'prefix')).toEqual({ pointer: '/a', test: 'prefix', prefix: 'x' });
    expect(withTest(equals, 'one_of')).toEqual({ pointer: '/a', test: 'one_of', values: ['"x"'] });
    expect(withTest({ ...equals, value: '5' }, 'range')).toEqual({ pointer: '/a', test: 'range', min: '5', max: '5' });
  });
});

describe('the card', () => {
  beforeEach(async () => {
    const wipe = makeDetail('w', [makeCall('{}', { name: 'wipe', effect: 'destructive' })]);
    const unknown = makeDetail('u', [makeCall('{}', { name: 'thing', known: false })]);
    bridge = createFakeBridge([makeDetail('x', [makeCall(MAIL)]), wipe, unknown]);
    page = await openPage(bridge);
  });

  it('offers a rule, sends what is in the form, and shows what main says', async () => {
    await openCard(page, 'x');
    bridge.answer('rules:add', () => ({ ok: true, value: null }));
    await page.user.click(await screen.findByTestId('make-rule'));
    const form = screen.getByTestId('rule-form');
    await page.user.selectOptions(within(form).getByLabelText('Then'), 'reject');
    await page.user.type(within(form).getByLabelText('Reason for the agent'), 'no');
    await page.user.click(screen.getByTestId('rule-make'));
    await waitFor(() => expect(within(form).getByRole('alert').textContent).toBe('Nothing was changed.'));
    expect(bridge.argsOf('rules:add')[0]).toMatchObject(['x', 0, { verdict: 'reject', reason: 'no', days: 30 }]);
    // No decision key does anything under the dialog, and Escape closes it.
    await page.user.keyboard('{Escape}');
    expect(screen.queryByTestId('rule-form')).toBeNull();
    expect(bridge.proposed).toBeNull();
  });

  it('a fault in the form is said, and nothing is sent', async () => {
    await openCard(page, 'x');
    await page.user.click(await screen.findByTestId('make-rule'));
    await page.user.clear(screen.getByLabelText(/^Ends after/));
    await page.user.click(screen.getByTestId('rule-make'));
    expect(screen.getByRole('alert').textContent).toContain('days');
    expect(bridge.argsOf('rules:add')).toEqual([]);
  });

  it('offers none for what no rule may answer', async () => {
    for (const id of ['w', 'u']) {
      await openCard(page, id);
      expect(screen.queryByTestId('make-rule')).toBeNull();
    }
  });
});

describe('the rules in the settings', () => {
  beforeEach(async () => {
    bridge = createFakeBridge([makeDetail('x', [makeCall(MAIL)])]);
    bridge.answer('rules:list', () => ({ ok: true, value: { rules: [view()], paused: false } }));
    page = await openPage(bridge);
    await page.user.click(screen.getByRole('button', { name: 'Settings' }));
    await screen.findByTestId('rule');
  });

  it('say what the rule would have got wrong, in words, with hidden characters marked', () => {
    const rule = screen.getByTestId('rule');
    expect(screen.getByTestId('rule-figures').textContent).toBe(
      'Would have approved 14 calls; people approved 12, edited 1, rejected 1 of them. 2 of them it would have got wrong.',
    );
    expect(rule.querySelector('.mark')).toBeTruthy();
    expect(rule.textContent).toContain('No other argument is there.');
    expect(rule.textContent).toContain('0 of 100 answered');
  });

  it('move a rule as it was seen, once for a double click', async () => {
    bridge.answer('rules:move', () => ({ ok: true, value: null }));
    await page.user.dblClick(screen.getByRole('button', { name: /^Let it decide… ?\(the rule Reports\)$/ }));
    await waitFor(() => expect(bridge.argsOf('rules:move')).toEqual([['01x', 1, 'live']]));
  });

  it('one switch pauses all', async () => {
    bridge.answer('rules:pause', (paused) => ({ ok: true, value: { paused } }));
    await page.user.click(screen.getByTestId('rules-pause'));
    expect(bridge.argsOf('rules:pause')).toEqual([[true]]);
  });
});
