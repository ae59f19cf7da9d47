import { describe, expect, test } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { historyOf } from '../../electron/checkpoints/history.js';
import { takeIn } from '../../electron/checkpoints/intake.js';
import { bytesOf, fixtureOf, SystemsWorld, textOf } from '../helpers/systems.js';
import { refusalOf, unwrap } from '../helpers/world.js';

const DEFERRED = '03-waiting-approval-and-deferred.json';
const of = (file: string) => fixtureOf('starweaver', file);
const put = (w: SystemsWorld, bytes: Uint8Array) =>
  takeIn(w.store, w.ports.clock, { bytes, source: 'local', via: 'cli', route: 'handed_over' });

describe('S12 results of deferred calls, handed over', () => {
  test("the result set holds them in starweaver's form, with numbers as they were typed", async () => {
    const w = new SystemsWorld();
    const { key } = unwrap(await put(w, of(DEFERRED)));
    const text = 'rate 9007199254740993';
    unwrap(
      await w.say(key, [
        { verdict: 'reject', reason: 'no' },
        { verdict: 'answer', answer: { status: 'completed', text } },
      ]),
    );
    const answer = unwrap(await handOver(w.store, w.ports, key, 't'));
    expect(JSON.parse(answer.systemDecision ?? '')).toMatchObject({
      approvals: { 'sw-tool-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': { decision: 'denied', reason: 'no' } },
      deferred_results: { results: [{ status: 'completed', response: text }] },
    });
    expect(answer.calls.map(({ verdict, answer: given }) => [verdict, given?.split('\n')[0]])).toEqual([
      ['reject', 'Human reviewer rejected this step: no'],
      ['answer', text],
    ]);
    const [said] = (await historyOf(w.store, key)).filter(({ kind }) => kind === 'decided');
    expect(said?.text).toContain('call 2: result given (completed)');
  });

  test.each(['completed', 'failed', 'cancelled'] as const)(
    'a deferred record beside it becomes %s, one revision on',
    async (status) => {
      const w = new SystemsWorld();
      const { key } = unwrap(await put(w, of(DEFERRED)));
      unwrap(await put(w, of('deferred-waiting.json')));
      const neighbour = unwrap(await w.say(key, [{}, { verdict: 'answer', answer: { status, text: 'so it went' } }]));
      expect(neighbour.verdicts[1]?.answer?.status).toBe(status);
      const { neighbours } = unwrap(await handOver(w.store, w.ports, key, 't'));
      expect(neighbours).toHaveLength(1);
      expect(JSON.parse(neighbours?.[0] ?? '').payload).toMatchObject({ status, response: 'so it went' });
      expect(await put(w, bytesOf(neighbours?.[0] ?? ''))).toMatchObject({ ok: true });
    },
  );

  test('S9 one that ended in starweaver otherwise is a Conflict', async () => {
    const w = new SystemsWorld();
    const { key } = unwrap(await put(w, of(DEFERRED)));
    const ended = textOf(of('deferred-waiting.json')).replace('"status":"waiting"', '"status":"completed"');
    unwrap(await put(w, bytesOf(ended)));
    const refused = await w.say(key, [{}, { verdict: 'answer', answer: { status: 'failed', text: 'x' } }]);
    expect(refusalOf(refused)).toBe('already_decided');
    expect(refused).toMatchObject({ refusal: { facts: { upstream: 'Conflict' } } });
  });

  test('a whole-batch source takes a result beside its one verdict', async () => {
    const w = new SystemsWorld({ sources: [{ name: 'local', wholeBatchOnly: true }] });
    const { key } = unwrap(await put(w, of(DEFERRED)));
    unwrap(await w.say(key, [{}, { verdict: 'answer', answer: { status: 'completed', text: '' } }]));
  });
});
