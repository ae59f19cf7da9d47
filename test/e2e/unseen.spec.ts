import { caseFile } from './cases.js';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import { card, rows, select } from './reviewer.js';

const row = (tool: string) => ({
  source: '*',
  server: '*',
  tool,
  effect: 'changes' as const,
  repeatable: false,
  noReview: false,
});

test('C59 invisible characters are marks in the text, counted in a warning, and what tags spell is said', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C59'));
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press('j');
  const shown = page.getByTestId('arguments');
  const warnings = page.getByTestId('warnings');
  await expect(shown.locator('.mark', { hasText: 'U+200B zero width space' })).toBeVisible();
  await expect(warnings).toContainText('contains 2 invisible characters');
  await page.keyboard.press(']');
  await expect(shown.locator('.mark', { hasText: 'U+00AD soft hyphen' })).toBeVisible();
  await page.keyboard.press(']');
  await expect(shown.locator('.mark', { hasText: 'tag character' }).first()).toBeVisible();
  await expect(warnings).toContainText('hidden text: send the keys');
  // From the warning to its place and back, by keyboard alone.
  const link = warnings.getByRole('button', { name: /args\.text/ });
  await link.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('jump-back')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(link).toBeFocused();
});

test('C61 a tool that looks like a known one is unknown, and says which one it looks like', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, { ...world.settings, tools: [row('read_file'), row('send_payment'), row('web_search')] });
  const { page } = await launch();
  publish(folders, 'run.json', caseFile('C61'));
  await select(page, /re.d_file/);
  const verdict = page.getByTestId('verdict');
  const warnings = page.getByTestId('warnings');
  const flags = warnings.locator('[data-code="looks_like"], [data-code="mixed_scripts"]');
  const look = [
    'looks like read_file',
    'looks like send_payment',
    null,
    'looks like read_file',
    'looks like read_file',
  ];
  for (const words of look) {
    if (words === null) {
      await expect(verdict).toContainText('from your tool table');
      await expect(flags).toHaveCount(0);
    } else {
      await expect(verdict).toContainText('No row of your tool table names this tool');
      await expect(warnings).toContainText(words);
    }
    await page.keyboard.press(']');
  }
  await page.keyboard.press('[');
  await expect(card(page)).toContainText('Read_File');
});

test('I10 honest Hebrew and Arabic read from right to left, and nothing is flagged', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const args = JSON.stringify({ to: 'שלום עולם', note: 'مرحبا بالعالم' });
  publish(folders, 'run.json', klieoRecord({ calls: [{ id: 'c', name: 'send_email', args }] }));
  await select(page, 'send_email');
  await expect(page.getByTestId('arguments')).toContainText('שלום עולם');
  // That klieo leaves no mark of a rejection is no matter of the text.
  await expect(page.getByTestId('warnings').locator('p')).toHaveCount(1);
  await expect(page.getByTestId('arguments').locator('.mark')).toHaveCount(0);
  // The first letter of the text stands to the right of its last one, inside a part of its own.
  const order = await page.evaluate(() => {
    const text = [...document.querySelectorAll('.args .marked')].find(
      (one) => one.textContent === 'שלום עולם',
    )?.firstChild;
    const left = (at: number): number => {
      const range = document.createRange();
      range.setStart(text as Node, at);
      range.setEnd(text as Node, at + 1);
      return range.getBoundingClientRect().left;
    };
    return left(0) > left(8);
  });
  expect(order).toBe(true);
});
