import { describe, expect, test } from 'vitest';
import { readApproval } from '../../electron/formats/starweaver/approval-record.js';
import { readClaim } from '../../electron/formats/starweaver/claim.js';
import { readDeferred } from '../../electron/formats/starweaver/deferred-record.js';
import { matchNeighbours } from '../../electron/formats/starweaver/match-neighbours.js';
import { type Evidence, prepareContinuation } from '../../electron/formats/starweaver/prepare.js';
import type { Outcome } from '../../shared/refusal.js';
import {
  bytesOf,
  CALL_A,
  changed,
  DEFERRED,
  fixture,
  type Json,
  ONE,
  RUN,
  TWO,
  textOf,
} from '../helpers/starweaver.js';

function value<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal.text);
  return outcome.value;
}
const approval = (changes: Record<string, Json | undefined> = {}, file = 'approval-approved.json') =>
  value(readApproval(changed(file, changes)));
const result = (changes: Record<string, Json | undefined> = {}) =>
  value(
    readDeferred(
      changed('deferred-waiting.json', { 'payload/status': 'completed', 'payload/response': { hits: 3 }, ...changes }),
    ),
  );
const prepare = (more: Partial<Evidence> = {}) =>
  prepareContinuation({
    sessionId: 'session_7d9c',
    runStatus: 'waiting',
    checkpoint: fixture(ONE),
    approvals: [approval()],
    deferred: [],
    ...more,
  });
const refusedAs = (name: string, facts: Record<string, unknown> = {}) => ({
  ok: false,
  refusal: { facts: { upstream: name, ...facts } },
});

describe('S11 S12 S13 the durable evidence of a waiting run', () => {
  test('a decision for each approval, the override out of its metadata', () => {
    expect(prepare()).toEqual({
      ok: true,
      value: {
        decisions: [
          {
            index: 0,
            decision: {
              decision: 'approved',
              decidedBy: 'ana',
              reason: 'ok',
              overrideArguments: '{"command":"rm -rf target/out/x","cwd":"/srv/apps"}',
            },
          },
        ],
        results: [],
      },
    });
  });

  test('S6 the durable run decides: a checkpoint that says running is enough, a run that does not wait is not', () => {
    expect(prepare({ checkpoint: fixture('14-pending-but-status-running.json') }).ok).toBe(true);
    for (const runStatus of ['running', 'completed', 'queued'] as const) {
      expect(prepare({ runStatus })).toMatchObject(refusedAs('SourceNotWaiting'));
    }
  });

  test('S10 expired and cancelled go on as denied, with a reason that says so', () => {
    const expired = { approvals: [approval({ 'payload/decision/reason': undefined }, 'approval-expired.json')] };
    expect(prepare(expired)).toMatchObject({
      value: { decisions: [{ decision: { decision: 'denied', reason: 'approval expired' } }] },
    });
    const cancelled = approval({ 'payload/status': 'cancelled' }, 'approval-denied.json');
    expect(prepare({ approvals: [cancelled] })).toMatchObject({
      value: { decisions: [{ decision: { decision: 'denied' } }] },
    });
  });

  test('S10 InconsistentApproval', () => {
    expect(prepare({ approvals: [approval({}, 'approval-inconsistent.json')] })).toMatchObject(
      refusedAs('InconsistentApproval', { id: CALL_A }),
    );
    const expiredButApproved = approval({ 'payload/status': 'expired' });
    expect(prepare({ approvals: [expiredButApproved] })).toMatchObject(refusedAs('InconsistentApproval'));
  });

  test('MissingCheckpoint, NoPendingHitl, MissingDecision', () => {
    expect(prepare({ checkpoint: null })).toMatchObject(refusedAs('MissingCheckpoint'));
    expect(prepare({ checkpoint: fixture('04-running-no-pending.json'), approvals: [] })).toMatchObject(
      refusedAs('NoPendingHitl'),
    );
    expect(prepare({ approvals: [] })).toMatchObject(refusedAs('MissingDecision', { kind: 'approval', id: CALL_A }));
    expect(prepare({ approvals: [approval({}, 'approval-pending.json')] })).toMatchObject(refusedAs('MissingDecision'));
    expect(prepare({ checkpoint: fixture(TWO) })).toMatchObject(refusedAs('MissingDecision'));
  });

  test.each([
    ['another session', { 'payload/session_id': 's' }, 'IdentityMismatch', {}],
    ['another run', { 'payload/run_id': 'run_x' }, 'IdentityMismatch', {}],
    ['another call', { 'payload/action_id': 'x' }, 'UnknownDecision', { id: 'x' }],
    ['another id', { 'payload/approval_id': 'x' }, 'MismatchedDecisionEvidence', { field: 'approval id' }],
    ['another tool', { 'payload/action_name': 'x' }, 'MismatchedDecisionEvidence', { field: 'action name' }],
    ['another request', { 'payload/request/reason': 'x' }, 'MismatchedDecisionEvidence', { field: 'request' }],
    ['no request', { 'payload/request': undefined }, 'MismatchedDecisionEvidence', { field: 'request' }],
    [
      'other reviewed arguments',
      { 'payload/reviewed_arguments/command': 'ls' },
      'MismatchedDecisionEvidence',
      { field: 'durable reviewed tool arguments' },
    ],
    [
      'no reviewed arguments',
      { 'payload/reviewed_arguments': undefined },
      'MismatchedDecisionEvidence',
      { field: 'durable reviewed tool arguments' },
    ],
    [
      'null reviewed arguments',
      { 'payload/reviewed_arguments': null },
      'MismatchedDecisionEvidence',
      { field: 'durable reviewed tool arguments' },
    ],
  ])('an approval of %s', (_, changes, name, facts) => {
    expect(prepare({ approvals: [approval(changes)] })).toMatchObject(refusedAs(name, facts));
  });

  test('DuplicateDecision of approvals', () => {
    expect(prepare({ approvals: [approval(), approval()] })).toMatchObject(refusedAs('DuplicateDecision'));
  });

  test('the checkpoint’s own evidence is refused first', () => {
    expect(prepare({ checkpoint: fixture('12-waiting-without-reviewed-arguments.json') })).toMatchObject(
      refusedAs('MismatchedDecisionEvidence'),
    );
    expect(prepare({ checkpoint: changed(ONE, { 'payload/state/run_id': 'x' }) })).toMatchObject(
      refusedAs('IdentityMismatch'),
    );
    expect(prepare({ checkpoint: fixture('08-unknown-version.json') })).toMatchObject({
      refusal: { code: 'unreadable', facts: { read: { code: 'UnsupportedVersion' } } },
    });
  });

  test('I5 no record with a key that stands twice takes part', () => {
    const twice = (bytes: Uint8Array): Uint8Array =>
      bytesOf(textOf(bytes).replace('"run_id":', '"run_id":"x","run_id":'));
    expect(prepare({ checkpoint: twice(fixture(ONE)) })).toMatchObject({ refusal: { code: 'blocked_by_warning' } });
    const approvals = [value(readApproval(twice(fixture('approval-approved.json'))))];
    expect(prepare({ approvals })).toMatchObject({ refusal: { code: 'blocked_by_warning' } });
  });

  describe('with a deferred call', () => {
    const both = (deferred: Evidence['deferred']) =>
      prepare({ checkpoint: fixture(DEFERRED), approvals: [approval()], deferred });

    test('its terminal result stands beside the decision', () => {
      expect(both([result()])).toMatchObject({
        value: {
          decisions: [{ index: 0 }],
          results: [{ index: 1, result: { status: 'completed', response: '{"hits":3}' } }],
        },
      });
      for (const status of ['failed', 'cancelled']) {
        expect(both([result({ 'payload/status': status })])).toMatchObject({
          value: { results: [{ result: { status } }] },
        });
      }
    });

    test('approving alone: MissingDecision of the deferred one', () => {
      const missing = refusedAs('MissingDecision', { kind: 'deferred' });
      expect(both([])).toMatchObject(missing);
      for (const status of ['pending', 'running', 'waiting']) {
        expect(both([result({ 'payload/status': status })])).toMatchObject(missing);
      }
    });

    test('MismatchedDecisionIdentity, UnknownDecision, DuplicateDecision, IdentityMismatch', () => {
      expect(both([result({ 'payload/tool_call_id': 'x' })])).toMatchObject(
        refusedAs('MismatchedDecisionIdentity', { actual: 'x' }),
      );
      expect(both([result(), result({ 'payload/deferred_id': 'x' })])).toMatchObject(
        refusedAs('UnknownDecision', { kind: 'deferred', id: 'x' }),
      );
      expect(both([result(), result()])).toMatchObject(refusedAs('DuplicateDecision', { kind: 'deferred' }));
      expect(both([result({ 'payload/run_id': 'x' })])).toMatchObject(refusedAs('IdentityMismatch'));
    });
  });
});

test('neighbours are found by run and call, imported together or apart', () => {
  const claim = value(readClaim(fixture('claim-started.json')));
  const stray = [approval({ 'payload/run_id': 'run_x' }), approval({ 'payload/action_id': 'x' })];
  const strayClaim = { ...claim, runId: 'run_x' };
  const own = { approvals: [approval()], deferred: [result()], claims: [claim] };
  const matched = matchNeighbours(fixture(DEFERRED), {
    ...own,
    approvals: [...stray, ...own.approvals],
    claims: [strayClaim, claim],
  });
  expect(matched).toEqual({
    calls: [
      { index: 0, approvals: own.approvals, deferred: [] },
      { index: 1, approvals: [], deferred: own.deferred },
    ],
    claims: [claim],
    strays: [...stray, strayClaim],
  });
  expect(claim.runId).toBe(RUN);
});
