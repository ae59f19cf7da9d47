import { describe, expect, test } from 'vitest';
import { sweep } from '../../electron/checkpoints/gc.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import type { Outcome } from '../../shared/refusal.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

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

  test('C2 a file whose latest row was updated before the one that is known never takes its place', async () => {
    const w = new SystemsWorld();
    const newer = await w.put(bytesOf(row(4, '2026-07-20T09:20:00Z')));
    for (const older of [row(3, '2026-07-20T09:19:59.999999999Z'), row(3, '2026-07-20T09:20:00Z')]) {
      const late = await put(w, bytesOf(older));
      expect(refusalOf(late)).toBe('superseded');
      expect(late.ok || late.refusal.text).toMatch(/older record of this run.*stays/);
    }
    expect(await w.rows()).toHaveLength(1);
    expect((await w.row(newer)).status).toBe('not_continued');
    // Started again from step 1 (CF3): the later update counts, not the higher step.
    const again = await w.put(bytesOf(row(1, '2026-07-20T09:21:00Z')));
    expect(again.seq).toBe(2);
  });

  test('C2 of one update the other bytes are the next suspension (H2)', async () => {
    const w = new SystemsWorld();
    const first = await w.put(bytesOf(row(4, '2026-07-20T09:20:00Z')));
    const other = await w.put(bytesOf(row(4, '2026-07-20T09:20:00Z').replace('{', '{"shard":7,')));
    expect(other.seq).toBe(2);
    expect((await w.row(first)).status).toBe('superseded');
  });

  test('C2 what goes on from a row of the future is dated after it, so that it is the one that is loaded', async () => {
    const w = new SystemsWorld();
    const key = await w.put(bytesOf(row(4, '9999-12-31T23:59:59.999Z')));
    unwrap(await w.say(key, [], { step: 'approve' }));
    unwrap(await w.resume(key));
    const next = unwrap(await load(w.store, { ...key, seq: 2 }));
    expect(next.record).toMatchObject({
      state: 'finished',
      updatedAt: '9999-12-31T23:59:59.999001Z',
      completedStep: 5,
    });
  });

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

describe('S19 checkpoints of one starweaver run', () => {
  const waiting = textOf(fixtureOf('starweaver', '01-waiting-one-approval.json'));
  const withId = (file: string, id: string) =>
    bytesOf(textOf(fixtureOf('starweaver', file)).replaceAll(/ckpt_[0-9a-f-]+/g, `ckpt_${id}`));

  test('S4 S6 an earlier boundary that comes late never takes the place of the one that waits', async () => {
    const w = new SystemsWorld();
    const key = await w.put(bytesOf(waiting));
    for (const file of ['04-running-no-pending.json', '14-pending-but-status-running.json']) {
      const late = await put(w, withId(file, '11111111-1111-4111-8111-111111111111'));
      expect(refusalOf(late)).toBe('superseded');
    }
    expect((await w.row(key)).status).toBe('waiting');
    const later = await w.put(withId('03-waiting-approval-and-deferred.json', '22222222-2222-4222-8222-222222222222'));
    expect(later.seq).toBe(2);
    expect((await w.row(key)).status).toBe('superseded');
  });

  test('S6 in the order in which a run passes its boundaries each takes the place of the one before', async () => {
    const w = new SystemsWorld();
    const files = [
      '04-running-no-pending.json',
      '14-pending-but-status-running.json',
      '01-waiting-one-approval.json',
      '03-waiting-approval-and-deferred.json',
    ];
    for (const [at, file] of files.entries())
      expect((await w.put(withId(file, `${at}${'0'.repeat(7)}-0000-4000-8000-000000000000`))).seq).toBe(at + 1);
  });

  test('S19 the same checkpoint in other bytes is known: without its envelope, or with its keys in another order', async () => {
    const w = new SystemsWorld();
    const key = await w.put(bytesOf(waiting));
    const { payload } = JSON.parse(waiting);
    const reversed = Object.fromEntries(Object.entries(payload).reverse());
    for (const same of [
      JSON.stringify(payload),
      JSON.stringify(JSON.parse(waiting), null, 2),
      JSON.stringify(reversed),
    ])
      expect(unwrap(await put(w, bytesOf(same)))).toEqual({ outcome: 'already_known', key });
    expect(await w.rows()).toHaveLength(1);
  });

  test('S19 one id with other content is the next suspension (H2) and says what starweaver calls it', async () => {
    const w = new SystemsWorld();
    const key = await w.put(bytesOf(waiting));
    expect((await w.detail(key)).warnings.map(({ code }) => code)).not.toContain('Conflict');
    const other = await w.put(bytesOf(waiting.replace('"metadata":{', '"metadata":{"changed":true,')));
    expect(other.seq).toBe(2);
    expect((await w.row(key)).status).toBe('superseded');
    const [warning] = (await w.detail(other)).warnings.filter(({ code }) => code === 'Conflict');
    expect(warning).toMatchObject({ blocksApproval: false, text: expect.stringContaining('other content') });
  });
});

describe('klieo records that come late', () => {
  const at = (step: number, createdAt: string) =>
    klieoRecord({ step, createdAt, calls: [{ id: 'a', name: 'issue_refund', args: `{"at":"${createdAt}"}` }] });

  test('K4 K6 one of an earlier step, or of an earlier stop at the same step, never takes the place of a later one', async () => {
    const w = new SystemsWorld();
    const key = await w.put(at(3, '2026-07-20T09:14:03.482917Z'));
    for (const late of [at(2, '2026-07-20T09:20:00Z'), at(3, '2026-07-20T09:14:03.482916999Z')])
      expect(refusalOf(await put(w, late))).toBe('superseded');
    expect((await w.row(key)).status).toBe('waiting');
    expect((await w.put(at(3, '2026-07-20T09:14:04Z'))).seq).toBe(2);
  });

  test('H2 nor when the later one was removed since', async () => {
    const w = new SystemsWorld();
    const key = await w.put(at(3, '2026-07-20T09:14:03Z'));
    w.now += 100n * 24n * 3600n * 1_000_000_000n;
    await sweep(w.store, w.ports.clock, { ttl: () => 1n });
    expect(await w.rows()).toEqual([]);
    expect(refusalOf(await put(w, at(2, '2026-07-20T09:10:00Z')))).toBe('superseded');
    expect((await w.put(at(4, '2026-07-20T09:15:00Z'))).seq).toBe(key.seq + 1);
  });

  test('a run of the future goes on here all the same: what our own resume wrote follows what it continues', async () => {
    const w = new SystemsWorld();
    const key = await w.put(at(3, '9999-01-01T00:00:00Z'));
    unwrap(await w.decide(key, ['approve']));
    w.asks({ id: 'b', name: 'issue_refund', arguments: '{"n":2}' });
    unwrap(await w.resume(key));
    expect((await w.row({ ...key, seq: 2 })).status).toBe('waiting');
  });
});
