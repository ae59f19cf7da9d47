import { describe, expect, test } from 'vitest';
import { readApproval } from '../../electron/formats/starweaver/approval-record.js';
import { decideApproval } from '../../electron/formats/starweaver/decide-approval.js';
import { readDeferred } from '../../electron/formats/starweaver/deferred-record.js';
import type { Mutation, Receipt } from '../../electron/formats/starweaver/mutation.js';
import { isUpstreamName, mayRetry } from '../../electron/formats/starweaver/names.js';
import type { RecordedDecision } from '../../electron/formats/starweaver/recorded-decision.js';
import { resolveDeferred } from '../../electron/formats/starweaver/resolve-deferred.js';
import { bytesOf, changed, fixture, type Json, textOf } from '../helpers/starweaver.js';

const AT = '2026-07-20T09:20:00.5Z';
const mutation: Mutation = {
  authority: 'desk',
  expectedRevision: '1',
  idempotencyKey: 'k1',
  fingerprint: 'f1',
  at: AT,
};
const yes: RecordedDecision = {
  status: 'approved',
  decidedBy: 'ana',
  decidedAt: '2026-07-20T09:20:00.500Z',
  reason: 'ok',
};
const no: RecordedDecision = { status: 'denied', decidedAt: AT };

function approval(bytes: Uint8Array) {
  const read = readApproval(bytes);
  if (!read.ok) throw new Error(read.refusal.text);
  return read.value;
}
const pending = () => approval(fixture('approval-pending.json'));
const pendingWith = (changes: Record<string, Json | undefined>) => approval(changed('approval-pending.json', changes));

function receipt(outcome: ReturnType<typeof decideApproval>): Receipt {
  if (!outcome.ok) throw new Error(outcome.refusal.text);
  return outcome.value;
}
const refusedAs = (name: string) => ({ ok: false, refusal: { facts: { upstream: name } } });

describe('S8 deciding an approval', () => {
  test('writes the next revision, in the form of the fixtures', () => {
    const override = '{"command":"rm -rf target/out/x","cwd":"/srv/apps"}';
    const written = receipt(decideApproval(pending(), mutation, { ...yes, overrideArguments: override }));
    expect(textOf(written.result)).toBe(textOf(fixture('approval-approved.json')));
    expect(written).toMatchObject({ operation: 'approval.decide', replayed: false });
    const denied = receipt(
      decideApproval(pending(), mutation, { ...no, decidedBy: 'ana', reason: 'not on a shared box' }),
    );
    expect(textOf(denied.result)).toBe(textOf(fixture('approval-denied.json')));
  });

  test('a bare v0 record is decided into v1, its revision counted from 1', () => {
    const written = approval(receipt(decideApproval(approval(fixture('approval-bare-v0.json')), mutation, no)).result);
    expect(written).toMatchObject({ revision: '2', status: 'denied', source: { envelope: 'v1' } });
  });

  test('what the record holds beside stays as written: unknown keys, numbers, metadata', () => {
    const text = textOf(changed('approval-pending.json', { 'payload/metadata': { policy: 'p' }, 'payload/new': 0 }))
      .replace('"new":0', '"new":9007199254740993')
      .replace('"arguments":{', '"arguments":{"n":1.0,');
    const written = textOf(receipt(decideApproval(approval(bytesOf(text)), mutation, yes)).result);
    expect(written).toContain('"new":9007199254740993');
    expect(written).toContain('"arguments":{"n":1.0,');
    expect(written).toContain('"metadata":{"policy":"p"}');
    expect(written).toMatch(/"status":"approved","decision":\{.*\},"created_at"/);
  });

  test('J6 revisions are 64 bits wide', () => {
    const text = textOf(fixture('approval-pending.json')).replace('"revision":1', '"revision":9007199254740993');
    const outcome = decideApproval(approval(bytesOf(text)), { ...mutation, expectedRevision: '9007199254740993' }, yes);
    expect(approval(receipt(outcome).result).revision).toBe('9007199254740994');
    const last = textOf(fixture('approval-pending.json')).replace('"revision":1', '"revision":18446744073709551615');
    expect(
      decideApproval(approval(bytesOf(last)), { ...mutation, expectedRevision: '18446744073709551615' }, yes),
    ).toMatchObject(refusedAs('Conflict'));
  });

  test.each([
    ['another revision', pending, { expectedRevision: '2' }, yes],
    ['revision 0 expected', pending, { expectedRevision: '0' }, yes],
    ['no number expected', pending, { expectedRevision: '1.0' }, yes],
    ['revision 0 in the record', () => pendingWith({ 'payload/revision': 0 }), {}, yes],
    ['approved before', () => approval(fixture('approval-approved.json')), { expectedRevision: '2' }, no],
    ['expired', () => approval(fixture('approval-expired.json')), { expectedRevision: '2' }, yes],
    [
      'pending, but with a decision',
      () => pendingWith({ 'payload/decision': { status: 'denied', decided_at: '2026-07-20T09:14:03Z' } }),
      {},
      yes,
    ],
    ['a decision that is neither', pending, {}, { ...yes, status: 'expired' }],
    ['a decision of another time', pending, {}, { ...yes, decidedAt: '2026-07-20T09:20:00.501Z' }],
  ] as const)('Conflict: %s', (_, record, more, decision) => {
    expect(decideApproval(record(), { ...mutation, ...more }, decision)).toMatchObject(refusedAs('Conflict'));
  });

  test('an empty authority, key or fingerprint, or no time, is refused', () => {
    for (const empty of ['authority', 'idempotencyKey', 'fingerprint', 'at']) {
      expect(decideApproval(pending(), { ...mutation, [empty]: '' }, yes).ok).toBe(false);
    }
  });

  test('I5 a record with a key that stands twice is not decided', () => {
    const text = textOf(fixture('approval-pending.json')).replace('"action_name"', '"action_name":"ls","action_name"');
    expect(decideApproval(approval(bytesOf(text)), mutation, yes)).toMatchObject({
      refusal: { code: 'blocked_by_warning' },
    });
  });

  test('S9 a question is not decided by an approval', () => {
    const question = pendingWith({ 'payload/action_name': 'ask_user_question' });
    expect(decideApproval(question, mutation, yes)).toMatchObject({ refusal: { code: 'not_allowed' } });
  });
});

describe('S9 the same command again', () => {
  const first = receipt(decideApproval(pending(), mutation, yes));
  const decided = approval(first.result);

  test('gives the first result, marked, although the record has moved on', () => {
    expect(decideApproval(decided, mutation, yes, [first])).toEqual({ ok: true, value: { ...first, replayed: true } });
  });

  test('without its receipt it is a Conflict', () => {
    expect(decideApproval(decided, mutation, yes)).toMatchObject(refusedAs('Conflict'));
  });

  test('its key with another fingerprint, target or operation: IdempotencyConflict', () => {
    expect(decideApproval(decided, { ...mutation, fingerprint: 'f2' }, no, [first])).toMatchObject(
      refusedAs('IdempotencyConflict'),
    );
    const other = pendingWith({ 'payload/approval_id': 'approval_other' });
    expect(decideApproval(other, mutation, yes, [first])).toMatchObject(refusedAs('IdempotencyConflict'));
    expect(resolveDeferred(deferred(), mutation, { status: 'failed', response: '1' }, [first])).toMatchObject(
      refusedAs('IdempotencyConflict'),
    );
  });

  test('the key of another authority is another key', () => {
    expect(decideApproval(pending(), { ...mutation, authority: 'other' }, no, [first]).ok).toBe(true);
  });

  test('ids that look alike when joined are different targets', () => {
    const a = pendingWith({ 'payload/session_id': 'a","b', 'payload/run_id': 'c' });
    const b = pendingWith({ 'payload/session_id': 'a', 'payload/run_id': 'b","c' });
    expect(receipt(decideApproval(a, mutation, yes)).target).not.toBe(receipt(decideApproval(b, mutation, yes)).target);
  });
});

function deferred(changes: Record<string, Json | undefined> = {}) {
  const read = readDeferred(changed('deferred-waiting.json', changes));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.value;
}

describe('S12 the result of a deferred call', () => {
  test('completes or fails it at the next revision, numbers as typed', () => {
    const written = receipt(
      resolveDeferred(deferred(), mutation, { status: 'completed', response: '{"price":9007199254740993}' }),
    );
    expect(written.operation).toBe('deferred.complete');
    const payload = textOf(written.result);
    expect(payload).toContain('"status":"completed","response":{"price":9007199254740993},"created_at"');
    expect(payload).toContain('"revision":2');
    expect(payload).toContain('"updated_at":"2026-07-20T09:20:00.500Z"');
    expect(receipt(resolveDeferred(deferred(), mutation, { status: 'failed', response: '"x"' })).operation).toBe(
      'deferred.fail',
    );
  });

  test('its metadata joins the record’s, sorted', () => {
    const written = receipt(
      resolveDeferred(deferred({ 'payload/metadata': { b: 1, c: 2 } }), mutation, {
        status: 'completed',
        response: 'null',
        metadata: [
          ['c', '3'],
          ['a', '1.0'],
        ],
      }),
    );
    expect(textOf(written.result)).toContain('"metadata":{"a":1.0,"b":1,"c":3}');
  });

  test('pending and waiting take one; running and terminal are a Conflict', () => {
    const outcome = (status: string) =>
      resolveDeferred(deferred({ 'payload/status': status }), mutation, { status: 'completed', response: '1' });
    expect(outcome('pending').ok).toBe(true);
    for (const status of ['running', 'completed', 'failed', 'cancelled']) {
      expect(outcome(status)).toMatchObject(refusedAs('Conflict'));
    }
  });

  test('a result that is no JSON is refused with the place', () => {
    expect(resolveDeferred(deferred(), mutation, { status: 'completed', response: '{"a":' })).toMatchObject({
      refusal: { code: 'bad_request', text: expect.stringContaining('line 1') },
    });
  });

  test('the same command again gives the first result', () => {
    const outcome = { status: 'completed', response: '1' } as const;
    const first = receipt(resolveDeferred(deferred(), mutation, outcome));
    expect(resolveDeferred(deferred(), mutation, outcome, [first])).toMatchObject({ value: { replayed: true } });
  });
});

test('S18 only one of the store’s errors is worth a second try', () => {
  const names = ['NotFound', 'AlreadyExists', 'Conflict', 'StaleFence', 'IdempotencyConflict', 'QuotaExceeded'];
  const all = [...names, 'RunConflict', 'RetryableStorage', 'Failed'].filter(isUpstreamName);
  expect(all).toHaveLength(9);
  expect(all.filter(mayRetry)).toEqual(['RetryableStorage']);
});

describe('strict reading of the neighbours', () => {
  test.each([
    ['payload/status', 'maybe', 'payload.status'],
    ['payload/status', null, 'payload.status'],
    ['payload/revision', -1, 'payload.revision'],
    ['payload/action_id', undefined, 'payload.action_id'],
    ['payload/created_at', '2026-07-20', 'payload.created_at'],
    ['payload/decision', {}, 'payload.decision.status'],
    ['version', 2, 'version'],
  ])('%s: %j', (path, value, at) => {
    const read = readApproval(changed('approval-pending.json', { [path]: value }));
    expect(read).toMatchObject({ ok: false, refusal: { code: 'unreadable', facts: { read: { path: at } } } });
  });

  test('a record of another schema: WrongSchema', () => {
    expect(readApproval(fixture('deferred-waiting.json'))).toMatchObject({
      refusal: { facts: { read: { code: 'WrongSchema' } } },
    });
  });

  test('no JSON, and no object', () => {
    expect(readApproval(bytesOf('{"a"')).ok).toBe(false);
    expect(readApproval(bytesOf('[]')).ok).toBe(false);
  });
});
