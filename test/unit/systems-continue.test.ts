import { describe, expect, test } from 'vitest';
import { load, readJournal } from '../../electron/checkpoints/records.js';
import { readRecord } from '../../electron/formats/read-record.js';
import type { SuspensionKey } from '../../shared/decision.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const BIG = '{"amount":9007199254740993,"rate":1.0}';
const CALL = { id: 'call_hp_1', name: 'shell_exec', arguments: BIG };

/** Where the next suspension of a run stands, by its journal. */
async function nextOf(w: SystemsWorld, key: SuspensionKey): Promise<SuspensionKey> {
  const end = (await readJournal(w.store, key))?.journal.continuation;
  const next = end && 'next' in end ? end.next : undefined;
  if (next === undefined) throw new Error(`nothing came of it: ${JSON.stringify(end)}`);
  return next;
}

const STARTS = [
  { system: 'runifold', file: '03-ready-after-parallel-tools.json', steps: 1 },
  { system: 'runifold', file: '01-ready-revision-0.json', steps: 0 },
  { system: 'cyrene', file: '01-interrupted-tool-loop.json', steps: 3 },
  { system: 'cyrene', file: '12-session-id-with-colon.json', steps: 2 },
];

describe('a run in which nothing waits is let go on', () => {
  test.each(STARTS)('$system $file: listed as other, decided, continued, held, approved, finished', async (start) => {
    const { system, file } = start;
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf(system, file));
    expect(await w.row(key)).toMatchObject({ status: 'not_continued', needsPerson: false, other: true });
    expect(await w.detail(key)).toMatchObject({ goesOn: true, approveBlocked: [], calls: [] });
    expect(refusalOf(await w.resume(key))).toBe('not_decided');
    expect(refusalOf(await w.say(key, [], { step: 'reject' }))).toBe('not_waiting');
    unwrap(await w.say(key, [], { step: 'approve' }));
    expect(await w.row(key)).toMatchObject({ status: 'decided' });
    w.asks(CALL);
    unwrap(await w.resume(key));
    expect(w.ledger).toEqual([]);
    expect((await w.row(key)).status).toBe('finished');

    const held = await nextOf(w, key);
    const before = unwrap(await load(w.store, key));
    const stopped = unwrap(await load(w.store, held));
    expect(stopped.head.continuesKey).toEqual(key);
    expect(await w.row(held)).toMatchObject({ status: 'waiting', needsPerson: true, tools: ['shell_exec'] });
    expect(stopped.record.pending?.map(({ arguments: text }) => text)).toEqual([BIG]);
    if (system === 'runifold')
      expect(BigInt(stopped.record.revision ?? '')).toBe(BigInt(before.record.revision ?? '') + 1n);
    else expect(stopped.record.completedStep).toBe(start.steps + 1);
    unwrap(await w.say(held, [{}]));
    w.answersWith('It is done.');
    unwrap(await w.resume(held));
    expect(w.ledger).toEqual([{ tool: 'shell_exec', arguments: BIG }]);

    const finished = await nextOf(w, held);
    const { record, bytes } = unwrap(await load(w.store, finished));
    expect(record).toMatchObject({ state: 'finished', resumable: false });
    expect(record.completedStep).toBe((stopped.record.completedStep ?? 0) + (system === 'runifold' ? 2 : 1));
    expect(textOf(bytes)).toContain(system === 'cyrene' ? '9007199254740993' : BIG);
    expect(await w.detail(finished)).toMatchObject({
      finalAnswer: 'It is done.',
      storedOutcome: { answer: 'It is done.' },
    });
    expect(await w.row(finished)).toMatchObject({ status: 'finished', needsPerson: false });
    expect(refusalOf(await w.say(finished, [], { step: 'approve' }))).toBe('not_waiting');
    const asked = w.requests.length;
    expect(refusalOf(await w.resume(finished))).toBe('not_waiting');
    expect(w.requests).toHaveLength(asked);
  });

  test.each([
    ['runifold', '03-ready-after-parallel-tools.json'],
    ['cyrene', '01-interrupted-tool-loop.json'],
  ])('%s %s: a held turn may be rejected and edited; the record says so', async (system, file) => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf(system, file));
    unwrap(await w.say(key, [], { step: 'approve' }));
    w.asks(CALL, { ...CALL, id: 'call_hp_2' });
    unwrap(await w.resume(key));
    const held = await nextOf(w, key);
    const edited = '{"amount":18446744073709551615}';
    unwrap(await w.say(held, [{ verdict: 'reject', reason: 'too much' }, { editedArguments: edited }]));
    unwrap(await w.resume(held));
    expect(w.ledger).toEqual([{ tool: 'shell_exec', arguments: edited }]);
    const { record } = unwrap(await load(w.store, await nextOf(w, held)));
    const answers = record.messages.filter(({ role }) => role === 'tool').slice(-2);
    expect(answers.map(({ content }) => content.split('\n')[0])).toEqual([
      'Human reviewer rejected this step: too much',
      '[A human reviewer edited the arguments of this call before it ran.]',
    ]);
  });

  test('taken back before the claim it stands as it stood', async () => {
    const w = new SystemsWorld({ undoSeconds: 30 });
    const key = await w.put(fixtureOf('cyrene', '01-interrupted-tool-loop.json'));
    unwrap(await w.say(key, [], { step: 'approve' }));
    expect(refusalOf(await w.resume(key))).toBe('undo_window');
    expect((await w.row(key)).status).toBe('decided');
  });

  test('unknown keys of the record survive in the one that is written', async () => {
    const w = new SystemsWorld();
    const text = textOf(fixtureOf('runifold', '03-ready-after-parallel-tools.json'));
    const key = await w.put(bytesOf(text.replace('"payload":{', '"payload":{"zz_future":{"n":18446744073709551615},')));
    unwrap(await w.say(key, [], { step: 'approve' }));
    unwrap(await w.resume(key));
    const { bytes } = unwrap(await load(w.store, await nextOf(w, key)));
    expect(textOf(bytes)).toContain('"zz_future":{"n":18446744073709551615}');
    const row = textOf(fixtureOf('cyrene', '01-interrupted-tool-loop.json')).replace('{', '{"shard":7.50,');
    const session = await w.put(bytesOf(row));
    unwrap(await w.say(session, [], { step: 'approve' }));
    unwrap(await w.resume(session));
    expect(textOf(unwrap(await load(w.store, await nextOf(w, session))).bytes)).toContain('"shard":7.50');
  });
});

describe('what does not go on here', () => {
  test.each(['wf-03-schema-3.json', 'wf-01-waiting-interrupt.json'])(
    'runifold %s is handed over only',
    async (file) => {
      const w = new SystemsWorld();
      const key = await w.put(fixtureOf('runifold', file));
      expect(await w.row(key)).toMatchObject({ route: 'handed_over' });
      const verdicts = file.startsWith('wf-01') ? [{}] : [];
      unwrap(await w.say(key, verdicts, verdicts.length === 0 ? { step: 'approve' } : {}));
      expect(refusalOf(await w.resume(key))).toBe('handed_over');
    },
  );

  test('R6 a completed checkpoint gives its stored outcome and asks no model', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('runifold', '05-completed.json'));
    const { storedOutcome, finalAnswer } = await w.detail(key);
    expect(storedOutcome?.answer).toBe(finalAnswer);
    expect(storedOutcome?.facts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Turns', 'Tool calls', 'Delegations', 'Usage', 'Response']),
    );
    expect(refusalOf(await w.resume(key))).toBe('not_waiting');
    expect(w.requests).toEqual([]);
  });

  test('R1 the last revision of 64 bits: nothing is claimed', async () => {
    const w = new SystemsWorld();
    const text = textOf(fixtureOf('runifold', '03-ready-after-parallel-tools.json'));
    const key = await w.put(bytesOf(text.replace(/"revision":\d+/, '"revision":18446744073709551615')));
    expect(refusalOf(await w.say(key, [], { step: 'approve' }))).toBe('not_waiting');
    expect(unwrap(await load(w.store, key)).head.latch).toBeNull();
  });
});

describe('starweaver', () => {
  test('S15 the run ends under its id and the finished record stands under the new one', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '01-waiting-one-approval.json'));
    unwrap(await w.say(key, [{}]));
    w.answersWith('All clear.');
    unwrap(await w.resume(key));
    const next = await nextOf(w, key);
    expect(next.runId).not.toBe(key.runId);
    const { record, bytes } = unwrap(await load(w.store, next));
    expect(record).toMatchObject({
      state: 'finished',
      completedStep: 2,
      checkpointId: expect.stringMatching(/^ckpt_/),
    });
    expect(textOf(bytes)).toContain('"output":"All clear."');
    expect(await w.detail(next)).toMatchObject({ finalAnswer: 'All clear.' });
    expect(await w.detail(key)).toMatchObject({ continuedAs: expect.stringContaining(next.runId) });
    expect((await w.row(key)).status).toBe('finished');
  });

  test('S15 a crash between the next record and the journal: the source counts as gone on, and never goes on again', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('starweaver', '01-waiting-one-approval.json'));
    unwrap(await w.say(key, [{}]));
    w.asks({ ...CALL, id: 'sw-tool-next' });
    w.onPoint = (point) => {
      if (point === 'resume.after-suspend') throw new Error('crash');
    };
    await expect(w.resume(key)).rejects.toThrow('crash');
    w.onPoint = () => {};
    expect((await w.row(key)).status).toBe('finished');
    expect((await w.detail(key)).row.status).toBe('finished');
    expect(refusalOf(await w.resume(key, 'again'))).toBe('nothing_to_continue');
    expect(w.ledger).toHaveLength(1);
    expect((await w.rows()).filter(({ status }) => status === 'waiting')).toHaveLength(1);
  });

  test.each([
    ['completed', { kind: 'deferred_completed' }, 'three competitors', '"three competitors"'],
    ['failed', { kind: 'deferred_failed' }, 'no network', '"kind":"deferred_failed"'],
    ['cancelled', { kind: 'deferred_cancelled' }, 'nobody wants it', '"kind":"deferred_cancelled"'],
  ] as const)(
    'S12 S14 a deferred call takes its %s result, and is never dispatched',
    async (status, _kind, text, written) => {
      const w = new SystemsWorld();
      const key = await w.put(fixtureOf('starweaver', '03-waiting-approval-and-deferred.json'));
      expect((await w.detail(key)).approveBlocked).toEqual([]);
      expect(refusalOf(await w.say(key, [{}, {}]))).toBe('incomplete_decision');
      expect(refusalOf(await w.say(key, [{ verdict: 'answer', answer: { status, text } }, {}]))).toBe('bad_request');
      unwrap(await w.say(key, [{}, { verdict: 'answer', answer: { status, text } }]));
      unwrap(await w.resume(key));
      expect(w.ledger.map(({ tool }) => tool)).toEqual(['shell_exec']);
      expect(w.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: text });
      const { bytes } = unwrap(await load(w.store, await nextOf(w, key)));
      expect(textOf(bytes)).toContain(written);
      expect((await readJournal(w.store, key))?.journal.calls[1]).toMatchObject({ state: 'answered', result: text });
    },
  );

  test('klieo and the others take no result for a call that waits for an approval', async () => {
    const w = new SystemsWorld();
    const key = await w.put(fixtureOf('klieo', '01-first-attempt-one-pending.json'));
    const answer = { status: 'completed' as const, text: 'x' };
    expect(refusalOf(await w.say(key, [{ verdict: 'answer', answer }]))).toBe('bad_request');
    expect(refusalOf(await w.say(key, [{ verdict: 'approve', answer }]))).toBe('bad_request');
  });
});

test('R9 every dispatch of runifold carries its effect key, reviewed or not', async () => {
  const w = new SystemsWorld({ tools: [{ tool: 'search_kb', effect: 'read_only', repeatable: true, noReview: true }] });
  const key = await w.put(fixtureOf('runifold', '03-ready-after-parallel-tools.json'));
  unwrap(await w.say(key, [], { step: 'approve' }));
  const look = { id: 'k1', name: 'search_kb', arguments: '{}' };
  w.asks(look, { ...look, id: 'k2' });
  w.asks({ ...CALL, id: 'k3' });
  unwrap(await w.resume(key));
  const loop = (await readJournal(w.store, key))?.journal.loop.map(({ effectKey }) => effectKey);
  expect(loop?.map((one) => one?.replace(/^.*:agent:/, ''))).toEqual([
    expect.stringMatching(/:turn:2:call:0$/),
    expect.stringMatching(/:turn:2:call:1$/),
  ]);
  const held = await nextOf(w, key);
  unwrap(await w.say(held, [{}]));
  unwrap(await w.resume(held));
  const [call] = (await readJournal(w.store, held))?.journal.calls ?? [];
  expect(call?.effectKey).toMatch(/:turn:3:call:0$/);
});

test('every record that is written here is read again by its own system', async () => {
  const w = new SystemsWorld();
  const key = await w.put(fixtureOf('starweaver', '18-multimodal-history.json'));
  unwrap(await w.say(key, [{}]));
  unwrap(await w.resume(key));
  for (const row of await w.rows()) {
    const { bytes } = unwrap(await load(w.store, { ...key, runId: row.runId, seq: row.seq }));
    expect(readRecord(bytes)).toMatchObject({ ok: true, record: { system: 'starweaver' } });
  }
});

test('a run id and a checkpoint id of any length keep the index within its limit', async () => {
  const w = new SystemsWorld();
  const long = '\u0001'.repeat(700);
  const text = textOf(fixtureOf('starweaver', '01-waiting-one-approval.json'))
    .replaceAll('ckpt_9b2f6f0e-3a51-4a3e-8f63-0d5f1c6a7b88', JSON.stringify(long).slice(1, -1))
    .replaceAll('conv_', 'conv_'.repeat(200));
  const key = await w.put(bytesOf(text));
  unwrap(await w.say(key, [{}]));
  unwrap(await w.resume(key));
  expect((await w.row(key)).status).toBe('finished');
  const head = await w.store.head('suspensions', `starweaver:local:1:${key.runId}`);
  expect(new TextEncoder().encode(head?.meta ?? '').length).toBeLessThanOrEqual(4096);
});
