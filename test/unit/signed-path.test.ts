import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { handOver } from '../../electron/checkpoints/handover.js';
import { DECISIONS, HEADS, suspensionText } from '../../electron/checkpoints/keys.js';
import { load, readDecision, writeDecision } from '../../electron/checkpoints/records.js';
import { withSignature } from '../../electron/checkpoints/signatures.js';
import type { Decision, SuspensionKey } from '../../shared/decision.js';
import { refused } from '../../shared/refusal.js';
import { EngineWorld } from '../helpers/engine-world.js';
import { ADA, BO, reviewer, signed } from '../helpers/signer.js';
import { klieoRecord, refusalOf, unwrap } from '../helpers/world.js';

const EVE = reviewer('Eve');
const record = (calls: string[] = ['issue_refund']): Uint8Array =>
  klieoRecord({ calls: calls.map((name, n) => ({ id: `c${n}`, name, args: `{"n":${n}}` })) });

let world: EngineWorld;
beforeEach(() => {
  world = new EngineWorld();
});
afterEach(() => world.remove());

async function decisionOf(key: SuspensionKey): Promise<{ decision: Decision; revision: number }> {
  const at = await readDecision(world.store, key);
  if (at.kind !== 'decision') throw new Error('no decision');
  return at;
}

/** Somebody who may write in the data folder puts another decision in the place of this one. */
async function put(key: SuspensionKey, change: (decision: Decision) => Decision): Promise<void> {
  const { decision, revision } = await decisionOf(key);
  await writeDecision(world.store, change(decision), revision);
}

const runName = (key: SuspensionKey): string => suspensionText(key);

/** What an altered decision looks like, and the refusal that it gets. */
const ALTERED: Record<string, [(decision: Decision) => unknown, string]> = {
  'the verdict': [
    (d) => ({ ...d, verdicts: d.verdicts.map((v) => ({ ...v, verdict: 'reject', reason: 'x' })) }),
    'signature_wrong',
  ],
  'a reason': [(d) => ({ ...d, verdicts: d.verdicts.map((v) => ({ ...v, reason: 'as agreed' })) }), 'signature_wrong'],
  'an edit': [
    (d) => ({ ...d, verdicts: d.verdicts.map((v) => ({ ...v, editedArguments: '{"n":9}' })) }),
    'signature_wrong',
  ],
  'the arguments’ digest': [
    (d) => ({ ...d, verdicts: d.verdicts.map((v) => ({ ...v, argumentsSha256: '0'.repeat(64) })) }),
    'signature_wrong',
  ],
  'the digest': [(d) => ({ ...d, digest: '0'.repeat(64) }), 'signature_wrong'],
  'the revision': [(d) => ({ ...d, revision: d.revision + 1 }), 'signature_wrong'],
  'the run': [(d) => ({ ...d, suspension: d.suspension, resumeStep: d.resumeStep + 1 }), 'signature_wrong'],
  'the name': [(d) => ({ ...d, reviewer: { ...d.reviewer, name: 'Bo' } }), 'signature_wrong'],
  'the time': [(d) => ({ ...d, decidedAt: '2026-07-20T09:59:59Z' }), 'signature_wrong'],
  'the end of the undo window': [(d) => ({ ...d, notBefore: '2026-07-20T09:00:00Z' }), 'signature_wrong'],
  'the key': [(d) => ({ ...d, reviewer: { ...d.reviewer, keyId: BO.key.keyId } }), 'not_signed'],
  'the key, and the signature’s too': [
    (d) => ({
      ...d,
      reviewer: { ...d.reviewer, keyId: BO.key.keyId },
      signatures: d.signatures.map((s) => ({ ...s, keyId: BO.key.keyId })),
    }),
    'signature_wrong',
  ],
  'no signature': [(d) => ({ ...d, signatures: [] }), 'not_signed'],
  'the signature of an agent': [(d) => signed(d, EVE), 'unknown_reviewer'],
};

describe('what nobody known has signed as it stands fires nothing', () => {
  for (const [what, [alter, code]] of Object.entries(ALTERED))
    it(`${what}: refused by the resume and by await, shown as held, and decided anew by a person`, async () => {
      world.known = [ADA.key, BO.key];
      for (const route of ['here', 'handed_over'] as const) {
        const step = route === 'here' ? 2 : 3;
        const runId = route === 'here' ? '01K0QZ6V5M3H8D7N2B4C9F1XGA' : '01K0QZ6V5M3H8D7N2B4C9F1XGB';
        const key = await world.put(
          klieoRecord({ runId, step, calls: [{ id: 'c', name: 'issue_refund', args: '{}' }] }),
          { route },
        );
        unwrap(await world.decide(key, ['approve']));
        await put(key, (decision) => alter(decision) as Decision);
        if (route === 'here') expect(refusalOf(await world.resume(key))).toBe(code);
        else {
          expect(refusalOf(await world.engine.await(runName(key), { token: 't', timeoutMs: 0 }))).toBe(code);
          expect(refusalOf(await handOver(world.store, world.ports, key, 't'))).toBe(code);
        }
        const shown = unwrap(await world.engine.show(runName(key)));
        expect(shown.row.status).toBe('held');
        expect(shown.tampered?.code).toBe(code);
        unwrap(await world.decide(key, ['approve']));
        const { decision } = await decisionOf(key);
        expect(decision.supersedes).toHaveLength(1);
        if (route === 'here') unwrap(await world.resume(key));
        else unwrap(await world.engine.await(runName(key), { token: 't', timeoutMs: 0 }));
      }
      expect(world.ledger).toHaveLength(1);
    });

  it('a decision that was signed for another hold fires nothing, though its bytes are the same', async () => {
    const bytes = record();
    const first = await world.put(bytes, { source: 'one' });
    const other = await world.put(bytes, { source: 'two', route: 'handed_over' });
    unwrap(await world.decide(first, ['approve']));
    unwrap(await world.decide(other, ['approve']));
    const { decision } = await decisionOf(first);
    const { revision } = await decisionOf(other);
    await world.store.cas(
      DECISIONS,
      suspensionText(other),
      new TextEncoder().encode(JSON.stringify(decision)),
      revision,
      { payloads: [] },
    );
    expect(refusalOf(await world.engine.await(runName(other), { token: 't', timeoutMs: 0 }))).toBe('signature_wrong');
  });

  it('a decision that another one took the place of does not come back', async () => {
    const key = await world.put(record(), { route: 'handed_over' });
    unwrap(await world.decide(key, ['approve']));
    const { decision: replaced } = await decisionOf(key);
    await put(key, (decision) => ({ ...decision, decidedAt: '2026-07-20T09:59:59Z' }));
    unwrap(await world.decide(key, [{ reject: 'no' }]));
    await put(key, () => replaced);
    expect(refusalOf(await world.engine.await(runName(key), { token: 't', timeoutMs: 0 }))).toBe('taken_back');
  });

  it('an agent that writes a decided head by itself, by a decision of its own or a claim, gets nothing', async () => {
    const key = await world.put(record(), { route: 'handed_over' });
    const at = unwrap(await load(world.store, key));
    const forged: Decision = {
      v: 1,
      decisionId: '01K0QZ6V5M3H8D7N2B4C9F1XGZ',
      suspension: key,
      resumeStep: at.record.resumeStep,
      revision: at.revision,
      digest: at.head.digest,
      verdicts: [{ index: 0, argumentsSha256: at.record.pending?.[0]?.argumentsSha256 ?? '', verdict: 'approve' }],
      reviewer: { name: 'Ada', keyId: ADA.key.keyId },
      decidedAt: '2026-07-20T10:00:00Z',
      notBefore: '2026-07-20T10:00:00Z',
      signatures: [],
    };
    for (const [decision, code] of [
      [forged, 'not_signed'],
      [signed(forged, EVE), 'unknown_reviewer'],
      [{ ...signed(forged, EVE), reviewer: forged.reviewer }, 'not_signed'],
      [withSignature(forged, { ...EVE.signer, keyId: ADA.key.keyId }, 'Ada', forged.decidedAt), 'signature_wrong'],
    ] as const) {
      const before = await readDecision(world.store, key);
      await writeDecision(world.store, decision, before.revision);
      expect(refusalOf(await world.engine.await(runName(key), { token: 't', timeoutMs: 0 }))).toBe(code);
      expect(refusalOf(await world.engine.start(runName(key), 0, { token: 't' }))).toBe('wrong_token');
      expect((await load(world.store, key).then(unwrap)).head.latch).toBeNull();
    }
    expect(await world.store.head(HEADS, runName(key))).toMatchObject({ revision: at.revision });
  });

  it('a decision made for one run counts for no other, and not for its next suspension', async () => {
    const [one, two] = [
      await world.put(
        klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGA', calls: [{ id: 'c', name: 'send_email', args: '{}' }] }),
      ),
      await world.put(
        klieoRecord({ runId: '01K0QZ6V5M3H8D7N2B4C9F1XGB', calls: [{ id: 'c', name: 'send_email', args: '{}' }] }),
      ),
    ];
    unwrap(await world.decide(one, ['approve']));
    const { decision } = await decisionOf(one);
    await writeDecision(world.store, { ...decision, suspension: two }, null);
    expect(refusalOf(await world.resume(two))).toBe('signature_wrong');
    expect(world.ledger).toEqual([]);
  });

  it('under a latch the pinned decision is checked again, before anything goes on', async () => {
    const key = await world.put(record());
    unwrap(await world.decide(key, ['approve']));
    world.onPoint = (point) => {
      if (point === 'claim.after-latch') throw new Error('killed');
    };
    await expect(world.resume(key)).rejects.toThrow('killed');
    world.onPoint = () => {};
    world.known = [BO.key];
    expect(refusalOf(await world.resume(key, 'again'))).toBe('unknown_reviewer');
    expect(world.ledger).toEqual([]);
    world.known = [ADA.key];
    unwrap(await world.resume(key, 'again'));
    expect(world.ledger).toHaveLength(1);
  });

  it('a decision that was taken back, or objected to, and is written again without that, counts for nothing', async () => {
    for (const [runId, hold] of [
      ['01K0QZ6V5M3H8D7N2B4C9F1XGA', { withdrawn: { by: 'Ada', at: '2026-07-20T10:00:01Z' } }],
      ['01K0QZ6V5M3H8D7N2B4C9F1XGB', { objections: [{ by: 'Bo', at: '2026-07-20T10:00:01Z', text: 'no' }] }],
    ] as const) {
      const key = await world.put(klieoRecord({ runId, calls: [{ id: 'c', name: 'send_email', args: '{}' }] }));
      const made = unwrap(await world.decide(key, ['approve']));
      await put(key, (decision) => ({ ...decision, ...hold }) as Decision);
      await put(key, () => made);
      expect(refusalOf(await world.resume(key))).toBe('taken_back');
      expect(unwrap(await world.engine.show(runName(key))).row.status).toBe('held');
      expect(world.ledger).toEqual([]);
      unwrap(await world.decide(key, [{ reject: 'no' }]));
      unwrap(await world.resume(key));
    }
  });

  it('a key that cannot be used decides nothing: never silently unsigned', async () => {
    const key = await world.put(record());
    world.signer = refused('cannot_sign', 'The key ring is locked.');
    expect(refusalOf(await world.decide(key, ['approve']))).toBe('cannot_sign');
    expect((await readDecision(world.store, key)).kind).toBe('none');
  });

  it('taken back, objected to and decided anew work as before: what is not signed only holds back', async () => {
    const key = await world.put(record());
    const made = unwrap(await world.decide(key, ['approve']));
    await put(key, (decision) => ({ ...decision, objections: [{ by: 'Bo', at: decision.decidedAt, text: 'no' }] }));
    expect(refusalOf(await world.resume(key))).toBe('held');
    const again = unwrap(await world.decide(key, ['approve']));
    expect(again.supersedes).toEqual([made.decisionId]);
    unwrap(await world.resume(key));
  });
});
