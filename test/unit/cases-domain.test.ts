import { describe, expect, it, vi } from 'vitest';
import { decide, object, undo } from '../../electron/checkpoints/decide.js';
import { detailOf } from '../../electron/checkpoints/detail.js';
import { allEvidence } from '../../electron/checkpoints/evidence.js';
import { sweep } from '../../electron/checkpoints/gc.js';
import { handOver } from '../../electron/checkpoints/handover.js';
import { historyOf } from '../../electron/checkpoints/history.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { DECISIONS, HEADS, JOURNALS, suspensionText } from '../../electron/checkpoints/keys.js';
import { dispatchAgain, reconcile } from '../../electron/checkpoints/reconcile.js';
import { load, readHead, readJournal } from '../../electron/checkpoints/records.js';
import { markInterruptedHere } from '../../electron/checkpoints/recovery.js';
import { listRows } from '../../electron/checkpoints/rows.js';
import { Runner } from '../../electron/checkpoints/runner.js';
import { StoreFull } from '../../electron/store/contract.js';
import { MemoryStore } from '../../electron/store/memory-store.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { at, caseFile, klieoRecord, refusalOf, unwrap, World } from '../helpers/world.js';

// Hundreds of runs of one property, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const HOUR = 3_600_000_000_000n;
const statusOf = async (world: World, key: SuspensionKey) =>
  (await listRows(world.store, world.ports, () => null)).find((row) => row.id === `s:${suspensionText(key)}`)?.status;
const sent = (world: World) => world.requests[0]?.messages ?? [];
const answersOf = (world: World) =>
  sent(world)
    .filter((m) => m.role === 'tool')
    .map((m) => [m.toolCallId, m.content]);
const journalOf = async (world: World, key: SuspensionKey) => (await readJournal(world.store, key))?.journal;
const card = async (world: World, key: SuspensionKey) =>
  unwrap(await detailOf(world.store, world.ports, key, { waiting: () => null, running: false, listed: [] }));

describe('C01 crash after the effect', () => {
  it('is listed as unknown, approve is refused by name, and only "it did not run" opens the call again', async () => {
    const world = new World();
    world.ledger.push({ tool: 'send_payment', arguments: 'the line from before the crash' });
    const key = await world.put(caseFile('C01', 'checkpoint.json'));
    expect(await statusOf(world, key)).toBe('unknown_outcome');
    for (let i = 0; i < 2; i++) {
      const said = await world.decide(key, ['approve']);
      expect(said).toMatchObject({
        ok: false,
        refusal: { code: 'ResumeReplayBlocked', facts: { tools: ['send_payment'] } },
      });
    }
    await markInterruptedHere(world.store);
    expect(await statusOf(world, key)).toBe('unknown_outcome');
    expect(world.ledger).toHaveLength(1);
    world.now += 10_000n * HOUR;
    expect((await sweep(world.store, world.ports.clock, { ttl: () => HOUR })).reaped).toBe(0);
    world.now -= 10_000n * HOUR;
    unwrap(await reconcile(world.store, world.ports, key, 0, { how: 'it_ran', result: 'paid 1250.00' }, 'Ada'));
    expect(refusalOf(await world.decide(key, ['approve']))).toBe('incomplete_decision');
    unwrap(await world.resume(key));
    expect(world.ledger).toHaveLength(1);
    expect(answersOf(world)).toEqual([['call_pay_1', 'paid 1250.00']]);
  });
});

describe('C03 two responses race', () => {
  it('one dispatch over 200 trials; the other is told who claimed and when; the loser changes nothing', async () => {
    for (let trial = 0; trial < 200; trial++) {
      const world = new World();
      const key = await world.put(caseFile('C03', 'checkpoint.json'));
      unwrap(await world.decide(key, ['approve']));
      const ended = await Promise.all([world.resume(key, 'a'), world.resume(key, 'b')]);
      expect(ended.filter((e) => e.ok)).toHaveLength(1);
      const lost = ended.find((e) => !e.ok);
      expect(['already_claimed', 'nothing_to_continue']).toContain(lost && !lost.ok && lost.refusal.code);
      expect(world.ledger).toHaveLength(1);
      expect(answersOf(world)).toEqual([['tc-9', 'ok']]);
    }
  });

  it('the claim is durable before the dispatch: an end between the two leaves a latch and no line', async () => {
    const world = new World();
    const key = await world.put(caseFile('C03', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve']));
    world.onPoint = (point) => {
      if (point === 'claim.after-latch') throw new Error('killed');
    };
    await expect(world.resume(key)).rejects.toThrow('killed');
    expect(world.ledger).toEqual([]);
    expect((await readHead(world.store, key))?.head.latch).not.toBeNull();
    world.onPoint = () => {};
    unwrap(await world.resume(key, 'after restart'));
    expect(world.ledger).toHaveLength(1);
  });
});

describe('C05 retry without guard', () => {
  it('keeps an outcome per call; going on offers p3, never p1, and p2 only after a reconciliation', async () => {
    const world = new World();
    world.script = (tool) =>
      tool === 'send_email'
        ? { kind: 'unknown', cause: 'connection_lost', text: 'SMTP timeout after DATA' }
        : { kind: 'result', text: 'ok' };
    const key = await world.put(caseFile('C05', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    unwrap(await world.resume(key));
    expect((await journalOf(world, key))?.calls.map((c) => c.state)).toEqual(['done', 'unknown', 'not_started']);
    expect(await statusOf(world, key)).toBe('unknown_outcome');
    expect(refusalOf(await world.resume(key, 'retry'))).toBe('unknown_outcome');
    expect(refusalOf(await dispatchAgain(world.store, world.ports, key, 'Ada'))).toBe('ResumeReplayBlocked');
    expect(world.ledger.map((l) => l.tool)).toEqual(['send_payment', 'send_email']);
    unwrap(
      await reconcile(world.store, world.ports, key, 1, { how: 'it_ran', result: 'it is in the sent folder' }, 'Ada'),
    );
    unwrap(await world.resume(key, 'again'));
    expect(world.ledger.map((l) => l.tool)).toEqual(['send_payment', 'send_email', 'web_search']);
    expect(answersOf(world).map(([id]) => id)).toEqual(['p1', 'p2', 'p3']);
  });
});

it('C07 verdicts are bound to the call, whatever order they were given in', async () => {
  const world = new World();
  const key = await world.put(caseFile('C07', 'checkpoint.json'));
  const loaded = unwrap(await load(world.store, key));
  const [remove, mail] = loaded.record.pending ?? [];
  unwrap(
    await decide(world.store, world.ports, {
      key,
      binding: { revision: loaded.revision, resumeStep: 2, digest: loaded.head.digest },
      verdicts: [
        {
          index: mail?.index ?? -1,
          argumentsSha256: mail?.argumentsSha256 ?? '',
          verdict: 'reject',
          reason: 'not yet',
        },
        { index: remove?.index ?? -1, argumentsSha256: remove?.argumentsSha256 ?? '', verdict: 'approve' },
      ],
      repair: false,
      reviewer: { name: 'Ada' },
    }),
  );
  unwrap(await world.resume(key));
  expect(world.ledger.map((l) => l.tool)).toEqual(['delete_file']);
  expect(answersOf(world)[1]?.[0]).toBe('mail-12');
  expect(answersOf(world)[1]?.[1]).toContain('not yet');
});

it('C09 equal ids: both calls shown and named, approving refused, rejecting possible, nothing fires', async () => {
  const world = new World();
  const key = await world.put(caseFile('C09', 'checkpoint.json'));
  const shown = await card(world, key);
  expect(shown.calls.map((c) => c.name)).toEqual(['delete_file', 'send_payment']);
  expect(shown.approveBlocked.join(' ')).toMatch(/delete_file/);
  expect(shown.approveBlocked.join(' ')).toMatch(/send_payment/);
  expect(refusalOf(await world.decide(key, ['approve', { reject: 'no' }]))).toBe('ids_collide');
  expect(refusalOf(await world.decide(key, ['approve', 'approve']))).toBe('ids_collide');
  unwrap(await world.decide(key, [{ reject: 'no' }, { reject: 'no' }]));
  unwrap(await world.resume(key));
  expect(world.ledger).toEqual([]);
  const ids = answersOf(world).map(([id]) => id);
  expect(new Set(ids).size).toBe(2);
  expect(
    sent(world)
      .find((m) => m.toolCalls.length === 2)
      ?.toolCalls.map((c) => c.id),
  ).toEqual(ids);
  expect(new TextDecoder().decode(unwrap(await load(world.store, key)).bytes)).toBe(
    new TextDecoder().decode(caseFile('C09', 'checkpoint.json')),
  );
});

it('C11 as a klieo record, a call without an id makes the file unreadable', async () => {
  const world = new World();
  const taken = await takeIn(world.store, world.ports.clock, {
    bytes: caseFile('C11', 'checkpoint.json'),
    source: 'local',
    via: 'inbox',
    route: 'here',
  });
  expect(taken).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
});

it('C11 empty ids: separate calls, stable transcript ids in call and answer, stored bytes as they came', async () => {
  const bytes = klieoRecord({
    calls: [
      { id: '', name: 'update_record', args: '{"id":5}' },
      { id: '', name: 'create_contact', args: '{"name":"B"}' },
    ],
  });
  const ids: (string | null)[][] = [];
  for (let restart = 0; restart < 2; restart++) {
    const world = new World();
    const key = await world.put(bytes);
    const shown = await card(world, key);
    expect(shown.calls.map((c) => c.id)).toEqual(['', '']);
    if (shown.approveBlocked.length === 0) unwrap(await world.decide(key, [{ reject: 'no' }, 'approve']));
    else unwrap(await world.decide(key, [{ reject: 'no' }, { reject: 'no' }]));
    unwrap(await world.resume(key));
    const asked =
      sent(world)
        .find((m) => m.toolCalls.length === 2)
        ?.toolCalls.map((c) => c.id) ?? [];
    expect(new Set(asked).size).toBe(2);
    expect(asked).not.toContain('');
    expect(answersOf(world).map(([id]) => id)).toEqual(asked);
    expect(new TextDecoder().decode(unwrap(await load(world.store, key)).bytes)).toBe(new TextDecoder().decode(bytes));
    ids.push(asked);
  }
  expect(ids[0]).toEqual(ids[1]);
});

describe('C12 only the first runs', () => {
  it('three approved calls: three lines in batch order, three answers', async () => {
    const world = new World();
    const key = await world.put(caseFile('C12', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    unwrap(await world.resume(key));
    expect(world.ledger.map((l) => (JSON.parse(l.arguments) as { target: string }).target)).toEqual(['a', 'b', 'c']);
    expect(answersOf(world).map(([id]) => id)).toEqual(['c1', 'c2', 'c3']);
  });
  it('with c2 failing the batch goes on, and every call has an outcome', async () => {
    const world = new World();
    world.script = (_tool, text) =>
      text.includes('"b"') ? { kind: 'error', text: 'b is down' } : { kind: 'result', text: 'ok' };
    const key = await world.put(caseFile('C12', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    unwrap(await world.resume(key));
    expect((await journalOf(world, key))?.calls.map((c) => c.state)).toEqual(['done', 'failed', 'done']);
  });
});

it('C14 an unknown tool is risky wherever it stands; nothing runs before the whole batch is decided', async () => {
  for (const file of ['checkpoint-unknown-first.json', 'checkpoint-unknown-last.json']) {
    const world = new World();
    const key = await world.put(caseFile('C14', file));
    const shown = await card(world, key);
    const magic = shown.calls.find((c) => c.name === 'vendor_magic');
    expect(magic?.facts).toMatchObject({ known: false, effect: 'changes', repeatable: false });
    const loaded = unwrap(await load(world.store, key));
    const partial = await decide(world.store, world.ports, {
      key,
      binding: { revision: loaded.revision, resumeStep: 2, digest: loaded.head.digest },
      verdicts: [{ index: magic?.index ?? 0, argumentsSha256: magic?.argumentsSha256 ?? '', verdict: 'approve' }],
      repair: false,
      reviewer: { name: 'Ada' },
    });
    expect(refusalOf(partial)).toBe('incomplete_decision');
    expect(refusalOf(await world.resume(key))).toBe('not_decided');
    expect(world.ledger).toEqual([]);
  }
});

it('C18 an edit changes arguments only: what runs is the tool that was reviewed', async () => {
  const world = new World();
  const key = await world.put(caseFile('C18', 'checkpoint.json'));
  unwrap(await world.decide(key, [{ edit: '{"path":"/var/log/other.log"}' }]));
  unwrap(await world.resume(key));
  expect(world.ledger).toEqual([{ tool: 'read_file', arguments: '{"path":"/var/log/other.log"}' }]);
  expect(answersOf(world)[0]?.[1]).toContain('edited the arguments');
});

it('C20 an edit that turns a number into text is refused with its place; the rest keeps its types', async () => {
  const world = new World();
  const key = await world.put(caseFile('C20', 'checkpoint.json'));
  const original = unwrap(await load(world.store, key)).record.pending?.[0]?.arguments ?? '';
  expect(refusalOf(await world.decide(key, [{ edit: original.replace('500', '"500"') }]))).toBe('invalid_edit');
  expect(refusalOf(await world.decide(key, [{ edit: '{"table": ' }]))).toBe('invalid_edit');
  unwrap(await world.decide(key, [{ edit: original.replace('"events"', '"events_2024"') }]));
  unwrap(await world.resume(key));
  expect(world.ledger[0]?.arguments).toBe(original.replace('"events"', '"events_2024"'));
  expect(world.ledger[0]?.arguments).toContain('"code": "007"');
});

it('C22 a rejection is terminal: a later approve is refused with who rejected and when, and kept', async () => {
  const world = new World();
  const key = await world.put(caseFile('C22', 'checkpoint.json'));
  unwrap(await world.decide(key, [{ reject: 'no' }], { by: 'Ada' }));
  const early = await world.decide(key, ['approve'], { by: 'Ben' });
  expect(early).toMatchObject({ ok: false, refusal: { code: 'already_decided', facts: { by: 'Ada' } } });
  unwrap(await world.resume(key));
  const late = await world.decide(key, ['approve'], { by: 'Ben' });
  expect(refusalOf(late)).toBe('already_claimed');
  expect(late.ok ? '' : late.refusal.text).toMatch(/Ada.*reject/s);
  expect(world.ledger).toEqual([]);
  expect((await allEvidence(world.store)).map((e) => e.kind)).toEqual(['came_second', 'came_too_late']);
});

it('C24 without a tool table every call is gated and not repeatable; a decline runs nothing and answers the call', async () => {
  const world = new World({ tools: [] });
  const key = await world.put(caseFile('C24', 'checkpoint.json'));
  expect((await card(world, key)).calls[0]?.facts).toMatchObject({ known: false, repeatable: false, noReview: false });
  unwrap(await world.decide(key, [{ reject: '' }]));
  unwrap(await world.resume(key));
  expect(world.ledger).toEqual([]);
  expect(answersOf(world)[0]?.[0]).toBe('w1');
});

it('C25 a rejected call has a machine word of its own, and the model is told that a person did not let it run', async () => {
  const world = new World();
  const key = await world.put(caseFile('C25', 'checkpoint.json'));
  unwrap(await world.decide(key, ['approve', { reject: 'wrong address' }]));
  unwrap(await world.resume(key));
  const calls = (await journalOf(world, key))?.calls;
  expect(calls?.map((c) => [c.state, c.cause ?? null])).toEqual([
    ['done', null],
    ['rejected', 'rejected_by_person'],
  ]);
  const told = answersOf(world)[1]?.[1] ?? '';
  expect(told).toMatch(/NOT executed/);
  expect(told).toMatch(/person|reviewer/i);
  const kinds = (await historyOf(world.store, key)).map((e) => e.kind);
  expect(kinds).toContain('done');
  expect(kinds).toContain('rejected');
});

it("C27 expiry and withdrawal are words of their own; only a person's rejection carries a name", async () => {
  const world = new World();
  const key = await world.put(caseFile('C27', 'checkpoint.json'));
  expect((await historyOf(world.store, key)).map((e) => e.kind)).toEqual(['taken_in']);
  world.now += 24n * 8n * HOUR;
  expect(await statusOf(world, key)).toBe('expired');
  await sweep(world.store, world.ports.clock, { ttl: () => 168n * HOUR });
  const after = await historyOf(world.store, key);
  expect(after.map((e) => e.kind)).toEqual(['expired']);
  expect(after.every((e) => e.by === null)).toBe(true);
});

it('C28 a rejection answers the call under its own id, right after the asking message, with text', async () => {
  const world = new World();
  const key = await world.put(caseFile('C28', 'checkpoint.json'));
  unwrap(await world.decide(key, [{ reject: 'keep it' }]));
  unwrap(await world.resume(key));
  const asked = sent(world).findIndex((m) => m.toolCalls.some((c) => c.id === 'call_m4'));
  expect(sent(world)[asked + 1]).toMatchObject({ role: 'tool', toolCallId: 'call_m4' });
  expect(sent(world)[asked + 1]?.content).toContain('keep it');
  expect(sent(world).filter((m) => m.role === 'tool')).toHaveLength(1);
});

describe('C30 a call deep in the history without a result', () => {
  it("refuses to approve without the reviewer's consent to a synthetic answer, and fires nothing", async () => {
    const world = new World();
    const key = await world.put(caseFile('C30', 'checkpoint.json'));
    expect((await card(world, key)).unanswered).toEqual([{ message: 1, id: 'toolu_old', name: 'read_file' }]);
    const said = await world.decide(key, ['approve']);
    expect(refusalOf(said)).toBe('transcript_invalid');
    expect(said.ok ? '' : said.refusal.text).toContain('toolu_old');
    expect(world.ledger).toEqual([]);
  });
  it('with consent inserts a synthetic answer right after message 1, recorded in the decision', async () => {
    const world = new World();
    const key = await world.put(caseFile('C30', 'checkpoint.json'));
    const decision = unwrap(await world.decide(key, ['approve'], { repair: true }));
    expect(decision.repair).toEqual({ unanswered: [{ message: 1, id: 'toolu_old' }] });
    unwrap(await world.resume(key));
    expect(sent(world)[2]).toMatchObject({ role: 'tool', toolCallId: 'toolu_old' });
    expect(world.ledger).toHaveLength(1);
  });
  it('a 4xx of the model ends the run without asking again', async () => {
    const world = new World();
    const key = await world.put(caseFile('C28', 'checkpoint.json'));
    world.answers = [{ kind: 'refused', status: 400, text: 'bad transcript' }];
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect(world.requests).toHaveLength(1);
    expect((await journalOf(world, key))?.continuation).toMatchObject({ state: 'failed', cause: 'model_refused' });
  });
});

it('C32 a mixed batch keeps the asking message whole, with three answers in order', async () => {
  const world = new World();
  const key = await world.put(caseFile('C32', 'checkpoint.json'));
  const third = unwrap(await load(world.store, key)).record.pending?.[2]?.arguments ?? '';
  unwrap(await world.decide(key, ['approve', { reject: 'too much' }, { edit: third.replace('"C"', '"D"') }]));
  unwrap(await world.resume(key));
  expect(world.ledger.map((l) => (JSON.parse(l.arguments) as { name: string }).name)).toEqual(['A', 'D']);
  const asked = sent(world).find((m) => m.toolCalls.length > 0);
  expect(asked?.toolCalls.map((c) => c.id)).toEqual(['m1', 'm2', 'm3']);
  expect(answersOf(world).map(([id]) => id)).toEqual(['m1', 'm2', 'm3']);
});

it('C35 what cannot go on is "recorded, not executed" with its reason and age, and is found again', async () => {
  const world = new World({ sources: [] });
  const key = await world.put(caseFile('C35', 'checkpoint.json'));
  const runner = new Runner(
    world.store,
    world.ports,
    { set: (after, act) => (after === 0 || after === 1 ? setImmediate(act) : null), clear: () => {} },
    () => {},
  );
  const decision = unwrap(await world.decide(key, ['approve']));
  await runner.decided(key, decision.notBefore);
  await expect.poll(() => runner.waitingOf(`s:${suspensionText(key)}`)?.code).toBe('no_profile');
  const [row] = await listRows(world.store, world.ports, (item) => runner.waitingOf(item));
  expect(row).toMatchObject({ status: 'decided' });
  expect(row?.note).toMatch(/^Recorded, not executed/);
  expect(world.ledger).toEqual([]);
  const restarted = new Runner(
    world.store,
    world.ports,
    { set: (_after, act) => setImmediate(act), clear: () => {} },
    () => {},
  );
  world.settings = new World().settings;
  await restarted.recover();
  await expect.poll(() => world.ledger.length).toBe(1);
  await expect.poll(() => statusOf(world, key)).toBe('finished');
});

it('C37 the loop re-enters at step 3 and dispatches s3 only', async () => {
  const world = new World();
  const key = await world.put(caseFile('C37', 'checkpoint.json'));
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  expect(world.ledger.map((l) => l.tool)).toEqual(['send_email']);
  expect((await journalOf(world, key))?.continuation).toMatchObject({ state: 'completed', steps: 3 });
});

it('C38 what was swapped after the look is refused, and neither amount is sent', async () => {
  const world = new World();
  const key = await world.put(caseFile('C38', 'seen.json'));
  const seen = unwrap(await load(world.store, key));
  const call = seen.record.pending?.[0];
  const swapped = await world.put(caseFile('C38', 'swapped.json'));
  expect(swapped.seq).toBe(2);
  const submitted = {
    binding: { revision: seen.revision, resumeStep: 2, digest: seen.head.digest },
    verdicts: [{ index: 0, argumentsSha256: call?.argumentsSha256 ?? '', verdict: 'approve' as const }],
    repair: false,
    reviewer: { name: 'Ada' },
  };
  expect(refusalOf(await decide(world.store, world.ports, { key, ...submitted }))).toBe('superseded');
  expect(refusalOf(await decide(world.store, world.ports, { key: swapped, ...submitted }))).toBe(
    'changed_since_you_looked',
  );
  expect(refusalOf(await world.resume(key))).toBe('superseded');
  // Swapped between the click and the claim, behind the back of every rule: the digest under the claim refuses.
  const other = new World();
  const victim = await other.put(caseFile('C38', 'seen.json'));
  unwrap(await other.decide(victim, ['approve']));
  const head = await other.store.get(HEADS, suspensionText(victim));
  const forged = new TextDecoder()
    .decode(head?.value)
    .replace(': 100,', ': 100000,')
    .replace('\\"amount\\": 100', '\\"amount\\": 100000');
  await other.store.put(HEADS, suspensionText(victim), new TextEncoder().encode(forged));
  expect(refusalOf(await other.resume(victim))).toBe('changed_since_you_looked');
  expect([...world.ledger, ...other.ledger]).toEqual([]);
});

it('C40 a tool that is gone: not executed, said so, answered in the transcript', async () => {
  const world = new World();
  const key = await world.put(caseFile('C40', 'checkpoint.json'));
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  expect(world.ledger).toEqual([]);
  expect((await journalOf(world, key))?.calls[0]).toMatchObject({ state: 'failed', cause: 'tool_not_available' });
  expect(answersOf(world)[0]?.[0]).toBe('o1');
  expect(answersOf(world)[0]?.[1]).toMatch(/^Not executed/);
});

it('C47 an empty argument string and null are shown as received, and {} is sent', async () => {
  for (const [file, raw] of [
    ['checkpoint.json', '""'],
    ['checkpoint-missing.json', 'null'],
  ] as const) {
    const world = new World();
    const key = await world.put(caseFile('C47', file));
    const shown = await card(world, key);
    expect(shown.calls[0]).toMatchObject({ argumentsText: raw, sentAs: 'empty_object' });
    expect(shown.approveBlocked).toEqual([]);
    unwrap(await world.decide(key, ['approve']));
    unwrap(await world.resume(key));
    expect(world.ledger).toEqual([{ tool: 'rotate_keys', arguments: '{}' }]);
    expect(unwrap(await load(world.store, key)).record.pending?.[0]?.arguments).toBe(raw);
  }
});

it('C50 digits are shown and sent as written; 1e400 is unreadable', async () => {
  const bytes = new TextDecoder().decode(caseFile('C50', 'checkpoint.json'));
  const world = new World();
  const refusedOne = await takeIn(world.store, world.ports.clock, {
    bytes: new TextEncoder().encode(bytes),
    source: 'local',
    via: 'inbox',
    route: 'here',
  });
  expect(refusedOne).toMatchObject({ ok: false, refusal: { code: 'unreadable' } });
  const readable = bytes.replace('"exp":1e400,', '');
  const key = await world.put(new TextEncoder().encode(readable));
  expect((await card(world, key)).calls[0]?.argumentsText).toContain('2512292042121000001');
  unwrap(await world.decide(key, ['approve']));
  unwrap(await world.resume(key));
  expect(world.ledger[0]?.arguments).toBe(/"args":(\{.*?\}\})/.exec(readable)?.[1]);
});

it('C54 duplicate keys: never approvable; at top level the record is unreadable, hence latched', async () => {
  const world = new World();
  const key = await world.put(caseFile('C54', 'checkpoint.json'));
  const said = await world.decide(key, ['approve']);
  expect(refusalOf(said)).toBe('blocked_by_warning');
  const warnings = (await card(world, key)).warnings.map((w) => `${w.text} ${w.path}`).join('\n');
  expect(warnings).toMatch(/amount/);
  expect(warnings).toMatch(/\bto\b/);
  expect(warnings).toMatch(/pending_tool_calls\[0\]\.args/);
  const top = await takeIn(world.store, world.ports.clock, {
    bytes: caseFile('C54', 'checkpoint-toplevel.json'),
    source: 'local',
    via: 'inbox',
    route: 'here',
  });
  expect(top.ok ? '' : top.refusal.text).toMatch(/duplicate key.*resume_attempted.*top level/);
});

it('C69 one function says "too old": list, card, decide, claim and sweep agree at each of the three clocks', async () => {
  const clock = JSON.parse(new TextDecoder().decode(caseFile('C69', 'clock.json'))) as {
    ttl_hours: number;
    now: string[];
  };
  const expired: boolean[][] = [];
  for (const [file, now] of [
    ...clock.now.map((n) => ['checkpoint.json', n]),
    ['checkpoint-nanos.json', clock.now[1]],
  ] as [string, string][]) {
    const world = new World({ gc: { ttlHours: clock.ttl_hours } });
    world.now = at('2026-03-01T09:59:00Z');
    const key = await world.put(caseFile('C69', file));
    world.now = at(now);
    const listed = (await statusOf(world, key)) === 'expired';
    const shown = (await card(world, key)).row.status === 'expired';
    const said = await world.decide(key, ['approve']);
    const decided = !said.ok && said.refusal.code === 'expired';
    const other = new World({ gc: { ttlHours: clock.ttl_hours } });
    other.now = at('2026-03-01T09:59:00Z');
    const swept = await other.put(caseFile('C69', file));
    other.now = at(now);
    const reaped =
      (await sweep(other.store, other.ports.clock, { ttl: () => BigInt(clock.ttl_hours) * HOUR })).reaped === 1;
    expect((await readHead(other.store, swept)) === null).toBe(reaped);
    const early = new World({ gc: { ttlHours: clock.ttl_hours } });
    early.now = at('2026-03-01T09:59:00Z');
    const claimed = await early.put(caseFile('C69', file));
    unwrap(await early.decide(claimed, ['approve']));
    early.now = at(now);
    const ended = await early.resume(claimed);
    expired.push([listed, shown, decided, reaped, !ended.ok && ended.refusal.code === 'expired']);
  }
  expect(expired).toEqual([false, true, true, false].map((e) => [e, e, e, e, e]));
});

it('C73 a ttl raised in mid-sweep holds from then on; latched stays; a change between look and delete survives', async () => {
  const world = new World();
  world.now = at('2026-03-01T00:00:00Z');
  const keys: SuspensionKey[] = [];
  for (let i = 0; i < 600; i++) {
    const latched = i % 7 === 0;
    keys.push(
      await world.put(
        klieoRecord({
          runId: `01K0QZ6V5M3H8D7N2B4C${String(i).padStart(6, '0')}`,
          latched,
          createdAt: '2026-03-01T00:00:00Z',
          calls: [{ id: 'x', name: 'rotate_keys', args: '{}' }],
        }),
      ),
    );
  }
  world.now += 10n * HOUR;
  let ttl = HOUR;
  const result = await sweep(world.store, world.ports.clock, {
    ttl: () => ttl,
    between: async () => {
      ttl = 48n * HOUR;
      return true;
    },
  });
  expect(result.reaped).toBeGreaterThan(0);
  expect(result.reaped).toBeLessThanOrEqual(256);
  const left = await Promise.all(keys.map((key) => readHead(world.store, key)));
  expect(left.filter((head, i) => head === null && i % 7 === 0)).toEqual([]);
  expect(result.kept.length).toBeGreaterThan(0);
  const gone = keys.find((_, i) => left[i] === null);
  expect(
    (
      await world.store.head(
        HEADS,
        suspensionText(gone ?? keys[1] ?? { system: 'klieo', source: '', runId: '', seq: 1 }),
      )
    )?.deleted,
  ).toBe(true);
});

it('C75 one terminal decision; the second person is told who, what and when, and is kept as "came second"', async () => {
  for (const [first, second] of [
    ['approve', 'reject'],
    ['reject', 'approve'],
  ] as const) {
    const world = new World();
    const key = await world.put(caseFile('C75', 'checkpoint.json'));
    const say = (what: string, by: string) =>
      world.decide(key, [what === 'approve' ? 'approve' : { reject: 'wrong window' }], { by });
    const ended = await Promise.all([say(first, 'Reviewer A'), say(second, 'Reviewer B')]);
    expect(ended.filter((e) => e.ok)).toHaveLength(1);
    const lost = ended.find((e) => !e.ok);
    expect(lost).toMatchObject({ refusal: { code: 'already_decided' } });
    expect(lost && !lost.ok ? Object.keys(lost.refusal.facts) : []).toEqual(
      expect.arrayContaining(['by', 'at', 'verdicts']),
    );
    expect((await allEvidence(world.store)).map((e) => e.kind)).toEqual(['came_second']);
  }
});

it('H10 an objection holds a decided run; a new decision that names the old one resolves it', async () => {
  const world = new World({ undoSeconds: 5 });
  const key = await world.put(caseFile('C75', 'checkpoint.json'));
  const first = unwrap(await world.decide(key, ['approve'], { by: 'A' }));
  unwrap(await object(world.store, world.ports, key, 'B', 'wrong window'));
  world.now += 10_000_000_000n;
  expect(refusalOf(await world.resume(key))).toBe('held');
  const next = unwrap(await world.decide(key, [{ reject: 'agreed' }], { by: 'A' }));
  expect(next.supersedes).toEqual([first.decisionId]);
});

it('H9 undo works until the claim; after it, undo says that it is too late and with what came of it', async () => {
  const world = new World({ undoSeconds: 5 });
  const key = await world.put(caseFile('C75', 'checkpoint.json'));
  unwrap(await world.decide(key, ['approve']));
  expect(refusalOf(await world.resume(key))).toBe('undo_window');
  unwrap(await undo(world.store, world.ports, key, 'Ada'));
  expect(await statusOf(world, key)).toBe('waiting');
  world.now += 10_000_000_000n;
  expect(refusalOf(await world.resume(key))).toBe('not_decided');
  unwrap(await world.decide(key, ['approve']));
  world.now += 10_000_000_000n;
  unwrap(await world.resume(key));
  const late = await undo(world.store, world.ports, key, 'Ada');
  expect(refusalOf(late)).toBe('too_late');
  expect(late.ok ? '' : late.refusal.text).toContain('roll_out: done');
});

it('I2 a decision taken back while a claim is on its way: exactly one of the two stands, wherever they meet', async () => {
  for (const point of [
    'claim.before-latch',
    'claim.before-latch, undo done',
    'claim.after-latch',
    'resume.before-journal',
    'resume.after-journal',
  ]) {
    const store = new MemoryStore();
    const world = new World({}, store);
    const key = await world.put(caseFile('C75', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve']));
    // The undo has looked at the head, and is held just before its write until the claim is at its point.
    let reached = () => {};
    const there = new Promise<void>((resolve) => (reached = resolve));
    let written = () => {};
    const done = new Promise<void>((resolve) => (written = resolve));
    store.beforeWrite = (_op, bucket) => (bucket === DECISIONS ? there : undefined);
    store.afterWrite = (_op, bucket) => (bucket === DECISIONS ? written() : undefined);
    const taking = undo(store, world.ports, key, 'Ada');
    world.onPoint = async (here) => {
      if (here !== point.split(',')[0]) return;
      reached();
      await (point.endsWith('done') ? taking : done);
    };
    const ended = await world.resume(key);
    const undone = await taking;
    expect(undone.ok, `${point}: ${JSON.stringify([undone, ended])}`).toBe(!ended.ok);
    expect(world.ledger).toHaveLength(ended.ok ? 1 : 0);
    expect(await statusOf(world, key)).toBe(ended.ok ? 'finished' : 'waiting');
  }
});

it.each(['here', 'handed_over'] as const)(
  'I2 a claimer (%s) that ended between its latch and its journal, and a decision taken back meanwhile: the claim goes, nothing fires',
  async (route) => {
    const store = new MemoryStore();
    const world = new World({}, store);
    const key = await world.put(caseFile('C75', 'checkpoint.json'), { route });
    unwrap(await world.decide(key, ['approve']));
    let latched = () => {};
    const there = new Promise<void>((resolve) => (latched = resolve));
    let written = () => {};
    const done = new Promise<void>((resolve) => (written = resolve));
    store.beforeWrite = (_op, bucket) => (bucket === DECISIONS ? there : undefined);
    store.afterWrite = (_op, bucket) => (bucket === DECISIONS ? written() : undefined);
    const taking = undo(store, world.ports, key, 'Ada');
    world.onPoint = async (here) => {
      if (here !== 'claim.after-latch') return;
      latched();
      await done;
      throw new Error('killed here');
    };
    const goOn = (token: string) =>
      route === 'here' ? world.resume(key, token) : handOver(store, world.ports, key, token);
    await expect(goOn('token')).rejects.toThrow('killed here');
    world.onPoint = () => undefined;
    expect(refusalOf(await taking)).toBe('in_doubt');
    expect(refusalOf(await goOn('token'))).toBe('not_decided');
    expect(world.ledger).toEqual([]);
    expect(await statusOf(world, key)).toBe('waiting');
    unwrap(await world.decide(key, ['approve']));
    unwrap(await goOn('token'));
    expect(world.ledger).toHaveLength(route === 'here' ? 1 : 0);
  },
);

describe('stopping', () => {
  it("a person's stop waits for the call that is on its way and starts no other; going on repeats nothing", async () => {
    const world = new World();
    const key = await world.put(caseFile('C12', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve', 'approve', 'approve']));
    world.script = async () => {
      world.stop.abort();
      return { kind: 'result', text: 'ok' };
    };
    unwrap(await world.resume(key));
    expect((await journalOf(world, key))?.calls.map((c) => c.state)).toEqual(['done', 'not_started', 'not_started']);
    expect(await statusOf(world, key)).toBe('not_continued');
    world.stop = new AbortController();
    world.script = () => ({ kind: 'result', text: 'ok' });
    unwrap(await world.resume(key, 'again'));
    expect(world.ledger.map((l) => (JSON.parse(l.arguments) as { target: string }).target)).toEqual(['a', 'b', 'c']);
  });
});

it('C56 a call that no tool server can take is refused while deciding; the rest of its batch can still be approved', async () => {
  const world = new World();
  const key = await world.put(
    klieoRecord({
      calls: [
        { id: 'a', name: 'web_search', args: '"Berlin"' },
        { id: 'b', name: 'send_email', args: '{}' },
      ],
    }),
  );
  expect((await card(world, key)).approveBlocked).toEqual([]);
  expect((await card(world, key)).calls.map((c) => c.sentAs)).toEqual(['not_sendable', 'as_written']);
  expect(refusalOf(await world.decide(key, ['approve', 'approve']))).toBe('arguments_not_an_object');
  unwrap(await world.decide(key, [{ reject: 'no object' }, 'approve']));
  unwrap(await world.resume(key));
  expect(world.ledger.map((l) => l.tool)).toEqual(['send_email']);
});

describe('I4 a full disk while a call runs', () => {
  const full = (world: World, store: MemoryStore, limit: number) => {
    world.script = () => {
      store.beforeWrite = (_op, bucket) => {
        if (bucket === JOURNALS && limit-- > 0) throw new StoreFull('no space');
      };
      return { kind: 'result', text: 'x'.repeat(10_000) };
    };
  };

  it('the answer is cut rather than the fact that the call ended', async () => {
    const store = new MemoryStore();
    const world = new World({}, store);
    const key = await world.put(caseFile('C03', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve']));
    full(world, store, 1);
    unwrap(await world.resume(key));
    const call = (await journalOf(world, key))?.calls[0];
    expect(call?.state).toBe('done');
    expect(call?.result).toMatch(/\[Cut here: the disk was full/);
    expect(world.ledger).toHaveLength(1);
  });

  it('an outcome that cannot be saved at all is unknown, is said so, and can be settled; nothing runs again', async () => {
    const store = new MemoryStore();
    const world = new World({}, store);
    const key = await world.put(caseFile('C03', 'checkpoint.json'));
    unwrap(await world.decide(key, ['approve']));
    full(world, store, 3);
    const timers = { set: () => null, clear: () => undefined };
    const runner = new Runner(store, world.ports, timers, () => undefined);
    await expect(runner.continueNow(key)).rejects.toThrow('no space');
    const again = await runner.continueNow(key);
    expect(refusalOf(again)).toBe('unknown_outcome');
    await runner.noteInterrupted(key);
    expect(await statusOf(world, key)).toBe('unknown_outcome');
    unwrap(await reconcile(store, world.ports, key, 0, { how: 'it_ran', result: 'seen in the log' }, 'Ada'));
    unwrap(await runner.continueNow(key));
    expect(world.ledger).toHaveLength(1);
  });
});
