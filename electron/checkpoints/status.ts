import type { Status } from '../../shared/states.js';
import type { HeadMeta } from './head.js';
import type { DecisionMeta, JournalMeta } from './meta.js';

/** A handed-over call that was started this long ago and never reported counts as unknown (H13). */
export const UNREPORTED_AFTER_MS = 10 * 60_000;

export interface StatusFacts {
  head: Pick<HeadMeta, 'f' | 'l' | 'w' | 'sb' | 'end'>;
  decision: DecisionMeta | null;
  journal: JournalMeta | null;
  /** Whether its age has passed the ttl, by the one function of expiry.ts. */
  expired: boolean;
  /** Milliseconds since the epoch. */
  nowMs: number;
  /** A claim of somebody else beside it (starweaver S16): with `started` calls may have run. */
  claimedBeside?: 'held' | 'started' | null;
  /** A later suspension of the run says that it continues this one: the crash came before the journal said so. */
  continued: boolean;
}

/** Where a suspension stands, derived from checkpoint, decision and journal (DESIGN 3, H18). Never stored. */
export function statusOf(facts: StatusFacts): Status {
  const { head, decision, journal } = facts;
  if (head.end) return head.end.status;
  if (head.l || journal) return claimedStatus(facts);
  if (head.w) return 'withdrawn';
  if (head.sb !== null) return 'superseded';
  // Calls of somebody else's claim may have run: no age makes that known, and the sweep keeps it (I9).
  if (facts.claimedBeside === 'started' && head.f === 'waiting') return 'unknown_outcome';
  if (facts.expired || decision?.closed) return 'expired';
  // A record that came in latched was claimed by somebody else: only a person can say what happened (H4).
  if (head.f === 'latched') return 'unknown_outcome';
  // Nothing in these waits for a person: they are listed, inspected and exported.
  if (head.f === 'finished') return 'finished';
  // Unless a person lets it go on.
  if (!decision || decision.withdrawn) return head.f === 'waiting' ? 'waiting' : 'not_continued';
  return decision.held ? 'held' : 'decided';
}

function claimedStatus({ head, decision, journal, nowMs, continued }: StatusFacts): Status {
  if (continued) return 'finished';
  switch (journal?.state) {
    case 'completed':
    case 'suspended_again':
      return 'finished';
    case 'failed':
    case 'closed':
      return 'failed';
    case 'not_continued':
      return 'not_continued';
  }
  if ((journal?.unknown ?? 0) > 0) return 'unknown_outcome';
  if (!head.l) {
    // Released, or reconciled after it came in latched: what is left to run needs a decision and a claim.
    if (decision && !decision.withdrawn) return decision.held ? 'held' : 'decided';
    return (journal?.notStarted ?? 0) === 0 ? 'not_continued' : 'waiting';
  }
  if (head.l.k === 'here') return 'resuming';
  const unreported = journal?.startedAt ? nowMs - Date.parse(journal.startedAt) : 0;
  return unreported > UNREPORTED_AFTER_MS ? 'unknown_outcome' : 'handed_over';
}

/** Nothing more happens under this claim: only then may the run suspend again or be reaped (H2, I9). */
export function isSettled(journal: JournalMeta | null): boolean {
  return (
    journal !== null &&
    ['completed', 'suspended_again', 'failed', 'closed'].includes(journal.state) &&
    journal.unknown === 0
  );
}
