import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ElectronApplication, Page } from 'playwright/test';
import { caseFile } from '../e2e/cases.js';
import { publish, writeSettings } from '../e2e/data-folder.js';
import { expect, test } from '../e2e/ledger-world.js';
import { klieoRecord } from '../e2e/records.js';
import {
  approve,
  arm,
  control,
  controlReady,
  goTo,
  hasStatus,
  mayApprove,
  ready,
  reject,
  rows,
  select,
} from '../e2e/reviewer.js';

const OUT = process.env['HOLDPOINT_SHOTS'] ?? join(import.meta.dirname, '../../test-results/shots');
const row = (tool: string, effect: 'read_only' | 'changes' | 'destructive') => ({ tool, effect, repeatable: false });
const EDIT = JSON.stringify({
  path: '/srv/app/limits.py',
  old_text: 'LIMIT = 10\nBURST = 2',
  new_text: 'LIMIT = 500\nBURST = 2',
});

/** A picture of the window as it is; after all that moves by itself has come to rest. */
async function picture(page: Page, look: string, name: string): Promise<void> {
  const folder = join(OUT, look);
  mkdirSync(folder, { recursive: true });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

async function resize(app: ElectronApplication, width: number, height: number): Promise<void> {
  await app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setSize(w, h), [
    width,
    height,
  ] as const);
}

for (const theme of ['light', 'dark', 'high_contrast'] as const)
  test(`every screen, ${theme}`, async ({ launch, folders, world }) => {
    const tools = [row('delete_file', 'destructive'), row('search_kb', 'read_only'), row('edit_file', 'changes')];
    writeSettings(folders, { ...world.settings, theme, tools, undoSeconds: 600 });
    const { page, app } = await launch();
    const shot = (name: string): Promise<void> => picture(page, theme, name);
    await shot('01-empty');
    publish(
      folders,
      'mail.json',
      klieoRecord({
        calls: [
          {
            id: 'm',
            name: 'send_email',
            args: '{"to":"mira.holt@example.com","subject":"Your refund","api_key":"sk-live-0123456789abcdefghijklmnop"}',
          },
        ],
      }),
    );
    publish(
      folders,
      'gone.json',
      klieoRecord({ calls: [{ id: 'd', name: 'delete_file', args: '{"path":"/srv/data/customers.db"}' }] }),
    );
    publish(
      folders,
      'edit.json',
      klieoRecord({ words: '# Plan\n\nRaise the **limit**.', calls: [{ id: 'e', name: 'edit_file', args: EDIT }] }),
    );
    publish(
      folders,
      'huge.json',
      klieoRecord({
        calls: [
          {
            id: 'h',
            name: 'publish_post',
            args: JSON.stringify({ title: 'Notes', body: 'A line of the notes.\n'.repeat(20_000) }),
          },
        ],
      }),
    );
    publish(folders, 'batch.json', caseFile('C07'));
    publish(folders, 'hostile.json', caseFile('C59'));
    publish(folders, 'broken.json', '{"run_id":');
    for (let n = 0; n < 12; n += 1)
      publish(
        folders,
        `s${n}.json`,
        klieoRecord({ calls: [{ id: 's', name: 'search_kb', args: `{"query":"deposit of customer ${n}"}` }] }),
      );
    await select(page, 'mira.holt');
    await expect(rows(page).filter({ hasText: 'search_kb' }).first()).toBeVisible();
    await select(page, 'mira.holt');
    await mayApprove(page);
    await shot('02-queue-and-plain-card');
    await arm(page);
    await controlReady(page);
    await shot('03-plain-confirm');
    await page.keyboard.press('Escape');
    await select(page, 'customers.db');
    await mayApprove(page);
    await shot('04-dangerous');
    await arm(page);
    await controlReady(page);
    await shot('05-dangerous-confirm');
    await page.keyboard.press('Escape');
    await select(page, 'edit_file');
    await ready(page);
    await shot('06-file-edit');
    await page.keyboard.press('d');
    await shot('07-side-by-side');
    await page.keyboard.press('d');
    await page.keyboard.press('d');
    await ready(page);
    await page.keyboard.press('e');
    await expect(page.getByTestId('edit-text')).toBeFocused();
    await shot('08-edit');
    await page.keyboard.press('Escape');
    await select(page, '"Notes"');
    await ready(page);
    await shot('09-huge');
    await select(page, 'send_payment');
    await ready(page);
    await shot('10-hostile');
    await page.keyboard.press('r');
    await expect(page.getByTestId('reject-reason')).toBeFocused();
    await shot('11-reject');
    await page.keyboard.press('Escape');
    await page.keyboard.press('s');
    await shot('12-later');
    await page.keyboard.press('Escape');
    await select(page, 'delete_file, send_email');
    await ready(page);
    await shot('13-batch');
    await goTo(page, 'Unreadable');
    await select(page, 'broken.json');
    await shot('14-unreadable');
    await goTo(page, 'Needs me');
    await select(page, 'search_kb');
    await page.keyboard.press('X');
    await expect(page.getByTestId('bulk-bar')).toHaveAttribute('data-ready', 'true');
    await shot('15-marked');
    await page.keyboard.press('a');
    await expect(control(page).getByTestId('control-run').first()).toBeVisible();
    await expect(control(page).getByTestId('control-why')).not.toBeEmpty();
    await shot('16-list-in-control');
    await resize(app, 800, 600);
    await shot('17-list-in-control-800x600');
    await resize(app, 1280, 800);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('bulk-bar')).toHaveAttribute('data-ready', 'true');
    await page.keyboard.press('r');
    await expect(page.getByTestId('bulk-reason')).toBeFocused();
    await shot('18-reject-together');
    await page.keyboard.type('Not needed.');
    await expect(page.getByTestId('bulk-reject-form')).toHaveAttribute('data-ready', 'true');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByTestId('bulk-told')).toBeVisible();
    await shot('19-told');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await shot('20-keys');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await shot('21-palette');
    await page.keyboard.press('Escape');
    await select(page, 'mira.holt');
    await reject(page, 'Ask first.');
    await hasStatus(page, 'decided');
    await shot('22-decided');
    for (const place of ['History', 'Insight', 'Settings']) {
      await goTo(page, place);
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible();
      await shot(`23-${place.toLowerCase()}`);
    }
    await page.keyboard.press('Escape');
    await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(2));
    await goTo(page, 'Needs me');
    await shot('24-zoom-200');
  });

test('an outcome that nobody knows', async ({ launch, folders, world }) => {
  for (const theme of ['light', 'dark', 'high_contrast'] as const) {
    const own = { userData: `${folders.userData}-${theme}`, data: `${folders.data}-${theme}` };
    writeSettings(own, { ...world.settings, theme });
    world.ledger.script({ http_request: { delayMs: 60_000 } });
    const before = world.ledger.lines().length;
    const first = await launch({ folders: own });
    publish(own, 'run.json', caseFile('C33'));
    await select(first.page, 'http_request');
    await approve(first.page);
    await expect.poll(() => world.ledger.lines().length).toBeGreaterThan(before);
    await first.kill();
    const { page } = await launch({ folders: own });
    await select(page, 'http_request');
    await hasStatus(page, 'unknown_outcome');
    await expect(page.getByTestId('reconcile')).toBeVisible();
    await picture(page, theme, '25-reconcile');
  }
});
