import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { writeSettings } from './data-folder.js';
import { expect, type Folders, test } from './fixture.js';
import {
  approve,
  arm,
  bar,
  card,
  confirmButton,
  control,
  goTo,
  hasStatus,
  markApproved,
  mayApprove,
  nextCall,
  ready,
  releaseRaw,
  rows,
  select,
  selected,
  submit,
  toasts,
} from './reviewer.js';

const ledger = (folders: Folders): string[] => {
  const path = join(folders.data, 'samples/ledger.txt');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
};

async function addSamples(page: Page): Promise<void> {
  await page.getByTestId('samples').focus();
  await page.keyboard.press('Enter');
  await expect(rows(page)).toHaveCount(4);
}

test('samples: one call is listed, read, approved by keyboard, fired once, and the run completes', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  await select(page, '2512292042121000001');
  await expect(page.getByTestId('arguments')).toContainText('2512292042121000001');
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('journal')).toContainText('Done');
  await expect(page.getByTestId('final-answer')).toContainText('Refund of 49.9');
  expect(ledger(folders)).toHaveLength(1);
  expect(ledger(folders)[0]).toContain('2512292042121000001');

  const id = await card(page).getAttribute('data-item-id');
  const again = await releaseRaw(page, { act: 'continue', id });
  expect(again).toMatchObject({ ok: false, refusal: { code: 'nothing_to_continue' } });
  expect(ledger(folders)).toHaveLength(1);
});

test('samples: without a name the first decision asks for it, once', async ({ launch, folders }) => {
  writeSettings(folders, { reviewer: '' });
  const { page } = await launch();
  await addSamples(page);
  await select(page, '2512292042121000001');
  await mayApprove(page);
  await page.keyboard.press('a');
  await expect(page.getByTestId('reviewer-name')).toBeFocused();
  await page.keyboard.type('Grace');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  expect(ledger(folders)).toEqual([]);
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('decision')).toContainText('Grace');
});

test('samples: a run that stops a second time is decided a second time', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  await select(page, 'K-20933');
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('journal')).toContainText('Suspended again');
  await select(page, /mira\.holt/);
  await approve(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('Sent to mira.holt@example.com');
  expect(ledger(folders).map((line) => /issue_refund|send_email/.exec(line)?.[0])).toEqual([
    'issue_refund',
    'send_email',
  ]);
});

test('samples: three parallel calls are decided one by one and submitted as one', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  await select(page, 'K-20817');
  for (const call of [1, 2, 3]) {
    await markApproved(page, call);
    if (call < 3) await nextCall(page);
  }
  expect(ledger(folders)).toEqual([]);
  await submit(page);
  await hasStatus(page, 'finished');
  expect(ledger(folders)).toHaveLength(3);
});

test('samples: a dangerous call says so, and takes its own confirmation', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  // The gravest stands first.
  await expect(rows(page).first()).toContainText('delete_records');
  await select(page, 'delete_records');
  await expect(page.getByTestId('verdict')).toContainText('Destructive');
  await arm(page);
  // The confirmation has a grace time of its own, and names the tool.
  await expect(control(page)).toContainText('delete_records');
  await expect(confirmButton(page)).toContainText('Yes, run');
  expect(ledger(folders)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(ledger(folders)).toHaveLength(1);
});

test('samples: the unreadable record is listed with its reason and cannot be approved', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  await goTo(page, 'Unreadable');
  await select(page, 'says-two-things.json');
  await expect(selected(page)).toContainText('resume_attempted');
  await hasStatus(page, 'unreadable');
  await expect(page.getByTestId('unreadable')).toContainText('never approvable');
  await expect(page.getByTestId('unreadable')).toContainText('resume_attempted');
  await expect(bar(page)).toHaveCount(0);
  await expect(page.getByTestId('approve')).toHaveCount(0);
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await expect(toasts(page).filter({ hasText: 'Recorded' })).toHaveCount(0);
  expect(ledger(folders)).toEqual([]);
});

test('samples: after a decision the selection moves to the next open run', async ({ launch, folders }) => {
  writeSettings(folders, { selectNextAfterDecision: true });
  const { page } = await launch();
  await addSamples(page);
  await select(page, 'delete_records');
  await approve(page);
  await expect(selected(page)).not.toContainText('delete_records');
  await expect(selected(page)).toHaveAttribute('data-status', 'waiting');
  await ready(page);
  await expect.poll(() => ledger(folders).length).toBe(1);
});

test('I12 a message lies over no part of what is to be decided', async ({ launch, folders }) => {
  writeSettings(folders);
  const { page } = await launch();
  await addSamples(page);
  await select(page, 'delete_records');
  await mayApprove(page);
  // The refusal of the unreadable sample stays until somebody takes it away.
  await expect(toasts(page).filter({ hasText: 'says-two-things.json' })).toBeVisible();
  const covered = await page.evaluate(() => {
    const boxes = (selector: string) => [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
    return boxes('[data-testid="toast"]').some((toast) =>
      boxes('[data-testid="card"]').some(
        (card) =>
          toast.left < card.right && toast.right > card.left && toast.top < card.bottom && toast.bottom > card.top,
      ),
    );
  });
  expect(covered).toBe(false);
});
