import { describe, expect, test } from 'vitest';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import { inspectJson } from '../../electron/formats/read-record.js';
import { RunDetail } from '../../shared/ipc.js';
import { type JsonNode, readJsonText } from '../../shared/json.js';
import { RunRow } from '../../shared/run-row.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

const HOSTILE = [
  '18446744073709551616',
  '9007199254740993',
  '-1',
  '1e400',
  'null',
  '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
  '"\\ud800"',
  '"\\u0000../../x"',
  '"9999-12-31T23:59:59Z"',
  `${'['.repeat(126)}${']'.repeat(126)}`,
];

function valuesOf(node: JsonNode): JsonNode[] {
  const inner =
    node.kind === 'object' ? node.entries.map(({ value }) => value) : node.kind === 'array' ? node.items : [];
  return [node, ...inner.flatMap(valuesOf)];
}

const put = (w: SystemsWorld, bytes: Uint8Array) =>
  takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route: 'here' });

describe('a record with a hostile value anywhere', () => {
  test.each([
    ['klieo', '01-first-attempt-one-pending.json'],
    ['starweaver', '01-waiting-one-approval.json'],
    ['starweaver', 'approval-pending.json'],
    ['starweaver', 'claim-preflight.json'],
    ['runifold', '04-turn-2-in-flight.json'],
    ['runifold', 'wf-01-waiting-interrupt.json'],
    ['cyrene', '01-interrupted-tool-loop.json'],
  ])(
    'I5 %s %s: it is read or refused by name, and what is taken in can be listed and opened',
    async (system, file) => {
      const text = textOf(fixtureOf(system, file));
      const read = readJsonText(text);
      if (!read.ok) throw new Error('a fixture that is read');
      const places = valuesOf(read.root);
      for (const [at, { start, end }] of places.entries()) {
        // Every value at some place, and every place with some values.
        const hostile = HOSTILE.filter((_, n) => n % 3 === at % 3);
        for (const value of hostile) {
          const bytes = bytesOf(text.slice(0, start) + value + text.slice(end));
          expect(JSON.parse(inspectJson(bytes))).toHaveProperty('state');
          const w = new SystemsWorld();
          const taken = await put(w, bytes);
          if (!taken.ok) continue;
          for (const row of await w.rows()) RunRow.parse(row);
          if (taken.value.beside === undefined) RunDetail.parse(await w.detail(taken.value.key));
        }
      }
      expect(Object.prototype).not.toHaveProperty('x');
    },
    60_000,
  );
});

describe('what could not be written or kept is refused before anything happens', () => {
  test('a step beyond what is counted here gets nothing into the store', async () => {
    const w = new SystemsWorld();
    const text = textOf(fixtureOf('runifold', 'wf-01-waiting-interrupt.json'));
    const refused = await put(w, bytesOf(text.replace(/"next_index":\d+/, '"next_index":9007199254740993')));
    expect(refusalOf(refused)).toBe('unreadable');
    expect(refused.ok || refused.refusal.text).toContain('resumeStep');
    expect(await w.rows()).toEqual([]);
  });

  test.each([
    ['"updated_at": "2026-07-20T09:14:03Z"', '"updated_at": "+262142-12-31T23:59:59.999999999Z"'],
    ['sess-42:3', 'sess-42:999999999999999'],
  ])('Cyrene: after the last time or step that can be written nothing is claimed', async (was, is) => {
    const compact = JSON.stringify(JSON.parse(textOf(fixtureOf('cyrene', '01-interrupted-tool-loop.json'))));
    const [from, to] = [was.replace(': ', ':'), is.replace(': ', ':')];
    const step = is.startsWith('sess') ? '"step":999999999999999' : '"step":3';
    const w = new SystemsWorld({
      sources: [{ name: 'local', profile: { model: 'scripted', servers: ['ledger'], maxSteps: 10 } }],
    });
    const key = await w.put(bytesOf(compact.replace(from, to).replace('"step":3', step)));
    unwrap(await w.say(key, [], { step: 'approve' }));
    expect(refusalOf(await w.resume(key))).toBe('nothing_to_continue');
    expect(w.requests).toEqual([]);
    expect(unwrap(await load(w.store, key)).head.latch).toBeNull();
  });

  test('a run that stands beyond the steps of its profile fires nothing, and goes on once there are more', async () => {
    const w = new SystemsWorld();
    const key = await w.put(klieoRecord({ step: 40, calls: [{ id: 'a', name: 'issue_refund', args: '{"n":1}' }] }));
    unwrap(await w.decide(key, ['approve']));
    const refused = await w.resume(key);
    expect(refused).toMatchObject({ refusal: { code: 'no_profile', facts: { maxSteps: 32, step: 40 } } });
    expect(w.ledger).toEqual([]);
    const [source] = w.settings.sources;
    if (!source?.profile) throw new Error('the source has a profile');
    w.settings = { ...w.settings, sources: [{ ...source, profile: { ...source.profile, maxSteps: 50 } }] };
    unwrap(await w.resume(key));
    expect(w.ledger).toHaveLength(1);
  });
});

describe('records beside a run that speak of another one', () => {
  const approval = textOf(fixtureOf('starweaver', 'approval-pending.json'));
  const [run] = /run_[0-9a-f-]{36}/.exec(approval) ?? [''];
  const other = `run_${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`;

  test('S11 an approval of another run that names a call of this one decides nothing here', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '01-waiting-one-approval.json'));
    const denied = textOf(fixtureOf('starweaver', 'approval-denied.json')).replace(
      `"run_id":"${run}"`,
      `"run_id":"${other}"`,
    );
    unwrap(await put(w, bytesOf(denied)));
    expect((await w.detail(key)).neighbours).toBeUndefined();
    unwrap(await w.say(key, [{}]));
  });

  test('S11 one of this run whose own id names another refuses by name, before anything is written', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '01-waiting-one-approval.json'));
    unwrap(
      await put(w, bytesOf(approval.replace(`"approval_id":"approval_${run}`, `"approval_id":"approval_${other}`))),
    );
    const refused = await w.say(key, [{}]);
    expect(refused).toMatchObject({ ok: false, refusal: { facts: { upstream: 'MismatchedDecisionEvidence' } } });
    expect(unwrap(await load(w.store, key)).decision.kind).toBe('none');
  });

  test('S11 records of two sessions beside one run refuse by name', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '03-waiting-approval-and-deferred.json'));
    unwrap(await put(w, bytesOf(approval.replace(/"session_id":"[^"]+"/, '"session_id":"session_a"'))));
    unwrap(
      await put(
        w,
        bytesOf(
          textOf(fixtureOf('starweaver', 'deferred-waiting.json')).replace(
            /"session_id":"[^"]+"/,
            '"session_id":"session_b"',
          ),
        ),
      ),
    );
    const refused = await w.say(key, [{}, { verdict: 'answer', answer: { status: 'completed', text: 'x' } }]);
    expect(refused.ok).toBe(false);
    expect(unwrap(await load(w.store, key)).decision.kind).toBe('none');
  });

  test('S8 a revision at the end of 64 bits is exhausted: refused by name, nothing is written', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '01-waiting-one-approval.json'));
    unwrap(await put(w, bytesOf(approval.replace('"revision":1', '"revision":18446744073709551615'))));
    const refused = await w.say(key, [{}]);
    expect(refused).toMatchObject({ ok: false, refusal: { facts: { upstream: 'Conflict' } } });
    expect(refused.ok || refused.refusal.text).toContain('exhausted');
  });
});
