import { compromised } from './compromised-world.js';
import { publish } from './data-folder.js';
import { expect, test } from './ledger-world.js';
import { klieoRecord } from './records.js';
import { ask, askAsControl, card, kinds, select } from './reviewer.js';

interface BulkShown {
  runs: { id: string }[];
  leftOut: { id: string }[];
}

test('several at once: main lists its own reading, the dangerous class and foreign digests drop out, and no script confirms', async ({
  launch,
  folders,
  world,
}) => {
  const tools = [{ tool: 'wipe', effect: 'destructive', repeatable: false } as const];
  const { page, inject, submission } = await compromised(launch, folders, { ...world.settings, tools });
  publish(folders, 'wipe.json', klieoRecord({ calls: [{ id: 'w', name: 'wipe', args: '{"path":"/"}' }] }));
  publish(
    folders,
    'two.json',
    klieoRecord({ calls: [{ id: 't', name: 'http_request', args: '{"url":"https://b.example/"}' }] }),
  );
  const submissionOf = async (words: string | RegExp) => {
    await select(page, words);
    const id = (await card(page).getAttribute('data-item-id')) ?? '';
    const { value } = (await ask(page, 'run:open', id)) as {
      value: { binding: unknown; calls: { index: number; argumentsSha256: string }[] };
    };
    const verdicts = value.calls.map(({ index, argumentsSha256 }) => ({ index, argumentsSha256, verdict: 'approve' }));
    return { id, binding: value.binding, verdicts };
  };
  const wipe = await submissionOf('wipe');
  const two = await submissionOf('b.example');
  const forged = { ...two, verdicts: two.verdicts.map((one) => ({ ...one, argumentsSha256: 'f'.repeat(64) })) };
  const offered = async (submissions: object[]) => {
    await inject(`window.outcome = 'waits';
      holdpoint.invoke('approve:offer', { act: 'decide_many', submissions: ${JSON.stringify(submissions)} })
        .then((r) => { window.outcome = r; });`);
    await expect
      .poll(async () => {
        const { value } = (await askAsControl(page, 'approve:view')) as { value: { offered: unknown } };
        return value.offered !== null || (await inject('return window.outcome')) !== 'waits';
      })
      .toBe(true);
    return ((await askAsControl(page, 'approve:view')) as { value: { offered: { release: BulkShown } | null } }).value
      .offered;
  };
  for (const alone of [wipe, forged]) {
    expect(await offered([alone])).toBeNull();
    expect(await inject('return window.outcome')).toMatchObject({ ok: false });
  }
  const list = await offered([two, wipe, { ...submission, binding: two.binding }]);
  expect(list?.release.runs.map(({ id }) => id)).toEqual([two.id]);
  expect(list?.release.leftOut.map(({ id }) => id)).toEqual([wipe.id, submission.id]);
  expect(await inject(`return holdpoint.invoke('decide:submit-many', ${JSON.stringify([two])})`)).toMatchObject({
    ok: false,
    refusal: { code: 'not_allowed' },
  });
  await inject(`const frame = document.getElementById('approve-control');
    frame.dataset.proposed = 'true'; frame.focus();
    for (let round = 0; round < 12; round++) {
      for (const key of ['a', 'Enter', 'PageDown'])
        frame.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true }));
      frames[0].postMessage({ key: 'a' }, '*');
      frame.click();
      await new Promise((done) => setTimeout(done, 50));
    }`);
  expect(await inject('return window.outcome')).toBe('waits');
  expect(await kinds(page)).not.toContain('decided');
  expect(world.ledger.lines()).toEqual([]);
});
