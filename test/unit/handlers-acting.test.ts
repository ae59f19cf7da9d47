import { describe, expect, test } from 'vitest';
import { historyOf } from '../../electron/checkpoints/history.js';
import { readHead } from '../../electron/checkpoints/records.js';
import type { Binding } from '../../shared/decision.js';
import type { Outcome } from '../../shared/refusal.js';
import { acting, itemOf } from '../helpers/acting.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { klieo, refusalOf, unwrap } from '../helpers/world.js';

const IN_FLIGHT = fixtureOf('runifold', '04-turn-2-in-flight.json');
/** The same with a call of turn 1 that nothing answers. */
const OPEN_CALL = bytesOf(textOf(IN_FLIGHT).replace(/,\{"content":\[\{"call_id":"call_2".*?"role":"tool"\}(?=\])/, ''));
const NO_REPAIR = { repair: false };

async function shown(bytes: Uint8Array, settings: Record<string, unknown> = {}) {
  const w = new SystemsWorld(settings);
  const key = await w.put(bytes);
  const { binding } = await w.detail(key);
  if (binding === null) throw new Error('readable');
  return { w, key, id: itemOf(key), binding, window: acting(w) };
}

/** A handler may answer at once or later. */
const answered = async <T>(outcome: Outcome<T> | Promise<Outcome<T>>): Promise<Outcome<T>> => outcome;

describe('a turn that runs again (R7)', () => {
  test('is refused without a name, and changes nothing', async () => {
    const { w, key, id, binding, window } = await shown(IN_FLIGHT, { reviewer: ' ' });
    const said = await answered(window.retryTurn(id, binding, NO_REPAIR));
    expect(said).toMatchObject({ ok: false, refusal: { code: 'not_allowed', facts: { missing: 'reviewer' } } });
    expect((await w.row(key)).status).toBe('not_continued');
    expect(window.told).toEqual([]);
  });

  test('records name, time and the warning, tells the page, and lets the runner go on', async () => {
    const { w, key, id, binding, window } = await shown(IN_FLIGHT);
    const decision = unwrap(await answered(window.retryTurn(id, binding, NO_REPAIR)));
    expect(decision).toMatchObject({ retry: { turn: 2 }, reviewer: { name: 'Ada' }, step: { verdict: 'approve' } });
    expect(decision.repair).toBeUndefined();
    expect((await w.row(key)).status).toBe('decided');
    expect(window.told).toEqual(['runs:changed']);
    expect(window.due.size).toBe(1);
    const [act] = window.due.values();
    act?.();
    await expect.poll(async () => (await w.row(key)).status).toBe('finished');
    expect(w.requests).toHaveLength(1);
  });

  test('bound to what was on screen: another revision or digest is refused', async () => {
    const { id, binding, window } = await shown(IN_FLIGHT);
    const others: Binding[] = [
      { ...binding, revision: binding.revision + 1 },
      { ...binding, digest: binding.digest.replace(/^./, (c) => (c === '0' ? '1' : '0')) },
      { ...binding, resumeStep: binding.resumeStep + 1 },
    ];
    for (const other of others)
      expect(refusalOf(await answered(window.retryTurn(id, other, NO_REPAIR)))).toBe('changed_since_you_looked');
    expect(window.due.size).toBe(0);
  });

  test('C30: an earlier call without an answer needs the consent, which is recorded and reaches the model', async () => {
    const { w, key, id, binding, window } = await shown(OPEN_CALL);
    expect((await w.detail(key)).unanswered).toEqual([{ message: 2, id: 'call_2', name: 'issue_refund' }]);
    const refused = await answered(window.retryTurn(id, binding, NO_REPAIR));
    expect(refusalOf(refused)).toBe('transcript_invalid');
    expect(window.due.size).toBe(0);
    const decision = unwrap(await answered(window.retryTurn(id, binding, { repair: true })));
    expect(decision).toMatchObject({ retry: { turn: 2 }, repair: { unanswered: [{ message: 2, id: 'call_2' }] } });
    unwrap(await window.release({ act: 'continue', id }));
    const answers = w.requests[0]?.messages.filter(({ role }) => role === 'tool');
    expect(answers?.map(({ toolCallId }) => toolCallId)).toEqual(['call_1', 'call_2']);
    expect(answers?.[1]?.content).toMatch(/no recorded result/);
    const said = (await historyOf(w.store, key)).find(({ kind }) => kind === 'decided');
    expect(said?.text).toContain('may happen twice');
    expect(said?.text).toContain('1 earlier call without an answer gets a synthetic one');
    expect(await w.row({ ...key, seq: 2 })).toMatchObject({ status: 'finished' });
  });

  test('a record that cannot be read, or is none, is refused by name', async () => {
    const { binding, window } = await shown(IN_FLIGHT);
    expect(refusalOf(await answered(window.retryTurn('f:junk', binding, NO_REPAIR)))).toBe('unreadable');
    expect(refusalOf(await answered(window.retryTurn('s:none', binding, NO_REPAIR)))).toBe('bad_request');
  });
});

describe('run:route (H13)', () => {
  test('changes the way of an undecided run, and tells the page', async () => {
    const { w, key, id, window } = await shown(klieo('01-first-attempt-one-pending.json'));
    unwrap(await answered(window['run:route'](id, 'handed_over')));
    expect((await readHead(w.store, key))?.head.route).toBe('handed_over');
    expect((await w.row(key)).route).toBe('handed_over');
    expect(window.told).toEqual(['runs:changed']);
  });

  test('the same way again writes nothing', async () => {
    const { w, key, id, window } = await shown(klieo('01-first-attempt-one-pending.json'));
    const before = (await readHead(w.store, key))?.revision;
    unwrap(await answered(window['run:route'](id, 'here')));
    expect((await readHead(w.store, key))?.revision).toBe(before);
  });

  test('a decided run is taken from the runner when it is handed over, and given back', async () => {
    const { w, key, id, window } = await shown(klieo('01-first-attempt-one-pending.json'));
    unwrap(await w.decide(key, ['approve']));
    unwrap(await answered(window['run:route'](id, 'handed_over')));
    expect(window.due.size).toBe(0);
    unwrap(await answered(window['run:route'](id, 'here')));
    expect(window.due.size).toBe(1);
  });

  test('the way of a decided run changes only when a person says so to the system, and the question names the run', async () => {
    const { w, key, id, window } = await shown(klieo('01-first-attempt-one-pending.json'));
    unwrap(await answered(window['run:route'](id, 'handed_over')));
    unwrap(await answered(window['run:route'](id, 'here')));
    expect(window.questions).toEqual([]);
    unwrap(await w.decide(key, ['approve']));
    w.agrees = false;
    expect(refusalOf(await answered(window['run:route'](id, 'handed_over')))).toBe('not_allowed');
    expect((await readHead(w.store, key))?.head.route).toBe('here');
    expect(window.questions).toHaveLength(1);
    expect(window.questions[0]?.detail).toContain(key.runId);
  });

  test('a claimed run keeps its way', async () => {
    const { w, key, id, window } = await shown(klieo('01-first-attempt-one-pending.json'));
    unwrap(await w.decide(key, ['approve']));
    unwrap(await w.resume(key));
    expect(refusalOf(await answered(window['run:route'](id, 'handed_over')))).toBe('too_late');
    expect((await readHead(w.store, key))?.head.route).toBe('here');
  });

  test('what can only be handed over never continues here', async () => {
    const { id, window } = await shown(fixtureOf('runifold', 'wf-01-waiting-interrupt.json'));
    const refused = await answered(window['run:route'](id, 'here'));
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'handed_over' } });
  });

  test('a run that is gone is not found', async () => {
    const { window } = await shown(klieo('01-first-attempt-one-pending.json'));
    expect(refusalOf(await answered(window['run:route']('s:klieo:local:7:nobody', 'here')))).toBe('not_found');
  });
});
