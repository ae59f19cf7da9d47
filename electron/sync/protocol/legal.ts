import type { HeadState } from '../../../shared/states.js';
import type { SharedHead } from './head.js';
import { saidBy } from './said.js';

/** Every legal next state of a head; staying is told apart in `sameState`. */
const MOVES: Readonly<Record<HeadState, readonly HeadState[]>> = {
  suspended: ['suspended', 'decided', 'expired'],
  // Back: it was taken back, or somebody said otherwise. To `expired`: its run moved on (superseded).
  decided: ['decided', 'suspended', 'claimed', 'expired'],
  claimed: ['done', 'blocked'],
  blocked: ['done'],
  done: [],
  expired: [],
};

/** What of a head contradicts itself; null when nothing does. Whatever wrote it, it is never acted on. */
export function malformed(head: SharedHead): string | null {
  const said = saidBy(head.decisions);
  const open = head.state === 'suspended' || head.state === 'decided';
  if (new Set(head.decisions.map((one) => one.decisionId)).size !== head.decisions.length)
    return 'a decision stands in it twice';
  if (open && (head.latch !== null || head.end !== null)) return 'a latch or an end without a claim';
  if (head.state === 'suspended' && (head.decision !== null || said.kind === 'one'))
    return 'suspended, and a decision in force';
  if (head.state === 'expired') return head.latch === null && head.end !== null ? null : 'expired under a claim';
  if (head.state === 'suspended') return null;
  if (said.kind !== 'one' || head.decision !== said.inForce.decisionId)
    return 'the decision in force is none that its decisions give';
  if (head.state === 'decided') return null;
  if (head.latch?.decisionId !== head.decision) return 'claimed on another decision than the one in force';
  return (head.state === 'done') === (head.end !== null) ? null : 'an end before it is done, or none after it';
}

/** What never changes after a head was made. */
const fixed = (head: SharedHead): string =>
  JSON.stringify([head.v, head.suspension, head.resumeStep, head.inc, head.epoch]);
/** What changes only together, by the agent, while nobody has decided. */
const content = (head: SharedHead): string => JSON.stringify([head.digest, head.body, head.nonIdempotent, head.reason]);

/**
 * Why a head may not follow another by one write, in words; null when it may. `from` null: nothing stood there. Everybody
 * plans by this and readers check by it.
 */
export function illegal(from: SharedHead | null, to: SharedHead): string | null {
  const broken = malformed(to);
  if (broken !== null) return broken;
  if (from === null)
    return to.state === 'suspended' && to.decisions.length === 0 ? null : `begins as ${to.state}, not undecided`;
  if (fixed(from) !== fixed(to)) return 'it is another run, or another attempt, than before';
  if (!MOVES[from.state].includes(to.state)) return `from ${from.state} to ${to.state}`;
  if (content(from) !== content(to)) {
    const amended = from.state === 'suspended' && to.state === 'suspended' && to.decisions.length === 0;
    return amended ? null : 'its record changed after somebody decided';
  }
  return illegalDecisions(from, to);
}

/** Decisions are only ever added, one a write, and only while nothing is claimed; a latch is only ever set. */
function illegalDecisions(from: SharedHead, to: SharedHead): string | null {
  const kept = JSON.stringify(to.decisions.slice(0, from.decisions.length)) === JSON.stringify(from.decisions);
  const added = to.decisions.length - from.decisions.length;
  if (!kept || added < 0) return 'a decision was taken out or changed';
  const open = to.state === 'suspended' || to.state === 'decided';
  if (open && added !== 1) return added === 0 ? 'a write that changes nothing' : 'more than one decision at once';
  if (!open && added !== 0) return 'a decision was added while it was claimed or ended';
  if (to.state === 'expired' && from.state === 'decided' && to.end !== 'superseded')
    return 'a decided run does not expire';
  if (from.latch !== null && JSON.stringify(from.latch) !== JSON.stringify(to.latch)) return 'the latch changed hands';
  if (to.state === 'done' && (to.end === null || !['finished', 'failed'].includes(to.end)))
    return 'done, but not ended';
  if (to.state === 'expired' && (to.end === 'finished' || to.end === 'failed')) return 'expired, but finished';
  return null;
}

/** The order in which states can come, for a reader that did not see every write between two. */
const RANK: Readonly<Record<HeadState, number>> = {
  suspended: 0,
  decided: 0,
  expired: 2,
  claimed: 1,
  blocked: 2,
  done: 3,
};

/** Why no row of legal writes leads from one head to another, in words; null when one may (some writes were not seen). */
export function unreachable(from: SharedHead, to: SharedHead): string | null {
  if (illegal(from, to) === null || JSON.stringify(from) === JSON.stringify(to)) return null;
  const broken = malformed(to);
  if (broken !== null) return broken;
  if (fixed(from) !== fixed(to)) return 'it is another run, or another attempt, than before';
  if (RANK[to.state] < RANK[from.state] || from.state === 'expired' || from.state === 'done')
    return `from ${from.state} to ${to.state}`;
  if (from.latch !== null && content(from) !== content(to)) return 'its record changed after it was claimed';
  if (from.latch !== null) return to.state === 'expired' ? `from ${from.state} to expired` : illegalDecisions(from, to);
  const kept = JSON.stringify(to.decisions.slice(0, from.decisions.length)) === JSON.stringify(from.decisions);
  return content(from) === content(to) && !kept ? 'a decision was taken out or changed' : null;
}
