import type { Page } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import { klieoRecord } from './records.js';
import { ask, card, goTo, hasStatus, mayApprove, ready, reject, select } from './reviewer.js';

const TABLE = [
  { source: '*', server: '*', tool: 'send_email', effect: 'changes', repeatable: false, noReview: false },
] as const;
const mail = (to: string): string =>
  klieoRecord({ calls: [{ id: 'c1', name: 'send_email', args: `{"to":"${to}","subject":"Report"}` }] });

/** Ends in the settings, on the rules. */
async function atRules(page: Page): Promise<void> {
  await goTo(page, 'Settings');
  await expect(page.getByTestId('rules')).toBeVisible();
}

/** Presses a button of the rules by keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByTestId('rules').getByRole('button', { name }).focus();
  await page.keyboard.press('Enter');
}

/** From the card in front: "Always when…", as it is filled in, and made. */
async function makeRule(page: Page): Promise<void> {
  await mayApprove(page);
  await page.getByTestId('make-rule').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rule-form')).toBeVisible();
  await page.getByTestId('rule-make').focus();
  await page.keyboard.press('Enter');
}

test('a rule by keyboard: made from a card, held against people in shadow, let decide, marked in what it decided, paused', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [...TABLE] });
  const { app, page } = await launch();
  const asked = await answerQuestions(app, ['yes', 'yes', 'yes']);
  publish(folders, 'first.json', mail('ops@example.com'), 'local');
  await select(page, 'ops@example.com');
  await makeRule(page);
  await expect(page.getByTestId('rule-form')).toHaveCount(0);
  await hasStatus(page, 'waiting');

  // In shadow: the person rejects what it would have approved, and that is counted.
  await reject(page, 'not today');
  await hasStatus(page, 'finished');
  await atRules(page);
  const rule = page.getByTestId('rule');
  await expect(rule).toHaveAttribute('data-standing', 'shadow');
  await expect(page.getByTestId('rule-figures')).toContainText(
    'Would have approved 1 call; people rejected 1 of them.',
  );
  expect(world.ledger.lines()).toEqual([]);

  await press(page, /^Let it decide… ?\(the rule send_email\)/);
  await expect(rule).toHaveAttribute('data-standing', 'live');
  const questions = await asked();
  expect(questions).toHaveLength(2);
  for (const question of questions) expect(question).toContain('“/to” is “"ops@example.com"”');

  // The next run like it is decided by the rule; another one waits for the person.
  publish(folders, 'other.json', mail('elsewhere@example.com'), 'local');
  publish(folders, 'second.json', mail('ops@example.com'), 'local');
  await expect.poll(() => world.ledger.lines().length, { timeout: 15_000 }).toBe(1);
  await expect(rule).toContainText('1 of 100 answered');
  await goTo(page, 'History');
  const byRule = page.locator('.event .by-rule');
  await expect(byRule.first()).toHaveText('by a rule');
  await expect(page.getByTestId('history')).toContainText('by the rule “send_email”, no person looked');
  await page.getByLabel('Decided by').focus();
  await page.getByLabel('Decided by').selectOption('rule');
  await expect(page.getByTestId('history')).toContainText('1 of');
  await goTo(page, 'Needs me');
  await select(page, 'elsewhere@example.com');
  await goTo(page, 'Finished');
  await select(page, 'by a rule');
  await expect(page.getByTestId('by-rule')).toHaveText('send_email');
  await expect(card(page)).toContainText('Decided by a rule of Ada');

  // One switch for all.
  await atRules(page);
  await press(page, 'Pause all rules');
  await expect(page.getByTestId('rules-status')).toHaveText('rules paused');
  publish(folders, 'third.json', mail('ops@example.com'), 'local');
  await goTo(page, 'Needs me');
  await select(page, 'ops@example.com');
  await ready(page);
  await hasStatus(page, 'waiting');
  await atRules(page);
  await press(page, /^Let the rules go on/);
  await expect.poll(() => world.ledger.lines().length, { timeout: 15_000 }).toBe(2);
});

test('what the person declines is not made; a page that asks by its own bridge gets a question, and nothing without an answer', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [...TABLE] });
  const { app, page } = await launch();
  const asked = await answerQuestions(app, []);
  publish(folders, 'first.json', mail('ops@example.com'), 'local');
  await select(page, 'ops@example.com');
  await makeRule(page);
  await expect(page.getByTestId('rule-form').getByRole('alert')).toHaveText('Nothing was changed.');
  const id = await card(page).getAttribute('data-item-id');
  const draft = {
    name: 'x',
    verdict: 'approve',
    reason: '',
    conditions: [{ pointer: '/to', test: 'prefix', prefix: 'o' }],
    others: true,
    days: 90,
    limit: 1000,
  };
  expect(await ask(page, 'rules:add', id, 0, draft)).toEqual({ ok: true, value: null });
  expect(await ask(page, 'rules:list')).toEqual({ ok: true, value: { rules: [], paused: false } });
  // A rule cannot come in by the settings either.
  const settings = (await ask(page, 'settings:get')) as { value: object };
  expect(await ask(page, 'settings:set', { ...settings.value, rules: [draft] })).toMatchObject({ ok: false });
  expect(await asked()).toHaveLength(2);
  expect(world.ledger.lines()).toEqual([]);
});
