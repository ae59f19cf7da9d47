import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publish, writeSettings } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import {
  approve,
  bar,
  card,
  confirmInControl,
  goTo,
  hasStatus,
  mayApprove,
  readToEnd,
  ready,
  select,
} from './reviewer.js';
import { NOTHING, watch } from './watch.js';

/** Somebody's server: whatever reaches it got out of the window. */
let evil: Server;
let address = '';
const visits: string[] = [];
test.beforeAll(async () => {
  evil = createServer((request, response) => {
    visits.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(evil.address() as AddressInfo).port}`;
});
test.beforeEach(() => {
  visits.length = 0;
});
test.afterAll(() => evil.close());

/** Everything that has ever acted in a page that only meant to show it. */
const hostile = (): string =>
  [
    '<script>window.pwned=1</script>',
    `<img src="${address}/img" onerror="window.pwned=2">`,
    `<svg onload="window.pwned=3"><script href="${address}/svg"/></svg>`,
    `<iframe srcdoc="<script>parent.pwned=4</script>"></iframe>`,
    `<meta http-equiv="refresh" content="0;url=${address}/refresh">`,
    `<form action="${address}/form"><button>Approve</button></form>`,
    '<style>.middle{display:none}</style>',
    `<object data="${address}/object"></object><embed src="${address}/embed">`,
    `<a href="javascript:window.pwned=5">Approve</a>`,
    `[click](javascript:window.pwned=6) ![x](${address}/md)`,
    `${address}/plain file:///etc/passwd app://holdpoint/ //host/share data:text/html,<script>1</script>`,
    'https://bank.example@evil.example/ https://xn--pple-43d.example/',
    `![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+) <${address}/auto> [ref]`,
    `[ref]: ${address}/reference "title"`,
  ].join('\n');

const BIDI = 'safe\u202Etxt.exe\u202C';
const ZERO_WIDTH = 'pay\u200B\u2060ment\uFEFF';
const ANSI = '\u001B[31mred\u001B[0m';

test('I10 hostile text in task, words, tool name, arguments, ids, thread, file name, result and answer stays text', async ({
  launch,
  folders,
  world,
}) => {
  test.slow();
  const text = hostile();
  writeSettings(folders, world.settings);
  world.ledger.script({ send_email: { text }, http_request: { isError: true, text } });
  world.model.queue({ content: text });
  const { page, app } = await launch();
  const seen = await watch(page);
  const args = JSON.stringify({ to: BIDI, subject: ZERO_WIDTH, body: text, nested: { deep: [text, ANSI] } });
  const file = '<img src=x onerror=alert(1)> \u202E.json';
  publish(
    folders,
    file,
    klieoRecord({
      task: text,
      words: `${text}\n${BIDI}`,
      thread: `${ZERO_WIDTH} <b>thread</b> ${text}`,
      calls: [
        { id: `<i>${BIDI}`, name: 'send_email', args },
        { id: 'second', name: 'http_request', args: JSON.stringify({ url: 'javascript:window.pwned=7' }) },
        { id: 'third', name: '<img src=x onerror=window.pwned=8>', args: '{"<svg onload=1>":"__proto__"}' },
      ],
    }),
  );
  publish(folders, `refused ${file}`, '{"run_id": "<script>window.pwned=9</script>"');
  await select(page, 'send_email');
  await expect(page.getByTestId('arguments')).toContainText('<script>window.pwned=1</script>');
  // What nobody would see is shown as a mark, in every place.
  for (const name of ['U+202E', 'U+200B', 'U+001B'])
    await expect(page.getByTestId('arguments').locator('.mark', { hasText: name }).first()).toBeVisible();
  await expect(page.getByTestId('conversation')).toContainText('<iframe srcdoc=');
  await expect(page.getByTestId('conversation').locator('.mark', { hasText: 'U+202E' }).first()).toBeVisible();
  expect(await seen.traces()).toEqual(NOTHING);
  // A button that a text asked for is no button.
  await expect(page.getByRole('button', { name: 'Approve', exact: true })).toHaveCount(0);
  await expect(page.getByRole('link')).toHaveCount(0);
  for (const pane of ['i', 'i', 't', 't']) await page.keyboard.press(pane);
  await page.getByRole('tab', { name: 'History' }).click();
  expect(await seen.traces()).toEqual(NOTHING);

  // The agent's own words, unfolded.
  await card(page).locator('details.agent-words summary').click();
  expect(await seen.traces()).toEqual(NOTHING);

  for (const call of [1, 2, 3]) {
    await readToEnd(page);
    await mayApprove(page);
    await page.keyboard.press('a');
    await expect(bar(page)).toContainText(new RegExp(`\\b${call} approved`));
    await page.keyboard.press(']');
  }
  await page.getByTestId('submit').press('Control+Enter');
  await confirmInControl(page);
  await hasStatus(page, 'finished');
  await expect(page.getByTestId('final-answer')).toContainText('<script>window.pwned=1</script>');
  await expect(page.getByTestId('journal')).toContainText('<form action=');
  expect(await seen.traces()).toEqual(NOTHING);

  for (const place of ['Unreadable', 'Finished', 'History', 'Settings', 'Needs me']) {
    await goTo(page, place);
    if (place === 'Unreadable') {
      await select(page, /./);
      await expect(page.getByTestId('unreadable')).toContainText('<script>window.pwned=9</script>');
    }
    expect(await seen.traces(), place).toEqual(NOTHING);
  }
  expect(seen.faults).toEqual([]);
  expect(visits).toEqual([]);
  expect(page.url()).toBe('app://holdpoint/');
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('I10 a line of 1 MB, 100,000 nested brackets in a text, and keys of objects: shown, and nothing hangs', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const seen = await watch(page);
  const long = `BEGIN ${'x'.repeat(1_000_000)} END`;
  const nested = '['.repeat(100_000);
  const args = `{"line":${JSON.stringify(long)},"nested":${JSON.stringify(nested)},"__proto__":{"polluted":1},"constructor":"x","toString":"y"}`;
  publish(folders, 'big.json', klieoRecord({ calls: [{ id: 'c', name: 'publish_post', args }] }));
  await select(page, 'publish_post');
  // Not all of it comes by itself; Approve waits for the rest, and for long fields to be read to their end.
  await expect(page.getByTestId('approve-off')).toContainText('not loaded to their end');
  await page.getByRole('button', { name: 'Load the whole text' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('approve-off')).toContainText('Not read to the end yet');
  await expect(page.getByTestId('arguments')).toContainText('__proto__');
  await expect(page.getByTestId('arguments')).toContainText('polluted');
  await expect(page.getByTestId('arguments')).toContainText('constructor');
  for (const field of ['line', 'nested']) {
    const fold = page.locator('.long-field', { hasText: field }).first();
    await fold.getByRole('button').first().focus();
    await page.keyboard.press('Enter');
    // A very long text comes part by part.
    const last = fold.getByRole('button', { name: 'Last part' }).first();
    if ((await last.count()) > 0) await last.press('Enter');
    const region = fold.locator('section.long-text');
    await region.focus();
    // Rows are measured as they come into view, so the end may move on.
    await expect(async () => {
      await page.keyboard.press('End');
      await expect(fold).toHaveAttribute('data-reached', 'true', { timeout: 500 });
    }).toPass({ timeout: 30_000 });
  }
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()[0]?.arguments).toBe(args);
  expect(await page.evaluate(() => ({}) as { polluted?: number })).toEqual({});
  expect(seen.faults).toEqual([]);
});

test('I10 duplicate keys in arguments are named, and Approve is off while they stand', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const args = '{"to":"a@example.com","to":"evil@example.com"}';
  publish(folders, 'twice.json', klieoRecord({ calls: [{ id: 'c', name: 'send_email', args }] }));
  await select(page, 'send_email');
  await expect(page.getByTestId('arguments')).toContainText('more than once');
  await expect(page.getByTestId('approve-off')).toBeVisible();
  await ready(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  expect(world.ledger.lines()).toEqual([]);
});

const NAMES = ['request', 'options', 'execution', 'environment', 'a_key_of_some_length', 'variables', 'inner', 'cmd'];

/** `value` under as many keys as `depth` says. */
const nest = (depth: number, value: string): unknown =>
  NAMES.slice(-depth).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

test('I12 nested arguments lie inside the card at every width, and Approve is off while part lies to the side', async ({
  launch,
  folders,
  world,
}) => {
  test.slow();
  writeSettings(folders, world.settings);
  const { page, app } = await launch();
  const fields = Array.from({ length: 8 }, (_, i) => [
    `depth${i + 1}`,
    nest(i + 1, `VALUE-${i + 1} ${'w'.repeat(90)}`),
  ]);
  const args = JSON.stringify({ path: 'x', ...Object.fromEntries(fields), list: [[[['VALUE-9']]]] });
  publish(folders, 'deep.json', klieoRecord({ calls: [{ id: 'c', name: 'publish_post', args }] }));
  await select(page, 'publish_post');
  await page.keyboard.press('Enter');
  for (const width of [640, 900, 1280]) {
    await app.evaluate(({ BrowserWindow }, w) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, 800), width);
    await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(width);
    const measured = await page.evaluate(() => {
      const box = document.querySelector('.args')?.getBoundingClientRect();
      const outside: string[] = [];
      const values = [...document.querySelectorAll('.args .marked')];
      for (const value of values)
        for (const rect of value.getClientRects())
          if (!box || rect.left < box.left || rect.right > box.right + 1 || rect.right > innerWidth)
            outside.push(value.textContent ?? '');
      const text = document.querySelector('.args')?.textContent ?? '';
      return { outside, missing: [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((n) => !text.includes(`VALUE-${n}`)) };
    });
    expect(measured, `${width} wide`).toEqual({ outside: [], missing: [] });
  }
  const scroller = page.locator('.card-scroll');
  await scroller.focus();
  await page.keyboard.press('End');
  await mayApprove(page);
  // Whatever made it so: what lies to the side was not read, even where it had been.
  await page.evaluate(() => {
    const values = document.querySelectorAll<HTMLElement>('.args .fields.nested');
    for (const value of values) value.style.minWidth = '2000px';
    document.querySelector('.args')?.append(document.createElement('i'));
  });
  await expect(page.getByTestId('approve-off')).toContainText('lies to the side');
  await ready(page);
  await page.keyboard.press('a');
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  expect(world.ledger.lines()).toEqual([]);
});

test('I12 a card that a narrow window does not show takes no decision', async ({ launch, folders, world }) => {
  writeSettings(folders, world.settings);
  const { page, app } = await launch();
  const resize = (width: number): Promise<void> =>
    app.evaluate(({ BrowserWindow }, w) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, 560), width);
  publish(folders, 'run.json', klieoRecord({ calls: [{ id: 'c', name: 'publish_post', args: '{"path":"x"}' }] }));
  await select(page, 'publish_post');
  await mayApprove(page);
  await resize(640);
  await expect(card(page)).toBeHidden();
  await expect(bar(page)).toHaveAttribute('data-ready', 'false');
  for (const key of ['a', 'a', 'r']) await page.keyboard.press(key);
  await expect(bar(page)).toHaveAttribute('data-mode', 'idle');
  await resize(1280);
  await expect(card(page)).toBeVisible();
  await approve(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
});

test('I10 escapes in folded arguments are decoded, and a name with line breaks stays one line', async ({
  launch,
  folders,
  world,
}) => {
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const args = `{"deep":{"a":{"b":{"c":{"d":{"e":{"f":"\\u0072\\u006d -rf\\u200b"}}}}}}}`;
  const name = `publish_post\nServer: trusted\t${'n'.repeat(400)}`;
  publish(folders, 'run.json', klieoRecord({ calls: [{ id: 'c', name, args }] }));
  await select(page, 'publish_post');
  const shown = page.getByTestId('arguments');
  await expect(shown).toContainText('"rm -rf');
  await expect(shown.locator('.mark', { hasText: 'U+200B' })).toBeVisible();
  await shown.getByRole('button', { name: 'Exact text' }).click();
  await expect(shown).toContainText('\\u0072\\u006d');
  const title = page.getByTestId('verdict').locator('h1');
  await expect(title.locator('.mark', { hasText: 'U+000A line feed' })).toBeVisible();
  await expect(title.locator('.mark', { hasText: 'U+0009 tab' })).toBeVisible();
  expect(await title.textContent()).not.toContain('\n');
  await title.getByRole('button').click();
  await expect(title).toContainText('n'.repeat(400));
});

test('I10 nested quotes, a table of 10,000 columns, a 5 MB line, a 1 MB address: text in every view, and nothing hangs', async ({
  launch,
  folders,
  world,
}) => {
  test.slow();
  writeSettings(folders, world.settings);
  const { page } = await launch();
  const seen = await watch(page);
  const svg = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64')}`;
  const url = `${address}/${'a'.repeat(1_000_000)}`;
  const texts = {
    quotes: '>'.repeat(100_000),
    brackets: '['.repeat(100_000),
    table: `|${'a|'.repeat(10_000)}\n|${'-|'.repeat(10_000)}\n`,
    line: 'x'.repeat(5_000_000),
  };
  const args = JSON.stringify({
    svg,
    picture: `${address}/p.png`,
    file: 'file:///etc/passwd',
    own: 'app://holdpoint/x',
    url,
  });
  for (const [name, words] of Object.entries(texts))
    publish(
      folders,
      `${name}.json`,
      klieoRecord({ words, task: words.slice(0, 15_000), calls: [{ id: 'c', name, args }] }),
    );
  for (const name of Object.keys(texts)) {
    await select(page, name);
    await expect(page.getByTestId('arguments')).toContainText('image/svg+xml');
    await card(page).locator('details.agent-words summary').click();
    for (const key of ['i', 't', 't']) await page.keyboard.press(key);
    await expect(page.getByTestId('conversation')).toBeVisible();
    expect(await seen.traces(), name).toEqual(NOTHING);
  }
  expect(seen.faults).toEqual([]);
  expect(visits).toEqual([]);
  expect(page.url()).toBe('app://holdpoint/');
});
