import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { publish, writeSettings } from './data-folder.js';
import type { Launched } from './fixture.js';
import { expect, type LedgerWorld, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import {
  approve,
  bar,
  card,
  confirmButton,
  confirmInControl,
  control,
  controlReady,
  goTo,
  hasStatus,
  historyOf,
  markApproved,
  nextCall,
  ready,
  rows,
  select,
  submit,
  toasts,
} from './reviewer.js';

const FOLDER = join(import.meta.dirname, '../fixtures');
const SYSTEMS = ['starweaver', 'runifold', 'cyrene'] as const;
type System = (typeof SYSTEMS)[number];
const bytesOf = (system: System, file: string): Buffer => readFileSync(join(FOLDER, system, file));
/** A source of its own for each fixture: several of them are the same run at other moments. */
const sourceOf = (system: System, file: string): string => `${system}-${file.replace(/\.json$/, '')}`.slice(0, 60);

/** What each fixture is, in the words of its system. */
const WAITING: Readonly<Record<string, string>> = {
  'starweaver/01-waiting-one-approval.json': 'waiting for one approval',
  'starweaver/02-waiting-parallel-one-already-executed.json': 'waiting for 2 approvals',
  'starweaver/03-waiting-approval-and-deferred.json': 'waiting for one approval and one result of a deferred call',
  'starweaver/07-bare-v0-waiting.json': 'waiting for one approval',
  'starweaver/12-waiting-without-reviewed-arguments.json': 'waiting for one approval',
  'starweaver/16-invalid-json-arguments.json': 'waiting for one approval',
  'starweaver/18-multimodal-history.json': 'waiting for one approval',
  'runifold/wf-01-waiting-interrupt.json': 'step review asks a person',
};
const OTHER: Readonly<Record<string, string>> = {
  'starweaver/04-running-no-pending.json':
    'interrupted after step 0, at before_model_request; nothing waits for a person',
  'starweaver/05-completed-with-stale-pending-calls.json': 'finished; nothing to decide',
  'starweaver/06-failed.json': 'failed; nothing to decide',
  'starweaver/14-pending-but-status-running.json': 'not waiting yet: one approval will be needed',
  'runifold/01-ready-revision-0.json': 'ready for turn 1; nothing waits for a person',
  'runifold/02-turn-in-flight.json': 'in flight: turn 1 may have run',
  'runifold/03-ready-after-parallel-tools.json': 'ready for turn 2; nothing waits for a person',
  'runifold/04-turn-2-in-flight.json': 'in flight: turn 2 may have run',
  'runifold/05-completed.json': 'finished; nothing to decide',
  'runifold/06-durable-conversation-in-flight.json': 'in flight: turn 1 may have run',
  'runifold/07-legacy-without-newer-fields.json': 'ready for turn 2; nothing waits for a person',
  'runifold/14-identity-mismatch.json': 'ready for turn 2; nothing waits for a person',
  'runifold/wf-02-step-in-flight.json': 'in flight: step charge may have run',
  'runifold/wf-03-schema-3.json': 'ready for step draft; nothing waits for a person',
  'runifold/wf-04-waiting-timer.json': 'step review waits for a timer (60000 ms), not for a person',
  'cyrene/01-interrupted-tool-loop.json': 'interrupted after step 3; nothing waits for a person',
  'cyrene/02-interrupted-empty-stop-reason.json': 'interrupted after step 1; nothing waits for a person',
  'cyrene/03-parallel-tools-fused.json': 'interrupted after step 5; nothing waits for a person',
  'cyrene/04-completed.json': 'ended after step 4 with a final answer; nothing to decide',
  'cyrene/06-budget-exhausted.json': 'ended after step 9 with its budget used up; not resumable',
  'cyrene/12-session-id-with-colon.json': 'interrupted after step 2; nothing waits for a person',
  'cyrene/14-two-rows-latest-by-updated-at.json': 'interrupted after step 1; nothing waits for a person',
  'cyrene/15-legacy-without-stop-reason.json': 'interrupted after step 2; nothing waits for a person',
};
/** Words of the reason, by file. */
const REFUSED: Readonly<Record<string, string>> = {
  'starweaver/08-unknown-version.json': 'unsupported starweaver.runtime.checkpoint version 2',
  'starweaver/09-version-zero.json': 'unsupported starweaver.runtime.checkpoint version 0',
  'starweaver/10-wrong-schema.json': 'expected durable schema starweaver.runtime.checkpoint',
  'starweaver/11-bare-with-version-key.json': 'missing field `schema`',
  'starweaver/claim-bare.json': 'bare v0 JSON is not supported for durable schema',
  'starweaver/decision-approved-override.json': 'no record of a known system',
  'starweaver/decision-denied.json': 'no record of a known system',
  'runifold/08-schema-version-2.json': 'checkpoint kind or schema version is not supported',
  'runifold/09-other-kind.json': 'checkpoint kind or schema version is not supported',
  'runifold/11-missing-message-metadata.json': 'missing field `metadata`',
  'runifold/12-corrupt.json': 'the text ends inside a string',
  'runifold/wf-command-approve.json': 'no record of a known system',
  'runifold/wf-command-edit.json': 'no record of a known system',
  'runifold/wf-command-reject.json': 'no record of a known system',
  'cyrene/07-null-messages.json': 'no conversation: the state of step 1 has no messages',
  'cyrene/08-state-is-json-null.json': 'it must be an object, not null',
  'cyrene/09-state-corrupt.json': 'the text ends in',
  'cyrene/10-state-empty.json': 'the text is empty',
};
/** Kept beside the checkpoint of their run: no item of their own. */
const BESIDE = ['approval-approved', 'approval-bare-v0', 'approval-denied', 'approval-expired', 'approval-inconsistent']
  .concat('approval-pending', 'claim-admitted', 'claim-preflight', 'claim-started', 'deferred-waiting')
  .map((name) => `starweaver/${name}.json`);

const parts = (name: string): [System, string] => name.split('/') as [System, string];

test('every fixture of the three systems is named below', () => {
  const files = SYSTEMS.flatMap((system) =>
    readdirSync(join(FOLDER, system))
      .filter((name) => name.endsWith('.json') && name !== 'index.json')
      .map((name) => `${system}/${name}`),
  );
  const named = [...[WAITING, OTHER, REFUSED].flatMap((table) => Object.keys(table)), ...BESIDE];
  expect(named.sort()).toEqual(files.sort());
});

test('every fixture in the inbox is listed with its classification, or refused with its reason', async ({
  launch,
  folders,
}) => {
  test.setTimeout(180_000);
  writeSettings(folders);
  const { page } = await launch();
  for (const name of [...Object.keys(WAITING), ...Object.keys(OTHER), ...Object.keys(REFUSED), ...BESIDE]) {
    const [system, file] = parts(name);
    publish(folders, file, bytesOf(system, file), sourceOf(system, file));
  }
  await expect(place(page, 'Other')).toContainText(String(Object.keys(OTHER).length), { timeout: 60_000 });
  await expect(place(page, 'Needs me')).toContainText(String(Object.keys(WAITING).length));
  await expect(place(page, 'Unreadable')).toContainText(String(Object.keys(REFUSED).length));
  await expect(place(page, 'Finished')).toContainText('0');

  for (const [name, words] of Object.entries(WAITING)) {
    await select(page, `${sourceOf(...parts(name))} ·`);
    await expect(page.getByTestId('classification'), name).toContainText(words);
    await expect(bar(page), name).toBeVisible();
  }
  await goTo(page, 'Other');
  for (const [name, words] of Object.entries(OTHER)) {
    await select(page, `${sourceOf(...parts(name))} ·`);
    const row = rows(page).filter({ hasText: `${sourceOf(...parts(name))} ·` });
    await expect(row.getByTestId('classified'), name).toContainText(words);
    await expect(page.getByTestId('classification'), name).toContainText(words);
    await expect(page.getByTestId('approve'), name).toHaveCount(0);
    await expect(page.getByTestId('export'), name).toBeVisible();
  }
  await goTo(page, 'Unreadable');
  await expect(rows(page)).toHaveCount(Object.keys(REFUSED).length);
  const seen: string[] = [];
  for (const index of Object.keys(REFUSED).keys()) {
    await page.keyboard.press(index === 0 ? 'g' : 'j');
    if (index === 0) await page.keyboard.press('g');
    const row = page.locator('[data-testid="row"][aria-selected="true"]');
    await expect(row).toHaveAttribute('aria-posinset', String(index + 1));
    await expect(card(page)).toHaveAttribute('data-item-id', (await row.getAttribute('data-item-id')) ?? '');
    await expect(page.getByTestId('unreadable')).toContainText('never approvable');
    seen.push(((await page.getByTestId('unreadable').textContent()) ?? '').replaceAll(/\s+/g, ' '));
  }
  for (const [name, words] of Object.entries(REFUSED))
    expect(
      seen.some((text) => text.includes(parts(name)[1]) && text.includes(words)),
      `${name}: ${words}`,
    ).toBe(true);
});

const place = (page: Page, name: string) => page.getByRole('navigation').getByRole('button', { name });

/** Puts a fixture into the source that can continue here. */
async function put(...given: Parameters<typeof putIn>): Promise<Page> {
  return (await putIn(...given)).page;
}

async function putIn(
  {
    launch,
    folders,
    world,
  }: Pick<Parameters<Parameters<typeof test>[2]>[0], 'launch' | 'folders'> & {
    world: LedgerWorld;
  },
  system: System,
  file: string,
): Promise<Launched> {
  const TOOLS = JSON.stringify([{ name: 'shell_exec', inputSchema: { type: 'object' } }]);
  const { server } = world.ledger;
  const servers = [{ ...server, env: { ...server.env, TOOLS } }];
  writeSettings(folders, { ...world.settings, servers });
  const launched = await launch();
  publish(folders, file, bytesOf(system, file), 'local');
  return launched;
}

test('starweaver: an approval is decided by keyboard, runs once, and the finished run is one step away', async ({
  launch,
  folders,
  world,
}) => {
  const page = await put({ launch, folders, world }, 'starweaver', '01-waiting-one-approval.json');
  await select(page, 'shell_exec');
  await expect(page.getByTestId('about')).toContainText('node');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map(({ tool }) => tool)).toEqual(['shell_exec']);
  const from = await card(page).getAttribute('data-item-id');
  await page.getByRole('button', { name: 'Go to what came of it' }).focus();
  await page.keyboard.press('Enter');
  await expect(card(page)).not.toHaveAttribute('data-item-id', from ?? '');
  await expect(page.getByTestId('classification')).toContainText('finished; nothing to decide');
  await page.getByRole('button', { name: 'Go to the earlier record' }).focus();
  await page.keyboard.press('Enter');
  await expect(card(page)).toHaveAttribute('data-item-id', from ?? '');
});

test('S12 starweaver: an approval and the result of a deferred call are one act', async ({
  launch,
  folders,
  world,
}) => {
  const page = await put({ launch, folders, world }, 'starweaver', '03-waiting-approval-and-deferred.json');
  await select(page, 'shell_exec');
  await markApproved(page, 1);
  await nextCall(page);
  await expect(page.getByTestId('answer')).toBeVisible();
  await ready(page);
  await page.keyboard.press('a');
  await expect(page.getByTestId('answer-form').getByRole('radio', { name: 'Completed' })).toBeFocused();
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.type('three competitors');
  await ready(page);
  await page.keyboard.press('Control+Enter');
  await expect(bar(page)).toContainText('2 answered');
  await submit(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map(({ tool }) => tool)).toEqual(['shell_exec']);
  await expect(page.getByTestId('journal')).toContainText('Result given by a person, not executed here');
  await expect(page.getByTestId('decision')).toContainText('three competitors');
  const { messages } = JSON.parse(world.model.chats()[0]?.body ?? '{}');
  expect(messages.at(-1)).toMatchObject({ role: 'tool', content: 'three competitors' });
});

for (const { system, file, words } of [
  { system: 'cyrene', file: '01-interrupted-tool-loop.json', words: 'interrupted after step 3' },
  { system: 'runifold', file: '03-ready-after-parallel-tools.json', words: 'ready for turn 2' },
] as const)
  test(`${system}: a record in which nothing waits is let go on, and is never called approved`, async ({
    launch,
    folders,
    world,
  }) => {
    const page = await put({ launch, folders, world }, system, file);
    world.model.queue({ content: 'All of it is done.' });
    await goTo(page, 'Other');
    await select(page, words);
    await hasStatus(page, 'not_continued');
    await expect(page.getByTestId('go-on')).toBeVisible();
    await expect(card(page)).not.toContainText(/approve/i);
    await ready(page);
    await page.keyboard.press('a');
    await expect(confirmButton(page)).toContainText('Yes, let it go on');
    await confirmInControl(page);
    await hasStatus(page, 'finished');
    await expect(page.getByTestId('decision')).toContainText('Let go on');
    expect(world.model.chats()).toHaveLength(1);
    await page.getByRole('button', { name: 'Go to what came of it' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('stored-outcome')).toContainText('All of it is done.');
    await expect(bar(page)).toHaveCount(0);
  });

test('R7 runifold: a turn that may have run runs again only behind its warning', async ({ launch, folders, world }) => {
  const page = await put({ launch, folders, world }, 'runifold', '04-turn-2-in-flight.json');
  await goTo(page, 'Other');
  await select(page, 'turn 2 may have run');
  await expect(page.getByTestId('retry-refused')).toContainText('AmbiguousCheckpoint');
  const warning = ((await page.getByTestId('retry-warning').textContent()) ?? '').trim();
  expect(warning).toContain('may happen twice');
  await ready(page);
  for (const key of ['a', 'a', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await hasStatus(page, 'not_continued');
  await page.getByTestId('retry').focus();
  await ready(page);
  await page.keyboard.press('Enter');
  await expect(control(page)).toBeFocused();
  await expect(control(page)).toContainText(warning);
  await controlReady(page);
  // It has no key, in the approve control neither: only its button, reached on purpose.
  for (const key of ['a', 'Enter', 'Control+Enter']) await page.keyboard.press(key);
  await hasStatus(page, 'not_continued');
  await page.keyboard.press('Tab');
  await expect(confirmButton(page)).toBeFocused();
  await controlReady(page);
  await page.keyboard.press('Enter');
  await hasStatus(page, 'finished');
  expect(world.model.chats()).toHaveLength(1);
  await expect(page.getByTestId('decision')).toContainText('Turn 2 runs again');
  const decided = (await historyOf(page)).find(({ kind }) => kind === 'decided');
  expect(decided).toMatchObject({ by: 'Ada', text: expect.stringContaining('may happen twice') });
});

test('I12 one message for all that was dropped; at no size does it lie over the decision or the steps of the batch', async ({
  launch,
  folders,
}) => {
  writeSettings(folders);
  const { page, app } = await launch();
  const [system, file] = ['starweaver', '02-waiting-parallel-one-already-executed.json'] as const;
  publish(folders, file, bytesOf(system, file), 'local');
  await select(page, 'shell_exec');
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    for (const name of ['first.json', 'second.json']) transfer.items.add(new File(['{"a":'], name));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(toasts(page)).toHaveCount(1);
  await expect(toasts(page)).toContainText(/2 refused: first\.json, .*second\.json, /);
  await page.keyboard.press('Enter');
  for (const [width, height] of [
    [1280, 800],
    [800, 600],
    [640, 560],
  ] as const) {
    await app.evaluate(
      ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
      { width, height },
    );
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    const covered = await page.evaluate(() => {
      const boxes = (selector: string) =>
        [...document.querySelectorAll(selector)].map((e) => e.getBoundingClientRect());
      const steps = boxes('[data-testid="decision-bar"], .siblings');
      const over = boxes('[data-testid="toast"]').flatMap((toast) =>
        steps.filter(
          (box) => toast.left < box.right && toast.right > box.left && toast.top < box.bottom && toast.bottom > box.top,
        ),
      );
      return { steps: steps.length, over: over.length };
    });
    expect(covered, `${width} × ${height}`).toEqual({ steps: 2, over: 0 });
  }
  await page.keyboard.press('Escape');
  await expect(toasts(page)).toHaveCount(0);
});

test('S16 starweaver: a claim of somebody else holds the run until a person says that it was given up there', async ({
  launch,
  folders,
  world,
}) => {
  const { page, app } = await putIn({ launch, folders, world }, 'starweaver', '01-waiting-one-approval.json');
  await select(page, 'shell_exec');
  await expect(page.getByTestId('foreign-claim')).toHaveCount(0);
  publish(folders, 'claim.json', bytesOf('starweaver', 'claim-preflight.json'), 'local');
  await expect(page.getByTestId('foreign-claim')).toContainText('nothing has run');
  await expect(page.getByTestId('approve-off')).toContainText('active resume claim');
  // What is said may let a call go: the system asks, and the page cannot answer.
  await answerQuestions(app, ['no', 'yes']);
  await page.getByTestId('claim-given-up').click();
  await page.getByRole('textbox', { name: 'How do you know?' }).fill('Its host is gone');
  await page.getByTestId('claim-given-up-confirm').click();
  await expect(toasts(page).or(page.getByRole('alert'))).toContainText('You declined');
  await expect(page.getByTestId('foreign-claim')).toBeVisible();
  await page.getByTestId('claim-given-up-confirm').click();
  await expect(page.getByTestId('foreign-claim')).toHaveCount(0);
  await expect(page.getByTestId('neighbours')).toContainText('given up there, said');
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines().map(({ tool }) => tool)).toEqual(['shell_exec']);
  const given = (await historyOf(page)).find(({ kind }) => kind === 'claim_given_up');
  expect(given).toMatchObject({ by: expect.any(String), text: expect.stringContaining('Its host is gone') });
});
