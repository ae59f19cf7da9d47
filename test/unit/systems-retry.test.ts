import { describe, expect, test } from 'vitest';
import { historyOf } from '../../electron/checkpoints/history.js';
import { load } from '../../electron/checkpoints/records.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const IN_FLIGHT = '04-turn-2-in-flight.json';

describe('R7 a turn that was in flight', () => {
  test('the default policy refuses it with its number, decided or not', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('runifold', IN_FLIGHT));
    expect(await w.row(key)).toMatchObject({ status: 'not_continued', needsPerson: false, other: true });
    for (const refused of [await w.say(key, [], { step: 'approve' }), await w.resume(key)]) {
      expect(refusalOf(refused)).toBe('unknown_outcome');
      expect(refused).toMatchObject({
        refusal: {
          text: expect.stringContaining('AmbiguousCheckpoint'),
          facts: { upstream: 'AmbiguousCheckpoint', turn: 2 },
        },
      });
    }
    expect(w.requests).toEqual([]);
  });

  test('RetryInterruptedTurn is an act of its own: warned, recorded with name and time, then the turn runs once more', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('runifold', IN_FLIGHT));
    const { retry } = await w.detail(key);
    expect(retry).toMatchObject({ turn: 2, refused: expect.stringContaining('turn 2') });
    expect(retry?.warning).toMatch(/may happen twice/);
    const decision = unwrap(await w.say(key, [], { step: 'approve', retry: true }));
    expect(decision.retry).toEqual({ turn: 2, warning: retry?.warning });
    const [said] = (await historyOf(w.store, key)).filter(({ kind }) => kind === 'decided');
    expect(said).toMatchObject({ by: 'Ada', at: '2026-07-20T10:00:00Z', facts: { retry: { turn: 2 } } });
    expect(said?.text).toContain('may happen twice');
    w.answersWith('Once more.');
    unwrap(await w.resume(key));
    const before = unwrap(await load(w.store, key)).record;
    expect(w.requests[0]?.messages).toEqual(before.messages);
    const next = (await w.rows()).find(({ seq }) => seq === 2);
    const { record } = unwrap(await load(w.store, { ...key, seq: next?.seq ?? 0 }));
    expect(record).toMatchObject({ state: 'finished', revision: '4', completedStep: 2 });
  });

  test('a turn that contradicts the counters is not let run again', async () => {
    const w = new SystemsWorld();
    const text = textOf(fixtureOf('runifold', IN_FLIGHT)).replace('"turn":2', '"turn":7');
    const key = await w.put(bytesOf(text));
    expect(refusalOf(await w.say(key, [], { step: 'approve', retry: true }))).toBe('blocked_by_warning');
  });

  test('R15 a step of a workflow in flight is refused by its name, and nothing here lets it run again', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('runifold', 'wf-02-step-in-flight.json'));
    expect((await w.detail(key)).retry).toBeUndefined();
    const refused = await w.say(key, [], { step: 'approve', retry: true });
    expect(refused).toMatchObject({ refusal: { code: 'unknown_outcome', facts: { step: 'charge' } } });
  });

  test('a retry says nothing of a record that is not in flight', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('runifold', '03-ready-after-parallel-tools.json'));
    expect(unwrap(await w.say(key, [], { step: 'approve', retry: true })).retry).toBeUndefined();
  });
});
