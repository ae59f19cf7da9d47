import type { Fate } from '../../../shared/fate.js';
import type { DecisionRef, SharedHead } from './head.js';
import type { Read } from './read.js';
import { isRefusal, otherSaid, overrulerOf, saidBy } from './said.js';

/**
 * What became of a decision, from what stands in the engine: the one answer, for whoever pushes, pulls or shows. Null: it
 * is not there yet, and may still be put there. `digest` is that of the record its author looked at.
 */
export function fateOf(mine: DecisionRef, digest: string, read: Read): Fate | null {
  switch (read.kind) {
    case 'absent':
      return null;
    case 'marker':
    case 'sealed':
      return { kind: 'gone' };
    case 'unreadable':
      return { kind: 'unreadable', text: read.text };
    case 'head':
      return fateUnder(mine, digest, read.head);
  }
}

function fateUnder(mine: DecisionRef, digest: string, head: SharedHead): Fate | null {
  const present = head.decisions.some((one) => one.decisionId === mine.decisionId);
  if (present && mine.verdict === 'taken_back') return { kind: 'taken_back' };
  if (head.latch !== null) return underClaim(mine, head, head.latch);
  if (head.state === 'expired')
    return { kind: 'ended', end: head.end === 'withdrawn' || head.end === 'superseded' ? head.end : 'expired' };
  if (digest !== head.digest) return { kind: 'stale' };
  return present ? beforeClaim(mine, head) : null;
}

function beforeClaim(mine: DecisionRef, { decisions }: SharedHead): Fate {
  const by = overrulerOf(decisions, mine.decisionId);
  if (by !== null)
    return by.verdict === 'taken_back' ? { kind: 'taken_back' } : { kind: 'overruled', other: otherSaid(by) };
  const said = saidBy(decisions);
  if (said.kind === 'one' && said.inForce.decisionId !== mine.decisionId)
    return { kind: 'agreed', other: otherSaid(said.inForce), claim: null };
  if (said.kind !== 'held') return { kind: 'applied', claim: null };
  const others = said.live.filter((one) => one.mark !== mine.mark);
  return { kind: 'conflict', others: others.map(otherSaid) };
}

function underClaim(mine: DecisionRef, head: SharedHead, latch: NonNullable<SharedHead['latch']>): Fate {
  const by = overrulerOf(head.decisions, mine.decisionId);
  if (by !== null)
    return by.verdict === 'taken_back' ? { kind: 'taken_back' } : { kind: 'overruled', other: otherSaid(by) };
  const claimedOn = head.decisions.find((one) => one.decisionId === latch.decisionId);
  const same = claimedOn !== undefined && claimedOn.mark === mine.mark;
  if (!same)
    return { kind: 'too_late', by: latch.by, at: latch.at, decisionId: latch.decisionId, loud: isRefusal(mine) };
  if (head.state === 'blocked') return { kind: 'blocked', by: latch.by, at: latch.at };
  const claim = { by: latch.by, at: latch.at, done: head.state === 'done' };
  return claimedOn.decisionId === mine.decisionId
    ? { kind: 'applied', claim }
    : { kind: 'agreed', other: otherSaid(claimedOn), claim };
}

/** Nothing that comes later changes it, but for an unsettled claim that is settled. */
export function isFinal(fate: Fate): boolean {
  switch (fate.kind) {
    case 'local_only':
    case 'queued':
    case 'sending':
    case 'conflict':
    case 'unreadable':
    case 'engine_reset':
    case 'blocked':
      return false;
    case 'applied':
    case 'agreed':
      return fate.claim?.done ?? false;
    default:
      return true;
  }
}
