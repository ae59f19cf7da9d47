import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fateOf, isFinal } from '../../electron/sync/protocol/fates.js';
import { type DecisionRef, SharedHead } from '../../electron/sync/protocol/head.js';
import { decisionKey, headKey, readKey, suspensionId, token } from '../../electron/sync/protocol/keys.js';
import { illegal, malformed, unreachable } from '../../electron/sync/protocol/legal.js';
import { planAfterCrash, planClaim, planSettle } from '../../electron/sync/protocol/plan-claim.js';
import { planEnd, planExpire, planHandOff, planPurge } from '../../electron/sync/protocol/plan-keep.js';
import { planConnect, planPull, planReconcile } from '../../electron/sync/protocol/plan-pull.js';
import { planPush } from '../../electron/sync/protocol/plan-push.js';
import { encode, type Read, readStored } from '../../electron/sync/protocol/read.js';
import { checkDecisions, refOf, type SharedRecord, type Verify } from '../../electron/sync/protocol/record.js';
import { saidBy, withDecisions } from '../../electron/sync/protocol/said.js';
import { accepted, refused } from '../../shared/refusal.js';
import { decisionOn, headOf, suspensionOf } from '../sim/records.js';

const suspension = suspensionOf('local', 1);
const id = suspensionId(suspension);
const base = headOf(suspension, 'inc-1');
const record = (
  decisionId: string,
  verdict: 'approve' | 'reject',
  by = decisionId,
  names: string[] = [],
  edit?: string,
): SharedRecord => ({
  v: 1,
  id,
  epoch: 0,
  kind: 'decision',
  decision: decisionOn(base, {
    id: decisionId,
    by,
    verdict,
    ...(names.length > 0 ? { supersedes: names } : {}),
    ...(edit === undefined ? {} : { edit }),
  }),
});
const takenBack = (decisionId: string, by: string, of: string): SharedRecord => ({
  v: 1,
  id,
  epoch: 0,
  kind: 'taken_back',
  decisionId,
  by,
  at: 'then',
  names: [of],
});
const objection = (decisionId: string, by: string): SharedRecord => ({
  v: 1,
  id,
  epoch: 0,
  kind: 'objection',
  decisionId,
  by,
  at: 'then',
  text: 'no',
});
const at = (head: SharedHead, revision = 5): Read => ({ kind: 'head', revision, at: 0n, head });
const seal = { by: 'me', at: 'now' };
/** Pushes one after the other, as they arrive. */
function arrive(records: readonly SharedRecord[]): SharedHead {
  let head = base;
  for (const one of records) {
    const plan = planPush(at(head), refOf(one), base.digest, seal);
    if (plan.kind === 'write') {
      expect(illegal(head, plan.next)).toBeNull();
      head = plan.next;
    }
  }
  return head;
}
const claimed = (head: SharedHead): SharedHead => ({
  ...head,
  state: 'claimed',
  latch: { token: 'x'.repeat(20), by: 'agent', decisionId: head.decision ?? '', at: 'then' },
});
const fateIn = (one: SharedRecord, head: SharedHead) => fateOf(refOf(one), base.digest, at(head));

describe('keys', () => {
  test('an id is a legal key whatever the run id holds, and two runs never share one (I11)', () => {
    const key = fc.record({
      system: fc.constantFrom('klieo', 'sha256'),
      source: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
      runId: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.string({ minLength: 150, maxLength: 400 }),
        fc.constantFrom('\ud800', '\udfff', '../x', 'a.b', '*', '>', ''),
      ),
      seq: fc.integer({ min: 1, max: 20 }),
    });
    void fc.assert(
      fc.property(key, key, (a, b) => {
        expect(headKey(suspensionId(a))).toMatch(/^susp\.[-\w=/]{1,210}$/);
        expect(suspensionId(a) === suspensionId(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
        expect(readKey(headKey(suspensionId(a)))).toEqual({ kind: 'head', id: suspensionId(a) });
      }),
    );
  });

  test('reviewer, run and decision are told apart in a key', () => {
    expect(readKey(decisionKey('Ann B.', id, '01A'))).toEqual({
      kind: 'decision',
      reviewer: 'Ann=20B=2E',
      id,
      decisionId: '01A',
    });
    expect(token('a.b')).not.toBe(token('a=2Eb'));
    for (const foreign of ['susp', 'susp.a.b', 'dec.a.b', 'other.x', 'susp.a b', 'meta.tick'])
      expect(readKey(foreign).kind).toBe('foreign');
  });
});

describe('H10: decisions made apart', () => {
  const a = record('a', 'approve');
  const b = record('b', 'approve');
  const c = record('c', 'reject');
  const d = record('d', 'approve', 'd', ['a', 'b', 'c']);
  const edited = record('e', 'approve', 'e', [], '{"amount":1}');

  test('the order of arrival changes neither the state nor which decisions count', () => {
    const all = [a, b, c, d, edited, objection('o', 'o'), takenBack('t', 'c', 'c')];
    void fc.assert(
      fc.property(fc.subarray(all), fc.nat(), (some, turn) => {
        const other = [...some].sort((x, y) => refOf(x).key.localeCompare(refOf(y).key));
        const rotated = [...other.slice(turn % (other.length + 1)), ...other.slice(0, turn % (other.length + 1))];
        const [one, two] = [arrive(some), arrive(rotated)];
        const live = (head: SharedHead) => {
          const said = saidBy(head.decisions);
          return said.kind === 'nothing' ? [] : said.live.map((ref) => ref.decisionId).sort();
        };
        // What was taken out before it came adds nothing, so compare what counts.
        expect(one.state).toBe(two.state);
        expect(live(one)).toEqual(live(two));
      }),
    );
  });

  test('the same verdict agrees; another one, or another edit, holds the run', () => {
    expect(arrive([a, b])).toMatchObject({ state: 'decided', decision: 'a' });
    expect(fateIn(b, arrive([a, b]))).toMatchObject({ kind: 'agreed', other: { by: 'a' } });
    for (const other of [c, edited, objection('o', 'o')]) {
      const held = arrive([a, other]);
      expect(held).toMatchObject({ state: 'suspended', decision: null });
      expect(fateIn(a, held)).toMatchObject({ kind: 'conflict', others: [{ decisionId: refOf(other).decisionId }] });
      expect(fateIn(other, held)).toMatchObject({ kind: 'conflict', others: [{ by: 'a' }] });
    }
  });

  test('a decision that names both resolves it; one that names one of them does not', () => {
    expect(arrive([a, c, record('f', 'approve', 'f', ['a'])])).toMatchObject({ state: 'suspended' });
    const resolved = arrive([a, b, c, d]);
    expect(resolved).toMatchObject({ state: 'decided', decision: 'd' });
    expect(fateIn(c, resolved)).toMatchObject({ kind: 'overruled', other: { by: 'd' } });
    expect(isFinal({ kind: 'conflict', others: [] })).toBe(false);
  });

  test('after the claim it is too late, loudly for a refusal; the same verdict agrees', () => {
    const head = claimed(arrive([a]));
    expect(fateIn(c, head)).toMatchObject({ kind: 'too_late', loud: true, by: 'agent', decisionId: 'a' });
    expect(fateIn(edited, head)).toMatchObject({ kind: 'too_late', loud: false });
    expect(fateIn(b, head)).toMatchObject({ kind: 'agreed', claim: { by: 'agent', done: false } });
    expect(fateIn(a, head)).toMatchObject({ kind: 'applied', claim: { by: 'agent' } });
    expect(fateIn(a, { ...head, state: 'blocked' })).toMatchObject({ kind: 'blocked' });
  });
});

describe('the failure table', () => {
  const a = record('a', 'approve');
  const ref: DecisionRef = refOf(a);

  test('payload changed: stale; ended: which of the endings; marker and tombstone: gone; newer schema: left alone', () => {
    expect(fateOf(ref, base.digest, at({ ...base, digest: 'f'.repeat(64) }))).toEqual({ kind: 'stale' });
    for (const end of ['expired', 'withdrawn', 'superseded'] as const)
      expect(fateOf(ref, base.digest, at({ ...base, state: 'expired', end }))).toEqual({ kind: 'ended', end });
    expect(fateOf(ref, base.digest, { kind: 'marker', revision: 9, at: 0n })).toEqual({ kind: 'gone' });
    const newer = readStored({ key: headKey(id), revision: 3, at: 0n, value: encode({ ...base, v: 2 }) });
    expect(newer.kind).toBe('unreadable');
    expect(fateOf(ref, base.digest, newer)).toMatchObject({ kind: 'unreadable' });
    expect(planClaim(newer, claimer)).toMatchObject({ kind: 'refused', refusal: { code: 'unreadable' } });
    expect(planPurge(newer, 10n ** 18n, 1n)).toBeNull();
  });

  test('absent is neither gone nor a first attempt: a tombstone is made, and a claim refuses', () => {
    expect(planPush({ kind: 'absent' }, ref, base.digest, seal)).toMatchObject({
      kind: 'seal',
      next: { sealed: true },
    });
    expect(planClaim({ kind: 'absent' }, claimer)).toMatchObject({ kind: 'refused', refusal: { code: 'not_found' } });
    expect(planPull({ revision: 4, head: base, problem: null }, { kind: 'absent' })).toEqual({ kind: 'ignore' });
    expect(planHandOff({ kind: 'marker', revision: 1, at: 0n }, base)).toMatchObject({ kind: 'refused' });
  });

  const claimer = { token: 'own-token-0123456789', by: 'me', at: 'now', digest: base.digest, epoch: 0 };
  test('a claim: own token found is won, another is lost, held and undecided refuse, other content refuses', () => {
    const decided = arrive([a]);
    const plan = planClaim(at(decided), claimer);
    if (plan.kind !== 'write') throw new Error('it may be claimed');
    expect(illegal(decided, plan.next)).toBeNull();
    expect(planClaim(at(plan.next), claimer)).toMatchObject({ kind: 'won' });
    const refusedBy = (head: SharedHead, change = {}) => planClaim(at(head), { ...claimer, ...change });
    expect(refusedBy(plan.next, { token: 'y'.repeat(20) })).toMatchObject({ refusal: { code: 'already_claimed' } });
    expect(refusedBy(arrive([a, record('c', 'reject')]))).toMatchObject({ refusal: { code: 'held' } });
    expect(refusedBy(base)).toMatchObject({ refusal: { code: 'not_decided' } });
    expect(refusedBy(decided, { digest: null })).toMatchObject({ refusal: { code: 'changed_since_you_looked' } });
    expect(refusedBy(decided, { epoch: 1 })).toMatchObject({ refusal: { code: 'not_allowed' } });
    expect(planClaim(at({ ...decided, nonIdempotent: [] }), { ...claimer, epoch: 1 }).kind).toBe('write');
    const done = planSettle(at(plan.next), claimer.token, 'finished');
    expect(done).toMatchObject({ kind: 'write', next: { state: 'done', end: 'finished' } });
    expect(planSettle(at(plan.next), 'z'.repeat(20), 'finished')).toMatchObject({ kind: 'refused' });
  });

  test('after a crash: un-fired goes on by the same token, started is blocked unless all may run twice (I8)', () => {
    expect(planAfterCrash('intent', false)).toBe('same_token');
    expect(planAfterCrash('started', false)).toBe('blocked');
    expect(planAfterCrash('started', true)).toBe('dispatch_again');
    expect(planAfterCrash('answered', false)).toBe('settle');
  });

  test('another engine, another epoch, or one that went back stops; the first time begins', () => {
    const cursor = { epoch: 0, created: 'then', revision: 10 };
    expect(planConnect(null, { created: 'then', last: 0 }, 0)).toBe('begin');
    expect(planConnect(cursor, { created: 'then', last: 10 }, 0)).toBe('go_on');
    for (const [life, epoch] of [
      [{ created: 'now', last: 99 }, 0],
      [{ created: 'then', last: 9 }, 0],
      [{ created: 'then', last: 10 }, 1],
    ] as const)
      expect(planConnect(cursor, life, epoch)).toMatchObject({ reset: expect.any(String) });
  });

  test("expiry by the engine's own time; a decided run does not expire, a claimed one is not ended", () => {
    expect(planExpire(at(base), 99n, 100n)).toBeNull();
    expect(planExpire(at(base), 100n, 100n)).toMatchObject({ next: { state: 'expired', end: 'expired' } });
    const decided = arrive([a]);
    expect(planExpire(at(decided), 10n ** 18n, 1n)).toBeNull();
    expect(planEnd(at(decided), 'withdrawn')).toBeNull();
    expect(planEnd(at(decided), 'superseded')).toMatchObject({ next: { end: 'superseded' } });
    expect(planEnd(at(claimed(decided)), 'superseded')).toBeNull();
  });

  test('a listing shows what is newer and what is missing', () => {
    const known = new Map([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    const listed = new Map([
      ['a', 1],
      ['b', 5],
      ['d', 9],
    ]);
    expect(planReconcile(known, listed)).toEqual({ read: ['b', 'd'], missing: ['c'] });
  });
});

describe('what is tampered with is shown, never acted on', () => {
  const a = record('a', 'approve');
  const decided = arrive([a]);
  const verify = () => accepted(null);
  const records = new Map([[refOf(a).key, encode(a)]]);
  const check = (
    head: SharedHead,
    bytes: (key: string) => Uint8Array | null = (key) => records.get(key) ?? null,
    by: Verify = verify,
  ) => checkDecisions(head, id, bytes, by);

  test('illegal jumps, and heads that contradict themselves', () => {
    expect(malformed({ ...base, state: 'decided' })).not.toBeNull();
    expect(illegal(null, decided)).not.toBeNull();
    expect(unreachable(claimed(decided), decided)).not.toBeNull();
    expect(unreachable(decided, { ...base })).not.toBeNull();
    expect(unreachable(base, { ...base, inc: 'other' })).not.toBeNull();
    const other = { ...claimed(decided), latch: { token: 'y'.repeat(20), by: 'eve', decisionId: 'a', at: '' } };
    expect(unreachable(claimed(decided), other)).toBe('the latch changed hands');
    expect(unreachable(base, claimed(decided))).toBeNull();
    const known = planPull({ revision: 4, head: claimed(decided), problem: null }, at(decided, 5));
    expect(known).toMatchObject({ known: { head: { state: 'claimed' }, problem: { kind: 'tampered' } } });
  });

  test('an agent that writes a decided head by itself is refused: each decision stands under its own key, signed', () => {
    expect(check(decided)).toMatchObject({ ok: true, value: { decisionId: 'a' } });
    expect(check(decided, () => null)).toMatchObject({ ok: false });
    expect(check(decided, undefined, () => refused('not_allowed', 'no signature'))).toMatchObject({ ok: false });
    const forged = record('a', 'reject');
    expect(check(decided, () => encode(forged))).toMatchObject({ ok: false });
    expect(check({ ...decided, digest: 'f'.repeat(64) })).toMatchObject({ ok: false });
    const elsewhere: SharedRecord = { ...a, id: 'klieo/local/2/run=2E1' };
    expect(check(withDecisions(base, [refOf(elsewhere)]), () => encode(elsewhere))).toMatchObject({ ok: false });
  });

  test('nobody takes back what another decided', () => {
    const back = takenBack('t', 'eve', 'c');
    const c = record('c', 'reject');
    for (const one of [c, back]) records.set(refOf(one).key, encode(one));
    const head = arrive([a, c, back]);
    expect(head.state).toBe('decided');
    expect(check(head)).toMatchObject({ ok: false, refusal: { code: 'not_allowed' } });
  });

  test('a head under the key of another run is not readable', () => {
    const read = readStored({ key: headKey('klieo/local/9/x'), revision: 1, at: 0n, value: encode(base) });
    expect(read.kind).toBe('unreadable');
    expect(SharedHead.safeParse(base).success).toBe(true);
  });
});
