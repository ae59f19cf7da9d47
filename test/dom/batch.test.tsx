import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_DRAFT } from '../../renderer/decision/drafts.js';
import { submissionFor } from '../../renderer/decision/submission.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';
import { confirmInControl, openCard, openPage, type Page, pass, submitted } from './page.js';
import { makeCall, makeDetail, sha } from './samples.js';

const RM = '{"path":"/srv/data/a.csv"}';
const MAIL = '{"to":"ops@example.com","subject":"Report","body":"attached"}';
const LOOK = '{"query":"weather"}';
const rm = makeCall(RM, { index: 0, name: 'delete_file', effect: 'destructive' });
const mail = makeCall(MAIL, { index: 1, name: 'send_email' });
const look = makeCall(LOOK, { index: 2, name: 'search_kb' });

let bridge: FakeBridge;
let page: Page;
const bar = () => screen.getByTestId('decision-bar');
const status = () => within(bar()).getByText(/^Call 1/).textContent;

beforeEach(async () => {
  bridge = createFakeBridge([makeDetail('batch', [rm, mail, look])]);
  page = await openPage(bridge);
  await openCard(page, 'batch');
});

/** Goes to the next call, and lets its grace time pass. */
async function next(): Promise<void> {
  await page.user.keyboard(']');
  pass(400);
}

describe('a batch', () => {
  it('nothing is pre-selected, and nothing is submitted while a call is open', async () => {
    expect(status()).toBe('Call 1 open, 2 open, 3 open');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([]);
    expect(screen.getByTestId('submit').getAttribute('aria-disabled')).toBe('true');
  });

  it('mixed verdicts are collected and submitted as one act', async () => {
    await page.user.keyboard('r');
    pass(400);
    await page.user.type(screen.getByTestId('reject-reason'), 'Wrong folder');
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await next();
    await page.user.keyboard('a');
    expect(status()).toBe('Call 1 rejected, 2 approved, 3 open');
    await next();
    await page.user.keyboard('a');
    expect(submitted(bridge)).toEqual([]);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    expect(submitted(bridge)).toEqual([]);
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toEqual({
      id: 'batch',
      binding: { revision: 1, resumeStep: 2, digest: sha('record batch') },
      verdicts: [
        { index: 0, argumentsSha256: sha(RM), verdict: 'reject', reason: 'Wrong folder' },
        { index: 1, argumentsSha256: sha(MAIL), verdict: 'approve' },
        { index: 2, argumentsSha256: sha(LOOK), verdict: 'approve' },
      ],
    });
  });

  it('the destructive call is marked only by its own confirmation; Enter on nothing marks nothing', async () => {
    await page.user.keyboard('a');
    expect(status()).toContain('Call 1 open');
    pass(400);
    await page.user.keyboard('{Enter}');
    expect(status()).toContain('Call 1 approved');
    expect(submitted(bridge)).toEqual([]);
  });

  it('C99: approving one call decides that call only, and goes nowhere by itself', async () => {
    await next();
    await page.user.keyboard('aa');
    expect(status()).toBe('Call 1 open, 2 approved, 3 open');
  });

  it('C99: approve all lists exactly what it covers: same class, read, never the destructive one', async () => {
    await next();
    await page.user.click(screen.getByTestId('approve-all'));
    const list = within(screen.getByRole('region', { name: /^Approve 1 call/ })).getAllByRole('listitem');
    expect(list.map((item) => item.textContent)).toEqual([expect.stringContaining('call 2: send_email')]);
    pass(400);
    await page.user.click(screen.getByTestId('all-confirm'));
    expect(status()).toBe('Call 1 open, 2 approved, 3 open');
    expect(submitted(bridge)).toEqual([]);
  });

  it('reject all marks every open call, with the default reason where none is written', async () => {
    await page.user.click(screen.getByTestId('reject-all'));
    pass(400);
    await page.user.click(screen.getByTestId('all-confirm'));
    expect(status()).toBe('Call 1 rejected, 2 rejected, 3 rejected');
    pass(400);
    await page.user.click(screen.getByTestId('submit'));
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    const { verdicts } = submitted(bridge)[0] as { verdicts: { reason: string }[] };
    expect(new Set(verdicts.map((v) => v.reason)).size).toBe(1);
    expect(verdicts[0]?.reason).toMatch(/reviewer rejected/);
  });

  it('H7: an answered call takes no verdict and is not submitted', async () => {
    const answered = { ...rm, answered: true };
    bridge = createFakeBridge([makeDetail('half', [answered, mail])]);
    page = await openPage(bridge);
    await openCard(page, 'half');
    expect(screen.getByText(/settled; it needs no verdict/)).toBeTruthy();
    await page.user.keyboard('aa');
    await next();
    await page.user.keyboard('a');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({ verdicts: [{ index: 1, verdict: 'approve' }] });
  });
});

describe('C07: the order on screen does not matter', () => {
  it('a verdict is bound to position and digest, and stands in batch order, however the calls are listed', () => {
    const sorted = makeDetail('batch', [mail, rm]);
    const drafts = {
      [`1:${sha(MAIL)}`]: { ...NO_DRAFT, verdict: 'reject' as const },
      [`0:${sha(RM)}`]: { ...NO_DRAFT, verdict: 'approve' as const },
    };
    const submission = submissionFor(sorted, drafts, false);
    expect(submission.ok && submission.value.verdicts.map((v) => [v.index, v.argumentsSha256, v.verdict])).toEqual([
      [0, sha(RM), 'approve'],
      [1, sha(MAIL), 'reject'],
    ]);
  });

  it('on a page that lists them the other way round, the first shown is decided as what it is', async () => {
    bridge = createFakeBridge([makeDetail('sorted', [mail, rm])]);
    page = await openPage(bridge);
    await openCard(page, 'sorted');
    await page.user.keyboard('r');
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await next();
    await page.user.keyboard('a');
    pass(400);
    await page.user.keyboard('{Enter}');
    pass(400);
    await page.user.keyboard('{Control>}{Enter}{/Control}');
    await confirmInControl(page);
    await waitFor(() => expect(submitted(bridge)).toHaveLength(1));
    expect(submitted(bridge)[0]).toMatchObject({
      verdicts: [
        { index: 0, argumentsSha256: sha(RM), verdict: 'approve' },
        { index: 1, argumentsSha256: sha(MAIL), verdict: 'reject' },
      ],
    });
  });

  it('a verdict does not slide onto a call whose arguments changed', () => {
    const changed = makeDetail('batch', [{ ...rm, argumentsSha256: sha('other') }, mail]);
    const drafts = { [`0:${sha(RM)}`]: { ...NO_DRAFT, verdict: 'approve' as const } };
    const submission = submissionFor(changed, drafts, false);
    expect(submission.ok).toBe(false);
  });
});
