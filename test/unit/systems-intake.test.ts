import { describe, expect, test } from 'vitest';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import type { Outcome } from '../../shared/refusal.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const runifold = (file: string) => fixtureOf('runifold', file);
const put = (w: SystemsWorld, bytes: Uint8Array) =>
  takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route: 'here' });
const factsOf = (outcome: Outcome<unknown>) => (outcome.ok ? {} : outcome.refusal.facts);

describe('R1 revisions of one checkpoint', () => {
  test('a higher revision takes the place of a lower one; a late lower one is a Conflict and changes nothing', async () => {
    const w = new SystemsWorld();
    const first = await w.put(runifold('01-ready-revision-0.json'));
    const newer = await w.put(runifold('03-ready-after-parallel-tools.json'));
    expect((await w.row(first)).status).toBe('superseded');
    const late = await put(w, runifold('02-turn-in-flight.json'));
    expect(refusalOf(late)).toBe('superseded');
    expect(factsOf(late)).toMatchObject({ upstream: 'Conflict', actual: '2', next: '1' });
    expect(await w.row(newer)).toMatchObject({ status: 'not_continued' });
    expect(await w.rows()).toHaveLength(2);
  });

  test('one revision with two contents is a Conflict; the same bytes are known', async () => {
    const w = new SystemsWorld();
    await w.put(runifold('03-ready-after-parallel-tools.json'));
    const other = textOf(runifold('03-ready-after-parallel-tools.json')).replace(
      /"updated_at_ms":\d+/,
      '"updated_at_ms":1',
    );
    expect(factsOf(await put(w, bytesOf(other)))).toMatchObject({ upstream: 'Conflict' });
    expect(unwrap(await put(w, runifold('03-ready-after-parallel-tools.json'))).outcome).toBe('already_known');
  });

  test('revisions are compared as 64 bits', async () => {
    const w = new SystemsWorld();
    const at = (revision: string) =>
      bytesOf(
        textOf(runifold('03-ready-after-parallel-tools.json')).replace(/"revision":\d+/, `"revision":${revision}`),
      );
    await w.put(at('9007199254740993'));
    expect(factsOf(await put(w, at('9007199254740992')))).toMatchObject({ upstream: 'Conflict' });
    unwrap(await put(w, at('9007199254740994')));
  });

  test('two checkpoints of one run stand beside each other, and each goes on by itself', async () => {
    const w = new SystemsWorld();
    const one = await w.put(runifold('03-ready-after-parallel-tools.json'));
    const id = unwrap(await load(w.store, one)).record.checkpointId ?? '';
    const text = textOf(runifold('01-ready-revision-0.json')).replace(
      `"id":"${id}"`,
      '"id":"0198f0c1-7b1e-7c3a-9d2e-ffffffffffff"',
    );
    const other = await w.put(bytesOf(text));
    expect(other).toMatchObject({ runId: one.runId, seq: 2 });
    expect((await w.row(one)).status).toBe('not_continued');
    unwrap(await w.say(one, [], { step: 'approve' }));
    unwrap(await w.say(other, [], { step: 'approve' }));
    unwrap(await w.resume(one, 'a'));
    unwrap(await w.resume(other, 'b'));
    expect(w.requests.map(({ messages }) => messages.length)).toEqual([5, 2]);
    expect((await w.rows()).map(({ status }) => status)).toEqual(['finished', 'finished', 'finished', 'finished']);
  });

  test('a revision that was written here and one of runifold itself: the second is a Conflict', async () => {
    const w = new SystemsWorld();
    const key = await w.put(runifold('03-ready-after-parallel-tools.json'));
    unwrap(await w.say(key, [], { step: 'approve' }));
    unwrap(await w.resume(key));
    expect(factsOf(await put(w, runifold('04-turn-2-in-flight.json')))).toMatchObject({ upstream: 'Conflict' });
  });
});

describe('Cyrene rows', () => {
  const row = (step: number, updated: string) =>
    textOf(fixtureOf('cyrene', '01-interrupted-tool-loop.json'))
      .replace(/"id":\s*"[^"]+"/, `"id":"sess-42:${step}"`)
      .replace(/"step":\s*\d+/, `"step":${step}`)
      .replace(/"updated_at":\s*"[^"]+"/, `"updated_at":"${updated}"`);

  test('C1 a row that another file of the session holds is never written over: refused by name before the claim', async () => {
    const w = new SystemsWorld();
    await w.put(bytesOf(row(4, '2026-01-01T00:00:00Z')));
    const key = await w.put(bytesOf(row(3, '2026-06-01T00:00:00Z')));
    unwrap(await w.say(key, [], { step: 'approve' }));
    const refused = await w.resume(key);
    expect(refusalOf(refused)).toBe('already_claimed');
    expect(factsOf(refused)).toEqual({ system: 'cyrene', id: 'sess-42:4' });
    expect(w.requests).toEqual([]);
    expect(unwrap(await load(w.store, key)).head.latch).toBeNull();
  });
});
