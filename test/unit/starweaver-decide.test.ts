import { describe, expect, test } from 'vitest';
import { decisionFromText } from '../../electron/formats/starweaver/decision.js';
import { starweaver } from '../../electron/formats/starweaver.js';
import { textDigest } from '../../electron/formats/text-digest.js';
import { member, raw, readJsonText } from '../../shared/json.js';
import {
  approve,
  BARE,
  bytesOf,
  CALL_A,
  CALL_B,
  CALL_D,
  changed,
  DEFERRED,
  decide,
  edit,
  fixture,
  ONE,
  RUN,
  recordOf,
  reject,
  type Said,
  TWO,
  textOf,
  UNBOUND,
} from '../helpers/starweaver.js';

const check = (bytes: Uint8Array, said: readonly Said[], wholeBatchOnly = false) => {
  const record = recordOf(bytes);
  return starweaver.checkDecision(record, decide(record, said), { wholeBatchOnly });
};
const upstream = (name: string, facts: Record<string, unknown> = {}) => ({
  ok: false,
  refusal: { facts: { upstream: name, ...facts } },
});

describe('S11 S12 checkDecision, before anything is written', () => {
  const two = fixture(TWO);

  test('one verdict for each call is taken, mixed and edited as it is', () => {
    expect(check(two, [approve, approve])).toEqual({ ok: true, value: null });
    expect(check(two, [approve, reject('no')]).ok).toBe(true);
    expect(check(two, [edit('{"command":"ls"}'), reject()]).ok).toBe(true);
    expect(check(fixture(BARE), [approve]).ok).toBe(true);
  });

  test('MissingDecision: nothing is resumed in part', () => {
    expect(check(two, [approve])).toMatchObject(upstream('MissingDecision', { kind: 'approval', id: CALL_B }));
  });

  test('DuplicateDecision and UnknownDecision', () => {
    const record = recordOf(two);
    const [one, other] = decide(record, [approve, approve]).verdicts;
    const decision = (verdicts: (typeof one)[]) =>
      starweaver.checkDecision(
        record,
        { ...decide(record, []), verdicts: verdicts.filter((verdict) => verdict !== undefined) },
        { wholeBatchOnly: false },
      );
    expect(decision([one, one, other])).toMatchObject(upstream('DuplicateDecision', { id: CALL_A }));
    expect(decision([one, other, one && { ...one, index: 2 }])).toMatchObject(
      upstream('UnknownDecision', { index: 2 }),
    );
  });

  test.each([
    ['14-pending-but-status-running.json', [approve], 'SourceNotWaiting'],
    ['04-running-no-pending.json', [], 'SourceNotWaiting'],
    ['05-completed-with-stale-pending-calls.json', [], 'SourceNotWaiting'],
  ])('%s: SourceNotWaiting', (file, said, name) => {
    expect(check(fixture(file), said)).toMatchObject(upstream(name));
    expect(check(fixture(file), said)).toMatchObject({ refusal: { code: 'not_waiting' } });
  });

  test('NoPendingHitl', () => {
    const bytes = changed(ONE, {
      'payload/state/pending_approval_tool_returns': undefined,
      'payload/resume/pending_approval_count': 0,
    });
    expect(check(bytes, [])).toMatchObject(upstream('NoPendingHitl'));
  });

  test('S13 MismatchedDecisionEvidence, whatever was said: starweaver would take no decision', () => {
    for (const said of [approve, reject('no')]) {
      const outcome = check(fixture(UNBOUND), [said]);
      expect(outcome).toMatchObject(upstream('MismatchedDecisionEvidence'));
      expect(outcome).toMatchObject({
        refusal: { text: expect.stringContaining('mismatched reviewed tool arguments') },
      });
    }
  });

  test('S13 IdentityMismatch of a pending item without a call', () => {
    const bytes = changed(ONE, { 'payload/state/pending_approval_tool_returns/0/tool_call_id': 'x' });
    expect(check(bytes, [approve])).toMatchObject(upstream('IdentityMismatch'));
  });

  test('H8 ids that collide: no approval, but everything may be rejected', () => {
    const bytes = bytesOf(textOf(fixture(TWO)).replaceAll(CALL_B, CALL_A));
    expect(check(bytes, [approve, approve])).toMatchObject(upstream('DuplicateDecision'));
    expect(check(bytes, [approve, reject()])).toMatchObject({ refusal: { code: 'ids_collide' } });
    expect(check(bytes, [reject(), reject()])).toEqual({ ok: true, value: null });
    // Each shows its own arguments, not those of the call it shares the id with.
    expect(recordOf(bytes).pending?.map((call) => call.arguments)).toEqual([
      '{"command":"rm -rf target/out","cwd":"/srv/apps"}',
      '{"env":"staging","version":"2.4.1"}',
    ]);
  });

  test('S12 a deferred call takes no approval; its rejection is a result', () => {
    const bytes = fixture(DEFERRED);
    const id = `deferred_${RUN}_${CALL_D}`;
    expect(check(bytes, [approve, approve])).toMatchObject(upstream('MissingDecision', { kind: 'deferred', id }));
    expect(check(bytes, [approve])).toMatchObject(upstream('MissingDecision', { kind: 'deferred', id }));
    expect(check(bytes, [reject(), reject()])).toEqual({ ok: true, value: null });
  });

  test('S9 a question is not approved; it may be denied', () => {
    const bytes = bytesOf(textOf(fixture(ONE)).replaceAll('shell_exec', 'ask_user_question'));
    expect(check(bytes, [approve])).toMatchObject({ ok: false, refusal: { code: 'not_allowed' } });
    expect(check(bytes, [reject('not now')]).ok).toBe(true);
  });

  test('I3 C18 C20 the binding, the name and the edit are checked as for every system', () => {
    expect(check(two, [{ ...approve, argumentsSha256: textDigest('{}') }, approve])).toMatchObject({
      refusal: { code: 'changed_since_you_looked' },
    });
    const renamed = { ...approve, name: 'deploy' };
    expect(check(two, [renamed, approve])).toMatchObject({ refusal: { code: 'tool_name_changed' } });
    expect(check(two, [edit('[1]'), approve])).toMatchObject({ refusal: { code: 'invalid_edit' } });
    expect(check(two, [{ ...edit('{}'), verdict: 'reject' }, approve])).toMatchObject({
      refusal: { code: 'invalid_edit' },
    });
  });

  test('H13 a source that takes a batch only as a whole', () => {
    expect(check(two, [approve, reject()], true)).toMatchObject({ refusal: { code: 'whole_batch_only' } });
    expect(check(two, [approve, approve], true).ok).toBe(true);
  });
});

describe('H13 handOver', () => {
  const handOver = (bytes: Uint8Array, said: readonly Said[], more = {}) => {
    const record = recordOf(bytes);
    return starweaver.handOver(bytes, record, decide(record, said, more));
  };

  test('a decision for each call under its id, and the record unchanged', () => {
    expect(handOver(fixture(TWO), [approve, reject('not on a shared box')])).toEqual({
      systemDecision: `{"approvals":{"${CALL_A}":{"decision":"approved","decided_by":"ana"},"${CALL_B}":{"decision":"denied","decided_by":"ana","reason":"not on a shared box"}}}`,
      record: textOf(fixture(TWO)),
      notes: [],
    });
  });

  test('S14 an edit becomes override_arguments, byte for byte', () => {
    const edited = '{ "version":"2.4.1", "n":9007199254740993, "m":1.0 }';
    const given = handOver(fixture(TWO), [approve, edit(edited)]);
    const read = readJsonText(given.systemDecision ?? '');
    if (!read.ok) throw new Error(read.fault.text);
    const decision = member(member(read.root, 'approvals') ?? read.root, CALL_B);
    if (decision === undefined) throw new Error('no decision');
    expect(decisionFromText(raw(read.text, decision))).toEqual({
      ok: true,
      value: { decision: 'approved', decidedBy: 'ana', overrideArguments: edited },
    });
    expect(given.record).toBe(textOf(fixture(TWO)));
    expect(given.notes).toEqual([
      'call 2 (deploy) runs with the arguments that the reviewer edited; they are its override_arguments',
    ]);
  });

  test('J2 the calls stand in the order of their ids, not of the batch', () => {
    const bytes = bytesOf(textOf(fixture(TWO)).replaceAll(CALL_A, 'z-\u{1f600}').replaceAll(CALL_B, 'z-\uffee'));
    const { systemDecision } = handOver(bytes, [approve, reject()]);
    expect(systemDecision?.indexOf('z-\uffee')).toBeLessThan(systemDecision?.indexOf('z-\u{1f600}') ?? 0);
  });

  test('S12 a rejected deferred call is handed over as cancelled', () => {
    const given = handOver(fixture(DEFERRED), [reject('a'), reject('no longer needed')]);
    expect(JSON.parse(given.systemDecision ?? '').deferred_results).toEqual({
      results: [{ deferred_id: `deferred_${RUN}_${CALL_D}`, status: 'cancelled', response: 'no longer needed' }],
    });
    expect(given.notes).toHaveLength(1);
  });

  test('an empty reason is none; the repair of a history is said to be left out', () => {
    const given = handOver(fixture(ONE), [reject('  ')], { repair: { unanswered: [] } });
    expect(given.systemDecision).toBe(`{"approvals":{"${CALL_A}":{"decision":"denied","decided_by":"ana"}}}`);
    expect(given.notes).toEqual([
      'calls without an answer and answers to no call stay in the history: the record is not changed',
    ]);
  });

  test('an unreadable record is a fault of the caller', () => {
    const record = recordOf(fixture(ONE));
    expect(() => starweaver.handOver(bytesOf('{}'), record, decide(record, [approve]))).toThrow(
      'not a readable starweaver record',
    );
  });
});
