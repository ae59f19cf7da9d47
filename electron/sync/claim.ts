import type { Decision } from '../../shared/decision.js';
import { accepted, type Outcome, refused } from '../../shared/refusal.js';
import type { Intent, SyncIo } from './io.js';
import type { SharedHead } from './protocol/head.js';
import { headKey } from './protocol/keys.js';
import { encode } from './protocol/read.js';

const TRIES = 12;

export interface Won {
  head: SharedHead;
  /** The decision in force, checked. */
  decision: Decision;
  token: string;
}

/**
 * Takes the right to continue a run of the engine. The token is durable before it is sent, and every further try, also
 * after a crash, sends the same one: finding it in the head is winning. Refused `in_doubt` when no try got an answer; the
 * next call goes on with the same token. Throws `EngineAway`.
 */
export async function claimShared(io: SyncIo, id: string): Promise<Outcome<Won>> {
  const kept = await io.files.intent(id);
  if (kept?.phase === 'lost' || kept?.phase === 'closed')
    return refused('nothing_to_continue', 'This run was claimed and ended in the shared engine already.');
  const intent: Intent = kept ?? { v: 1, token: io.newToken(), phase: 'intent' };
  if (kept === null) await io.files.saveIntent(id, intent);
  await io.at?.('claim.after-intent');
  for (let tries = 0; tries < TRIES; tries++) {
    const read = io.plans.readStored(await io.engine.get(headKey(id)));
    const head = read.kind === 'head' ? read.head : null;
    const decision = head === null ? null : await checked(io, id, head);
    const plan = io.plans.planClaim(read, {
      token: intent.token,
      by: io.me,
      at: io.now(),
      digest: head === null ? null : await io.bodyDigest(head),
      epoch: io.epoch(),
    });
    if (plan.kind === 'refused') {
      if (plan.refusal.code === 'already_claimed') await io.files.saveIntent(id, { ...intent, phase: 'lost' });
      return { ok: false, refusal: plan.refusal };
    }
    if (decision !== null && !decision.ok) return decision;
    if (plan.kind === 'won') {
      if (decision === null) throw new Error('a won claim has a head');
      return accepted({ head: plan.head, decision: decision.value, token: intent.token });
    }
    await io.at?.('claim.before-head');
    const put = await io.engine.casPut(headKey(id), encode(plan.next), plan.expected);
    await io.at?.('claim.after-head');
    if (put.kind === 'refused') return { ok: false, refusal: put.refusal };
  }
  return refused('in_doubt', 'The shared engine did not say whether the claim holds. Nothing was dispatched.');
}

/** The decisions of a head, each against its own record. */
async function checked(io: SyncIo, id: string, head: SharedHead): Promise<Outcome<Decision>> {
  const records = new Map<string, Uint8Array | null>();
  for (const { key } of head.decisions) records.set(key, (await io.engine.get(key))?.value ?? null);
  return io.plans.checkDecisions(head, id, (key) => records.get(key) ?? null, io.verify);
}

/** Tells the engine how a claim of ours ended, and closes its note unless a person has still to settle it. */
export async function settleShared(
  io: SyncIo,
  id: string,
  end: 'finished' | 'failed' | 'blocked',
): Promise<Outcome<null>> {
  const intent = await io.files.intent(id);
  if (intent === null) return refused('wrong_token', 'This run was not claimed from here.');
  for (let tries = 0; tries < TRIES; tries++) {
    const read = io.plans.readStored(await io.engine.get(headKey(id)));
    const plan = io.plans.planSettle(read, intent.token, end);
    if (plan.kind === 'refused') return { ok: false, refusal: plan.refusal };
    if (plan.kind === 'settled') {
      if (end !== 'blocked') await io.files.saveIntent(id, { ...intent, phase: 'closed' });
      return accepted(null);
    }
    await io.at?.('settle.before-head');
    const put = await io.engine.casPut(headKey(id), encode(plan.next), plan.expected);
    await io.at?.('settle.after-head');
    if (put.kind === 'refused') return { ok: false, refusal: put.refusal };
  }
  return refused('in_doubt', 'The shared engine did not say whether it took the end of this claim.');
}
