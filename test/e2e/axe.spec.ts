import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import { klieoRecord } from './records.js';
import { card, goTo, ready, select } from './reviewer.js';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const tool = (name: string, effect: 'read_only' | 'changes' | 'destructive') => ({
  source: '*',
  server: '*',
  tool: name,
  effect,
  repeatable: false,
  noReview: false,
});

/** What stands against WCAG 2.2 AA on the page as it is now, as lines that say where. */
async function faults(page: Page): Promise<string[]> {
  // Electron opens no second page for the results.
  const found = await new AxeBuilder({ page }).setLegacyMode(true).withTags(WCAG).analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? node.all[0]?.message ?? ''}`),
  );
}

for (const theme of ['light', 'dark'] as const)
  test(`WCAG 2.2 AA: no screen has a fault, ${theme}`, async ({ launch, folders, world }) => {
    test.setTimeout(240_000);
    const tools = [tool('delete_file', 'destructive'), tool('list_files', 'read_only'), tool('send_email', 'changes')];
    writeSettings(folders, { ...world.settings, theme, tools });
    const { app, page } = await launch();
    await answerQuestions(app, ['yes']);
    publish(folders, 'hidden.json', caseFile('C59'));
    publish(folders, 'secrets.json', caseFile('C66'));
    publish(folders, 'broken.json', '{"run_id":');
    const edit = JSON.stringify({
      path: '/srv/a',
      old_text: 'one\ntwo',
      new_text: 'one\n2',
      url: 'http://аpple.example:81/',
    });
    publish(
      folders,
      'edit.json',
      klieoRecord({
        words: '# Plan\n\n- [x](https://a.example/)',
        calls: [{ id: 'e', name: 'edit_file', args: edit }],
      }),
    );
    const mail = '{"to":"ops@example.com","subject":"Report"}';
    publish(folders, 'mail.json', klieoRecord({ calls: [{ id: 'm', name: 'send_email', args: mail }] }), 'local');
    const long = JSON.stringify({ path: '/srv', text: 'line\n'.repeat(30_000) });
    publish(folders, 'gone.json', klieoRecord({ calls: [{ id: 'd', name: 'delete_file', args: long }] }));
    const seen: string[] = [];
    const look = async (screen: string): Promise<void> => {
      for (const fault of await faults(page)) seen.push(`${screen}: ${fault}`);
    };
    await select(page, 'send_payment');
    await look('hidden characters');
    await select(page, 'http_request');
    await look('secrets');
    await page.keyboard.press('i');
    await look('record');
    await page.keyboard.press('t');
    await select(page, 'edit_file');
    await look('file edit');
    await page.keyboard.press('d');
    await look('side by side');
    await ready(page);
    await page.keyboard.press('e');
    await expect(page.getByTestId('edit-text')).toBeFocused();
    await look('editing');
    await page.keyboard.press('Escape');
    await ready(page);
    await page.keyboard.press('r');
    await expect(page.getByTestId('reject-reason')).toBeFocused();
    await look('rejecting');
    await page.keyboard.press('Escape');
    await select(page, 'delete_file');
    await card(page).getByRole('button', { name: 'text' }).first().press('Enter');
    await look('destructive, opened');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await look('help');
    await page.keyboard.press('Escape');
    const places = await page.getByRole('navigation').first().getByRole('button').allTextContents();
    for (const place of places) {
      const name = place.replace(/\d+$/, '').trim();
      await goTo(page, name);
      await look(name);
    }
    // Rules and tools of a server: the form over the card, a rule in the settings, what a server offers.
    await goTo(page, 'Needs me');
    await select(page, 'ops@example.com');
    await page.getByTestId('make-rule').press('Enter');
    await expect(page.getByTestId('rule-form')).toBeVisible();
    await look('rule from a call');
    await page.getByTestId('rule-make').press('Enter');
    await expect(page.getByTestId('rule-form')).toHaveCount(0);
    await goTo(page, 'Settings');
    await expect(page.getByTestId('rule')).toBeVisible();
    await page.getByRole('button', { name: 'Import tools of ledger' }).press('Enter');
    await expect(page.getByTestId('import-tool').first()).toBeVisible();
    await look('rules, and tools of a server');
    expect(seen).toEqual([]);
  });
