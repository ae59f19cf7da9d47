import type { Page } from 'playwright/test';
import { caseFile } from './cases.js';
import { compromised } from './compromised-world.js';
import { publish } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { answerQuestions } from './questions.js';
import {
  arm,
  ask,
  askAsControl,
  card,
  control,
  controlFrame,
  controlReady,
  hasStatus,
  kinds,
  notProposed,
  select,
} from './reviewer.js';

const untouched = async (page: Page, ledger: { lines(): unknown[] }): Promise<void> => {
  await hasStatus(page, 'waiting');
  expect(await kinds(page)).not.toContain('decided');
  expect(ledger.lines()).toEqual([]);
};

test('the approve control is another origin, another process, another bridge, and has no Node', async ({
  launch,
  folders,
  world,
}) => {
  const { page, app, inject } = await compromised(launch, folders, world.settings);
  const frames = await app.evaluate(({ BrowserWindow }) => {
    const main = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
    return [main, ...(main?.frames ?? [])].map((frame) => ({ origin: frame?.origin, pid: frame?.osProcessId }));
  });
  expect(frames.map(({ origin }) => origin)).toEqual(['app://holdpoint', 'app-approve://holdpoint']);
  expect(frames[0]?.pid).toBeGreaterThan(0);
  expect(frames[1]?.pid).toBeGreaterThan(0);
  expect(frames[0]?.pid).not.toBe(frames[1]?.pid);
  const inControl = await controlFrame(page).evaluate(() => ({
    own: 'holdpointApprove' in window,
    others: 'holdpoint' in window,
    node: 'require' in window || 'process' in window,
  }));
  expect(inControl).toEqual({ own: true, others: false, node: false });
  expect(await inject('return "holdpointApprove" in window')).toBe(false);
});

test('the control reaches no network, and no page but ours may hold it', async ({ launch, folders, world }) => {
  const { page } = await compromised(launch, folders, world.settings);
  const reached = await controlFrame(page).evaluate(async () => {
    const violated: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violated.push(event.effectiveDirective));
    const answer = await fetch('app-approve://holdpoint/approve.html').then(
      () => 'reached',
      () => 'refused',
    );
    document.body.append(Object.assign(document.createElement('img'), { src: 'app://holdpoint/' }));
    await new Promise((done) => setTimeout(done, 200));
    return { answer, violated: violated.sort() };
  });
  expect(reached).toEqual({ answer: 'refused', violated: ['connect-src', 'img-src'] });
});

test('calling, forging, messages, synthetic keys and clicks: nothing is approved', async ({
  launch,
  folders,
  world,
}) => {
  const { page, inject, submission } = await compromised(launch, folders, world.settings);
  const said = JSON.stringify(submission);
  const id = JSON.stringify(submission.id);

  expect(await inject(`return holdpoint.invoke('decide:submit', ${said})`)).toMatchObject({
    ok: false,
    refusal: { code: 'not_allowed' },
  });
  for (const channel of ['approve:view', 'approve:confirm', 'approve:leave', 'resume:continue', 'resume:redispatch'])
    expect(await inject(`return holdpoint.invoke('${channel}', ${id}, 'seal', 1)`), channel).toMatchObject({
      threw: expect.stringContaining('no such request'),
    });
  expect(await inject('return frames[0].holdpointApprove')).toMatchObject({
    threw: expect.stringContaining('SecurityError'),
  });
  expect(await inject('return frames[0].document.title')).toMatchObject({
    threw: expect.stringContaining('SecurityError'),
  });

  // It may propose; that is all the page itself can do. Without a person nothing comes of it.
  await inject(`window.outcome = 'waits';
    holdpoint.invoke('approve:offer', { act: 'decide', submission: ${said}, unread: [] }).then((r) => { window.outcome = r; });`);
  const offered = async () =>
    ((await askAsControl(page, 'approve:view')) as { value: { offered: { offer: string; seal: string } | null } }).value
      .offered;
  await expect.poll(offered).not.toBeNull();
  const { offer, seal } = (await offered()) ?? {};
  await inject(`
    const frame = document.getElementById('approve-control');
    frame.dataset.proposed = 'true';
    frame.focus();
    for (const data of ['a', { key: 'a' }, { type: 'confirm', offer: '${offer}', seal: '${seal}' },
      { channel: 'approve:confirm', args: ['${offer}', '${seal}', 1] }, ['approve:confirm', '${offer}', '${seal}']])
      for (const origin of ['*', 'app-approve://holdpoint']) frames[0].postMessage(data, origin);
    const targets = [frame, document, window, document.body];
    for (let round = 0; round < 12; round++) {
      for (const target of targets)
        for (const key of ['a', 'Enter'])
          for (const type of ['keydown', 'keypress', 'keyup'])
            target.dispatchEvent(new KeyboardEvent(type, { key, code: 'KeyA', bubbles: true, composed: true }));
      const box = frame.getBoundingClientRect();
      for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'])
        frame.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: box.right - 40, clientY: box.bottom - 20 }));
      frame.click();
      await new Promise((done) => setTimeout(done, 100));
    }`);
  expect(await inject('return window.outcome')).toBe('waits');
  await untouched(page, world.ledger);
});

test('settings that weaken safety: a reviewer key, no review, a program, the rule of two off: none without a native yes', async ({
  launch,
  folders,
  world,
}) => {
  const { page, app, inject } = await compromised(launch, folders, { ...world.settings, twoPersons: true });
  const questions = await answerQuestions(app, []);
  const publicKey = `${'A'.repeat(42)}8=`;
  const changes = [
    { reviewers: [{ name: 'Eve', publicKey }] },
    { tools: [{ tool: '*', effect: 'read_only', repeatable: true, noReview: true }] },
    { servers: [{ kind: 'stdio', name: 'ledger', command: '/bin/sh', args: ['-c', 'id'] }] },
    { twoPersons: false },
  ];
  const before = await inject('return (await holdpoint.invoke("settings:get")).value');
  for (const change of changes)
    expect(
      await inject(`const { value } = await holdpoint.invoke('settings:get');
        window.confirm = () => true;
        return holdpoint.invoke('settings:set', { ...value, ...${JSON.stringify(change)} })`),
    ).toMatchObject({ ok: false, refusal: { code: 'not_allowed' } });
  expect(await inject('return (await holdpoint.invoke("settings:get")).value')).toEqual(before);
  const asked = await questions();
  expect(asked).toHaveLength(4);
  expect(asked[0]).toContain(`“Eve” count from now on, with the public key ${publicKey}`);
  await untouched(page, world.ledger);
});

test('other frames get no bridge, and the control’s frame goes nowhere else', async ({ launch, folders, world }) => {
  const { page, inject } = await compromised(launch, folders, world.settings);
  const found = await inject(`
    const bridges = [];
    for (const change of [{}, { srcdoc: '<p>x</p>' }, { src: 'about:blank' }, { src: 'app://holdpoint/' },
      { src: 'app-approve://holdpoint/assets/approve.js' }, { src: 'app-approve://holdpoint/' }]) {
      const frame = document.createElement('iframe');
      try { Object.assign(frame, change); } catch { continue; }
      document.body.append(frame);
      await new Promise((done) => setTimeout(done, 150));
      try { bridges.push('holdpoint' in frame.contentWindow || 'holdpointApprove' in frame.contentWindow); }
      catch { bridges.push('closed'); }
      frame.remove();
    }
    return bridges;`);
  expect(found).not.toContain(true);
  await inject(`
    for (const to of ['app://holdpoint/', 'https://example.invalid/', 'app-approve://holdpoint/assets/approve.js', 'about:blank']) {
      document.getElementById('approve-control').src = to;
      await new Promise((done) => setTimeout(done, 150));
    }`);
  // Where it may be it is what it is; anywhere else it has no bridge. A sandboxed copy is no control either.
  for (const frame of page.frames().slice(1)) {
    const bridges = await frame.evaluate(() => ['holdpoint' in window, 'holdpointApprove' in window]);
    expect(bridges[0]).toBe(false);
    if (!frame.url().startsWith('app-approve://holdpoint/approve.html')) expect(bridges[1]).toBe(false);
  }
  await inject(`
    const frame = document.createElement('iframe');
    frame.setAttribute('sandbox', 'allow-scripts');
    frame.src = 'app-approve://holdpoint/approve.html';
    frame.id = 'shut-in';
    document.body.append(frame);
    await new Promise((done) => setTimeout(done, 300));`);
  const shutIn = page.frames().at(-1);
  const answer = await shutIn?.evaluate(() =>
    'holdpointApprove' in window
      ? (window as unknown as { holdpointApprove: { invoke(c: string): Promise<unknown> } }).holdpointApprove
          .invoke('approve:view')
          .then(
            () => 'answered',
            (error: Error) => error.message,
          )
      : 'no bridge',
  );
  expect(answer).not.toBe('answered');
  await untouched(page, world.ledger);
});

test('I3 a digest of another run, another call, or none: refused before the control shows anything', async ({
  launch,
  folders,
  world,
}) => {
  const { page, submission } = await compromised(launch, folders, world.settings);
  publish(folders, 'other.json', caseFile('C38', 'seen.json'));
  await select(page, 'send_payment');
  const other = (await card(page).getAttribute('data-item-id')) ?? '';
  const [foreign] = ((await ask(page, 'run:open', other)) as { value: { calls: { argumentsSha256: string }[] } }).value
    .calls;
  const forged = [
    { ...submission, verdicts: submission.verdicts.map((v) => ({ ...v, argumentsSha256: foreign?.argumentsSha256 })) },
    { ...submission, id: other },
    { ...submission, verdicts: submission.verdicts.map((v) => ({ ...v, index: 9 })) },
  ];
  for (const said of forged)
    expect(await ask(page, 'approve:offer', { act: 'decide', submission: said, unread: [] })).toMatchObject({
      ok: false,
      refusal: { code: 'changed_since_you_looked' },
    });
  expect(await kinds(page)).not.toContain('decided');
  expect(world.ledger.lines()).toEqual([]);
});

test('another run is put under the hand: the control shows it, and the press on its way counts for neither', async ({
  launch,
  folders,
  world,
}) => {
  const { page, inject } = await compromised(launch, folders, world.settings);
  publish(folders, 'other.json', caseFile('C38', 'seen.json'));
  await select(page, 'send_payment');
  const other = (await card(page).getAttribute('data-item-id')) ?? '';
  const seen = (
    (await ask(page, 'run:open', other)) as {
      value: { binding: unknown; calls: { index: number; argumentsSha256: string }[] };
    }
  ).value;
  const verdicts = seen.calls.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, verdict: 'approve' }));
  const said = JSON.stringify({ id: other, binding: seen.binding, verdicts });
  await select(page, 'http_request');
  await arm(page);
  await controlReady(page);
  await expect(control(page)).toContainText('http_request');
  await inject(`holdpoint.invoke('approve:offer', { act: 'decide', submission: ${said}, unread: [] })`);
  await page.keyboard.press('a');
  await expect(control(page)).toContainText('send_payment');
  await expect(control(page)).not.toContainText('http_request');
  expect(await kinds(page)).not.toContain('decided');
  expect(world.ledger.lines()).toEqual([]);
});

/** What the page does to the frame, and how it takes it back. Each hides, covers, moves or deforms what is to be read. */
const HIDES: Readonly<Record<string, string>> = {
  'covered, clicks going through': `const d = document.createElement('div'); d.id = 'cover';
    d.style.cssText = 'position:fixed;inset:0;background:#fff;pointer-events:none;z-index:9'; document.body.append(d);`,
  'half covered': `const d = document.createElement('div'); d.id = 'cover'; const b = frame.getBoundingClientRect();
    d.style.cssText = 'position:fixed;background:#fff;pointer-events:none;z-index:9;left:' + b.left + 'px;top:' + b.top +
      'px;width:' + b.width / 2 + 'px;height:' + b.height + 'px'; document.body.append(d);`,
  'see-through': `frame.style.opacity = '0.02';`,
  'a see-through parent': `frame.parentElement.style.opacity = '0.5';`,
  blurred: `frame.style.filter = 'blur(12px)';`,
  'blurred from behind glass': `const d = document.createElement('div'); d.id = 'cover';
    d.style.cssText = 'position:fixed;inset:0;pointer-events:none;backdrop-filter:blur(20px)'; document.body.append(d);`,
  'made small': `frame.style.transform = 'scale(0.2)';`,
  'turned over': `frame.style.transform = 'rotate(180deg)';`,
  'moved out of the window': `frame.style.transform = 'translateY(3000px)';`,
  'scrolled away': `frame.parentElement.style.position = 'relative'; frame.style.position = 'absolute'; frame.style.top = '5000px';`,
  'cut off below': `frame.style.height = '40px';`,
  'cut to a strip': `frame.style.clipPath = 'inset(0 0 70% 0)';`,
  'narrower than its words': `frame.style.width = '90px';`,
  'shut into a small box': `frame.parentElement.style.cssText = 'height:40px;overflow:hidden';`,
  invisible: `frame.style.visibility = 'hidden';`,
  'blended away': `frame.style.mixBlendMode = 'difference';`,
};
const BACK = `document.getElementById('cover')?.remove();
  for (const part of [frame, frame.parentElement]) for (const name of ['opacity', 'filter', 'transform', 'height', 'clip-path', 'width', 'overflow', 'visibility', 'mix-blend-mode', 'position', 'top']) part.style.removeProperty(name);
  frame.focus();`;
const FRAME = `const frame = document.getElementById('approve-control');`;

test('covered, moved, cut, faded or deformed, the control does not answer a real key', async ({
  launch,
  folders,
  world,
}) => {
  test.slow();
  const { page, inject } = await compromised(launch, folders, world.settings);
  await arm(page);
  await controlReady(page);
  for (const [how, script] of Object.entries(HIDES)) {
    await inject(`${FRAME} ${script}`);
    await expect(control(page), how).toHaveAttribute('data-ready', 'false');
    for (const key of ['a', 'Enter']) await page.keyboard.press(key);
    await hasStatus(page, 'waiting');
    await inject(`${FRAME} ${BACK}`);
    await controlReady(page);
  }
  await untouched(page, world.ledger);
});

test('shrunk by zoom, which the browser does not call a deformation: main refuses it', async ({
  launch,
  folders,
  world,
}) => {
  const { page, inject } = await compromised(launch, folders, world.settings);
  await arm(page);
  await controlReady(page);
  for (const part of ['frame', 'document.documentElement']) {
    await inject(`${FRAME} ${part}.style.zoom = '0.2'; frame.focus();`);
    await expect.poll(() => controlFrame(page).evaluate(() => devicePixelRatio)).toBeLessThan(0.5);
    // Whether it looks seen or not: pressed until it would count.
    await expect(async () => {
      await page.keyboard.press('a');
      await expect(control(page)).toContainText(/too small|covered/, { timeout: 400 });
    }).toPass();
    await hasStatus(page, 'waiting');
    await inject(`${FRAME} ${part}.style.zoom = ''; frame.focus();`);
  }
  await untouched(page, world.ledger);
});

test('what a person does see and confirm is sent, once', async ({ launch, folders, world }) => {
  const { page } = await compromised(launch, folders, world.settings);
  await arm(page);
  await controlReady(page);
  await page.keyboard.press('a');
  await notProposed(page);
  await hasStatus(page, 'finished');
  expect(world.ledger.lines()).toHaveLength(1);
});
