import type { Fate } from '../../../shared/fate.js';
import { fateOf } from './fates.js';
import { type DecisionRef, MOST_DECISIONS, type Sealed, type SharedHead } from './head.js';
import type { Read } from './read.js';
import { withDecisions } from './said.js';

export type Write = { kind: 'write'; next: SharedHead; expected: number };

export type PushPlan =
  | Write
  | { kind: 'fate'; fate: Fate }
  /** Nothing was found: a tombstone of ours is made there, or somebody's record turns up. Then plan again. */
  | { kind: 'seal'; next: Sealed };

/**
 * How a decision, whose record stands under its own key already, gets into the head that was read. Planned again after
 * every conflict and every answer that did not come.
 */
export function planPush(read: Read, mine: DecisionRef, digest: string, seal: Omit<Sealed, 'v' | 'sealed'>): PushPlan {
  const fate = fateOf(mine, digest, read);
  if (fate !== null) return { kind: 'fate', fate };
  if (read.kind !== 'head') return { kind: 'seal', next: { v: 1, sealed: true, ...seal } };
  const { head, revision } = read;
  if (head.decisions.length >= MOST_DECISIONS)
    return {
      kind: 'fate',
      fate: { kind: 'cannot_send', code: 'too_many', text: `${MOST_DECISIONS} decisions stand on this run already.` },
    };
  return { kind: 'write', next: withDecisions(head, [...head.decisions, mine]), expected: revision };
}
