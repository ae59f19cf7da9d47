import { describe, expect, test } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { load } from '../../electron/checkpoints/records.js';
import { readApproval } from '../../electron/formats/starweaver/approval-record.js';
import type { Verdict } from '../../shared/decision.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const ONE = {
  questions: [
    {
      question: 'Which database?',
      header: 'Database',
      options: [
        { label: 'Orders', description: 'the live one' },
        { label: 'Copy', description: 'of last night' },
      ],
      multiSelect: false,
    },
  ],
};
const TWO = { questions: [...ONE.questions, { ...ONE.questions[0], question: 'Since when?' }] };

/** The waiting checkpoint, or its approval record, as it is when its one call asks the user. */
const asking = (file: string, args: unknown): Uint8Array => {
  const change = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(change);
    if (typeof node !== 'object' || node === null) return node === 'shell_exec' ? 'ask_user_question' : node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        key === 'arguments' || key === 'reviewed_arguments' || key.endsWith('approval_tool_arguments')
          ? args
          : change(value),
      ]),
    );
  };
  return bytesOf(JSON.stringify(change(JSON.parse(textOf(fixtureOf('starweaver', file))))));
};
const WAITING = '01-waiting-one-approval.json';
const answer = (text: string, status: 'completed' | 'cancelled' | 'failed' = 'completed'): Partial<Verdict> => ({
  verdict: 'answer',
  answer: { status, text },
});

async function put(args: unknown, route: 'here' | 'handed_over' = 'here') {
  const w = new SystemsWorld();
  const key = await w.put(asking(WAITING, args), { route });
  return { w, key };
}
const contentOf = (w: SystemsWorld, seq: number, key: Parameters<typeof load>[1]) =>
  load(w.store, { ...key, seq }).then((loaded) => unwrap(loaded));

describe('S9 a question to the user takes an answer, never an approval', () => {
  test('it is read as one that waits for an answer, and its warning blocks nothing else', async () => {
    const { w, key } = await put(ONE);
    const detail = await w.detail(key);
    expect(detail.calls[0]).toMatchObject({ name: 'ask_user_question', needs: 'result', question: true });
    expect(detail.warnings).toMatchObject([{ code: 'needs_clarification', blocksApproval: false }]);
    expect(detail.approveBlocked).toEqual([]);
    expect(refusalOf(await w.say(key, [{}]))).toBe('incomplete_decision');
  });

  test('answered here: nothing is dispatched, the model reads the answer, the record holds the result of the tool', async () => {
    const { w, key } = await put(ONE);
    unwrap(await w.say(key, [answer('Copy')]));
    unwrap(await w.resume(key));
    expect(w.ledger).toEqual([]);
    expect(w.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Copy' });
    const next = (await w.rows()).find(({ runId }) => runId !== key.runId);
    const { record } = await contentOf(w, 1, { ...key, runId: next?.runId ?? '' });
    const said = record.messages.find(({ role }) => role === 'tool');
    expect(JSON.parse(said?.content ?? '')).toEqual({ ...ONE, answers: { 'Which database?': 'Copy' } });
    const text = textOf((await contentOf(w, 1, { ...key, runId: next?.runId ?? '' })).bytes);
    expect(text).toContain('"is_error":false,"metadata":{"approval_state":"approved","hitl_state":"resolved"}');
  });

  test('several questions share the answer as their response', async () => {
    const { w, key } = await put(TWO);
    unwrap(await w.say(key, [answer('The copy, since Monday')]));
    unwrap(await w.resume(key));
    const next = (await w.rows()).find(({ runId }) => runId !== key.runId);
    const { record } = await contentOf(w, 1, { ...key, runId: next?.runId ?? '' });
    expect(JSON.parse(record.messages.find(({ role }) => role === 'tool')?.content ?? '')).toEqual({
      ...TWO,
      response: 'The copy, since Monday',
    });
  });

  test.each([
    ['rejected', { verdict: 'reject' as const, reason: 'Ask me tomorrow' }],
    ['not answered', answer('Ask me tomorrow', 'cancelled')],
    ['not answered, as failed', answer('Ask me tomorrow', 'failed')],
  ])('%s: it is denied with the reason', async (_how, verdict) => {
    const { w, key } = await put(ONE);
    unwrap(await w.say(key, [verdict]));
    unwrap(await w.resume(key));
    const next = (await w.rows()).find(({ runId }) => runId !== key.runId);
    const text = textOf((await contentOf(w, 1, { ...key, runId: next?.runId ?? '' })).bytes);
    expect(text).toContain('"kind":"approval_denied","message":"Ask me tomorrow"');
  });

  test('handed over: approved, with the answers where the tool looks for them', async () => {
    const { w, key } = await put(ONE, 'handed_over');
    unwrap(await w.say(key, [answer('In "quotes"')]));
    const given = unwrap(await handOver(w.store, w.ports, key, 'token'));
    const [decision] = Object.values(JSON.parse(given.systemDecision ?? '').approvals);
    expect(decision).toEqual({
      decision: 'approved',
      decided_by: 'Ada',
      metadata: { clarifying_answers: { answers: { 'Which database?': 'In "quotes"' } } },
    });
    expect(given.calls[0]).toMatchObject({ verdict: 'answer', answer: 'In "quotes"' });
    expect(given.notes).toHaveLength(1);
  });

  test.each([
    [ONE, 'Copy', { question: 'Which database?', selected_options: ['Copy'] }, undefined],
    [ONE, 'none of them', { question: 'Which database?', selected_options: [], free_text: 'none of them' }, undefined],
    [TWO, 'both', { question: 'Which database?', selected_options: [], free_text: 'both' }, 'both'],
  ])('the record beside it is resolved with every question once', async (args, text, first, response) => {
    const { w, key } = await put(args, 'handed_over');
    const bytes = asking('approval-pending.json', args);
    unwrap(await takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route: 'here' }));
    unwrap(await w.say(key, [answer(text)]));
    const given = unwrap(await handOver(w.store, w.ports, key, 'token'));
    const record = unwrap(readApproval(bytesOf(given.neighbours?.[0] ?? '')));
    expect(record).toMatchObject({
      status: 'approved',
      revision: '2',
      decision: { status: 'approved', decidedBy: 'Ada' },
    });
    const metadata = Object.fromEntries(record.decision?.metadata ?? []);
    const answers = JSON.parse(metadata['clarification_answers'] ?? '');
    expect(answers).toHaveLength(args.questions.length);
    expect(answers[0]).toEqual(first);
    expect(metadata['clarification_response']).toBe(response === undefined ? undefined : JSON.stringify(response));
  });

  test('the record beside it is denied like any other call', async () => {
    const { w, key } = await put(ONE, 'handed_over');
    const bytes = asking('approval-pending.json', ONE);
    unwrap(await takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route: 'here' }));
    unwrap(await w.say(key, [{ verdict: 'reject', reason: 'no' }]));
    const given = unwrap(await handOver(w.store, w.ports, key, 'token'));
    expect(unwrap(readApproval(bytesOf(given.neighbours?.[0] ?? ''))).status).toBe('denied');
  });

  test('one that was answered otherwise in starweaver is a Conflict; the same answer agrees', async () => {
    const { w, key } = await put(ONE, 'handed_over');
    const pending = asking('approval-pending.json', ONE);
    unwrap(await takeIn(w.store, w.ports.clock, { bytes: pending, source: 'local', via: 'inbox', route: 'here' }));
    const other = new SystemsWorld();
    const theirs = await other.put(asking(WAITING, ONE), { route: 'handed_over' });
    unwrap(
      await takeIn(other.store, other.ports.clock, { bytes: pending, source: 'local', via: 'inbox', route: 'here' }),
    );
    unwrap(await other.say(theirs, [answer('Copy')]));
    const [resolved = ''] = unwrap(await handOver(other.store, other.ports, theirs, 't')).neighbours ?? [];
    const bytes = bytesOf(resolved);
    unwrap(await takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'inbox', route: 'here' }));
    expect(await w.say(key, [answer('Orders')])).toMatchObject({ refusal: { facts: { upstream: 'Conflict' } } });
    unwrap(await w.say(key, [answer('Copy')]));
  });

  test.each([
    ['', 'in words'],
    [' \n', 'in words'],
    ['x'.repeat(16_385), '16384'],
  ])('an answer of %j is refused, and nothing is written', async (text, words) => {
    const { w, key } = await put(ONE);
    const refused = await w.say(key, [answer(text)]);
    expect(refusalOf(refused)).toBe('bad_request');
    expect(refused.ok || refused.refusal.text).toContain(words);
    expect(unwrap(await load(w.store, key)).decision.kind).toBe('none');
  });

  test.each([
    [{}],
    [{ questions: [] }],
    [{ questions: [{ question: ' ' }] }],
    [{ questions: [ONE.questions[0], ONE.questions[0]] }],
    [{ questions: 'which?' }],
  ])('where nobody can say what is asked (%j) it can only be rejected', async (args) => {
    const { w, key } = await put(args);
    expect((await w.detail(key)).warnings).toMatchObject([{ code: 'needs_clarification', blocksApproval: true }]);
    expect((await w.say(key, [answer('yes')])).ok).toBe(false);
    expect((await w.say(key, [{}])).ok).toBe(false);
    unwrap(await w.say(key, [{ verdict: 'reject', reason: 'unclear' }]));
  });
});
