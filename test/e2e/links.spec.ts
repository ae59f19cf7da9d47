import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import { select } from './reviewer.js';

test('I10 a link of the conversation opens outside only, and only after a question that shows all of it', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page, app } = await launch();
  await app.evaluate(({ dialog, shell }) => {
    const asked: string[] = [];
    const opened: string[] = [];
    Object.assign(globalThis, { asked, opened });
    // The first question is declined, the second one agreed to.
    dialog.showMessageBox = (async (...given: unknown[]) => {
      asked.push((given.at(-1) as { detail: string }).detail);
      return { response: asked.length - 1, checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
    shell.openExternal = async (address) => void opened.push(address);
  });
  const words = '[your bank](https://evil.example/login?x=1) [y](javascript:alert(1)) <http://plain.example/>';
  publish(folders, 'run.json', klieoRecord({ words, calls: [{ id: 'c', name: 'send_email', args: '{"to":"a"}' }] }));
  await select(page, 'send_email');
  const link = page.getByTestId('conversation').getByRole('button', { name: /evil\.example/ });
  const kept = () =>
    app.evaluate(() => {
      const { asked, opened } = globalThis as unknown as { asked: string[]; opened: string[] };
      return { asked, opened };
    });
  for (const times of [1, 2]) {
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await kept()).asked).toHaveLength(times);
  }
  await expect.poll(async () => (await kept()).opened).toHaveLength(1);
  const { asked, opened } = await kept();
  expect(asked).toEqual(['https://evil.example/login?x=1', 'https://evil.example/login?x=1']);
  expect(opened).toEqual(['https://evil.example/login?x=1']);
  await expect(page.getByTestId('conversation').getByRole('button', { name: /alert|plain\.example/ })).toHaveCount(0);
  expect(page.url()).toBe('app://holdpoint/');
});
