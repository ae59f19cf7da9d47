import type { Refusal } from '../../../shared/refusal.js';
import { refused } from '../../../shared/refusal.js';
import type { SharedHead } from './head.js';
import type { Write } from './plan-push.js';
import type { Read } from './read.js';

export interface Claimer {
  /** Durable before the first write; the same for every further try of one claim. */
  token: string;
  by: string;
  /** For showing only. */
  at: string;
  /** Digest of the body that was read and verified here; null when it could not be. */
  digest: string | null;
  /** The engine's epoch now. */
  epoch: number;
}

export type ClaimPlan =
  | Write
  /** The token found in the head is ours: nobody else has it. */
  | { kind: 'won'; head: SharedHead; revision: number }
  | { kind: 'refused'; refusal: Refusal };

const no = (...said: Parameters<typeof refused>): ClaimPlan => ({ kind: 'refused', refusal: refused(...said).refusal });

/**
 * The right to continue a run of the engine, by one compare-and-set on the head read. The decisions of that very head must
 * have been checked before (`checkDecisions`). Absent refuses: it never means "first attempt".
 */
export function planClaim(read: Read, claimer: Claimer): ClaimPlan {
  if (read.kind === 'unreadable') return no('unreadable', `The engine's record cannot be read: ${read.text}.`);
  if (read.kind === 'absent') return no('not_found', 'The shared engine shows no such run now. Nothing fires.');
  if (read.kind !== 'head') return no('tombstone', 'This run is gone from the shared engine. Nothing fires.');
  const { head, revision } = read;
  const { latch } = head;
  if (latch?.token === claimer.token) return { kind: 'won', head, revision };
  if (latch !== null)
    return no('already_claimed', `Already claimed at ${latch.at} by ${latch.by}. Nothing was changed.`, {
      ...latch,
      token: undefined,
    });
  if (head.state === 'expired')
    return no(head.end === 'withdrawn' || head.end === 'superseded' ? head.end : 'expired', `This run is ${head.end}.`);
  if (head.state === 'suspended' && head.decisions.length > 0)
    return no('held', 'Reviewers said different things: nothing fires until a decision that names them all.');
  const inForce = head.decisions.find((one) => one.decisionId === head.decision);
  if (head.state !== 'decided' || inForce === undefined) return no('not_decided', 'Nobody has decided this run yet.');
  if (claimer.digest !== head.digest)
    return no('changed_since_you_looked', "The record here is not the one that the engine's head names.");
  // A copy that was played back may have lost a claim: only a person who knows that can say it again (limits of the protocol).
  if (inForce.epoch !== claimer.epoch && head.nonIdempotent.length > 0)
    return no(
      'not_allowed',
      'The engine was restored since this was decided, and calls may have run: decide it again.',
      {
        decided: inForce.epoch,
        epoch: claimer.epoch,
      },
    );
  const won = { token: claimer.token, by: claimer.by, decisionId: inForce.decisionId, at: claimer.at };
  return { kind: 'write', next: { ...head, state: 'claimed', latch: won }, expected: revision };
}

export type SettlePlan = Write | { kind: 'settled' } | { kind: 'refused'; refusal: Refusal };

/** Tells how a claim of ours ended: `blocked` may still become done, once a person has settled it. */
export function planSettle(read: Read, token: string, end: 'finished' | 'failed' | 'blocked'): SettlePlan {
  if (read.kind === 'marker' || read.kind === 'sealed') return { kind: 'settled' };
  if (read.kind !== 'head' || read.head.latch?.token !== token)
    return { kind: 'refused', refusal: refused('wrong_token', 'The claim in the shared engine is not ours.').refusal };
  const { head, revision } = read;
  if (head.state === 'done' || (head.state === 'blocked' && end === 'blocked')) return { kind: 'settled' };
  const next: SharedHead = end === 'blocked' ? { ...head, state: 'blocked' } : { ...head, state: 'done', end };
  return { kind: 'write', next, expected: revision };
}

/**
 * What a claimer that starts again does with a claim of its own. `begun`: how far its own durable notes say it came.
 * Before a call was noted as started nothing has run, so the same token goes on; what was started and not answered
 * is a person's, unless all of it may run twice.
 */
export function planAfterCrash(
  begun: 'intent' | 'started' | 'answered',
  repeatable: boolean,
): 'same_token' | 'blocked' | 'dispatch_again' | 'settle' {
  if (begun === 'intent') return 'same_token';
  if (begun === 'answered') return 'settle';
  return repeatable ? 'dispatch_again' : 'blocked';
}
