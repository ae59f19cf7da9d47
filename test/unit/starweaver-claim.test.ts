import { describe, expect, test } from 'vitest';
import { type Claim, readClaim, writeClaim } from '../../electron/formats/starweaver/claim.js';
import {
  abort,
  acquire,
  admit,
  consume,
  LEASE_NS,
  LOST_AFTER_START,
  release,
  start,
} from '../../electron/formats/starweaver/claim-transitions.js';
import { fixture } from '../helpers/starweaver.js';

function claim(state: string): Claim {
  const read = readClaim(fixture(`claim-${state}.json`));
  if (!read.ok) throw new Error(read.refusal.text);
  return read.value;
}
const [preflight, admitted, started] = ['preflight', 'admitted', 'started'].map(claim);
const { state: _, ...request } = claim('preflight');
const ID = request.claimId;
const NOW = '2026-07-20T09:21:00Z';
const NOW_NS = 1_784_539_260_000_000_000n;
const refusedAs = (name: string, code?: string) => ({
  ok: false,
  refusal: { facts: { upstream: name }, ...(code === undefined ? {} : { code }) },
});

describe('S16 one claim a waiting run', () => {
  test('the first takes it in preflight', () => {
    expect(acquire(null, request, 'waiting')).toEqual({ ok: true, value: { ...request, state: 'preflight' } });
  });

  test('the same claim again is no change, another is told who won', () => {
    expect(acquire(preflight ?? null, request, 'waiting')).toEqual({ ok: true, value: preflight });
    const other = acquire(preflight ?? null, { ...request, claimId: 'b' }, 'waiting');
    expect(other).toMatchObject(refusedAs('Conflict', 'already_claimed'));
    expect(other).toMatchObject({ refusal: { facts: { claimId: ID, state: 'preflight' } } });
  });

  test('the same id for another run or session is another claim', () => {
    expect(acquire(preflight ?? null, { ...request, sessionId: 's2' }, 'waiting').ok).toBe(false);
  });

  test('from admission on not even its own id takes it again', () => {
    for (const held of [admitted, started]) {
      expect(acquire(held ?? null, request, 'waiting')).toMatchObject(refusedAs('Conflict', 'already_claimed'));
    }
  });

  test('a run that does not wait has none, and an empty id is none', () => {
    for (const status of ['running', 'completed', 'queued'] as const) {
      expect(acquire(null, request, status)).toMatchObject(refusedAs('Conflict', 'not_waiting'));
    }
    expect(acquire(null, { ...request, claimId: '  ' }, 'waiting').ok).toBe(false);
  });

  test('it never ends by time: a claim of long ago holds', () => {
    const old = { ...claim('preflight'), createdAt: '1999-01-01T00:00:00Z' };
    expect(acquire(old, { ...request, claimId: 'b' }, 'waiting').ok).toBe(false);
  });

  test('is released in preflight only, and only by its own id', () => {
    expect(release(preflight ?? null, ID)).toEqual({ ok: true, value: null });
    expect(release(null, ID)).toEqual({ ok: true, value: null });
    expect(release(preflight ?? null, 'b')).toMatchObject(refusedAs('Conflict', 'wrong_token'));
    expect(release(admitted ?? null, ID)).toMatchObject(refusedAs('Conflict', 'too_late'));
    expect(release(started ?? null, ID)).toMatchObject(refusedAs('Conflict', 'too_late'));
  });

  test('admission has a lease of 30 seconds; the start is refused when it is over, at its very instant', () => {
    const outcome = admit(preflight ?? null, ID, NOW);
    if (!outcome.ok) throw new Error(outcome.refusal.text);
    const { claim: held, lease } = outcome.value;
    expect(held).toEqual(admitted);
    expect(lease.expiresAtNs).toBe(NOW_NS + LEASE_NS);
    expect(LEASE_NS).toBe(30_000_000_000n);
    expect(start(held, lease, NOW_NS + LEASE_NS)).toMatchObject(refusedAs('StaleFence'));
    expect(start(held, lease, NOW_NS + LEASE_NS - 1n)).toEqual({ ok: true, value: started });
  });

  test('no step is left out, and none is taken twice', () => {
    const lease = { claimId: ID, expiresAtNs: NOW_NS + LEASE_NS };
    expect(start(preflight ?? null, lease, NOW_NS)).toMatchObject(refusedAs('Conflict'));
    expect(start(started ?? null, lease, NOW_NS)).toMatchObject(refusedAs('Conflict'));
    expect(start(admitted ?? null, { ...lease, claimId: 'b' }, NOW_NS)).toMatchObject(refusedAs('Conflict'));
    expect(start(null, lease, NOW_NS)).toMatchObject(refusedAs('NotFound'));
    expect(admit(admitted ?? null, ID, NOW)).toMatchObject(refusedAs('Conflict'));
    expect(admit(null, ID, NOW)).toMatchObject(refusedAs('NotFound'));
    expect(admit(preflight ?? null, ID, 'soon').ok).toBe(false);
  });
});

describe('S17 the end of a claim', () => {
  test('an admission is aborted before the effect; after the start the effect may have happened', () => {
    expect(abort(admitted ?? null, ID)).toEqual({ ok: true, value: { outcome: 'aborted_before_effect', claim: null } });
    expect(abort(started ?? null, ID)).toEqual({ ok: true, value: { outcome: 'effect_started', claim: started } });
    expect(abort(preflight ?? null, ID)).toMatchObject(refusedAs('Conflict'));
    expect(abort(started ?? null, 'b')).toMatchObject(refusedAs('Conflict'));
    expect(abort(null, ID)).toMatchObject(refusedAs('NotFound'));
  });

  test('S15 a started claim goes only with its source run completed or failed', () => {
    expect(consume(started ?? null, ID, 'completed').ok).toBe(true);
    expect(consume(started ?? null, ID, 'failed').ok).toBe(true);
    expect(consume(started ?? null, ID, 'waiting')).toMatchObject(refusedAs('Conflict'));
    expect(consume(admitted ?? null, ID, 'completed')).toMatchObject(refusedAs('Conflict'));
    expect(consume(started ?? null, 'b', 'failed')).toMatchObject(refusedAs('Conflict'));
  });

  test('a host lost after the start leaves what a person must reconcile', () => {
    expect(JSON.parse(`{"${LOST_AFTER_START[0]}":${LOST_AFTER_START[1]}}`)).toEqual({
      'starweaver.continuation.effect': { phase: 'started', outcome: 'indeterminate' },
    });
  });
});

test('a claim that was moved is written in starweaver’s form and read again', () => {
  const moved = admit({ ...claim('preflight'), createdAt: '2026-07-20T11:21:00+02:00' }, ID, NOW);
  if (!moved.ok) throw new Error(moved.refusal.text);
  expect(readClaim(writeClaim(moved.value.claim))).toEqual({ ok: true, value: admitted });
});
