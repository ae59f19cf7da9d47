import type { EngineLife } from '../engine.js';
import type { SharedHead } from './head.js';
import { unreachable } from './legal.js';
import type { Read } from './read.js';

/** What a store knows of one run of the engine. `revision` only grows within one life of the engine. */
export interface Known {
  revision: number;
  /** The last head that was legal; null before the first, or when it is gone. */
  head: SharedHead | null;
  /** Shown, and never acted on: an illegal jump (for good), or a record that this version cannot read (until it can). */
  problem: { kind: 'tampered' | 'unreadable'; text: string } | null;
}

export type PullPlan =
  /** Not newer than what is known: a late or repeated message. */
  { kind: 'ignore' } | { kind: 'apply'; known: Known } | { kind: 'gone'; known: Known };

/** What one message of the watch, or one read, changes in what is known. */
export function planPull(known: Known | null, read: Read): PullPlan {
  if (read.kind === 'absent') return { kind: 'ignore' };
  const { revision } = read;
  if (known !== null && revision <= known.revision) return { kind: 'ignore' };
  if (known?.problem?.kind === 'tampered' && known.revision > 0)
    return { kind: 'apply', known: { ...known, revision } };
  if (read.kind === 'marker' || read.kind === 'sealed')
    return { kind: 'gone', known: { revision, head: null, problem: null } };
  if (read.kind === 'unreadable')
    return {
      kind: 'apply',
      known: { revision, head: known?.head ?? null, problem: { kind: 'unreadable', text: read.text } },
    };

  // Revision 0: remembered of another life of the engine, which this one need not follow.
  const jump = known?.head && known.revision > 0 ? unreachable(known.head, read.head) : null;
  const problem = jump === null ? null : { kind: 'tampered' as const, text: jump };
  return { kind: 'apply', known: { revision, head: problem === null ? read.head : (known?.head ?? null), problem } };
}

/** Up to where the engine was read. */
export interface Cursor {
  epoch: number;
  created: string;
  revision: number;
}

/**
 * May what is remembered of the engine still be used? `reset`: it is another one, or an older state of it: claims stop, all
 * of it is read again, and a person confirms.
 */
export function planConnect(
  cursor: Cursor | null,
  life: EngineLife,
  epoch: number,
): 'begin' | 'go_on' | { reset: string } {
  if (cursor === null) return 'begin';
  if (cursor.created !== life.created) return { reset: `The engine's bucket was made anew at ${life.created}.` };
  if (cursor.epoch !== epoch) return { reset: `An operator says that the engine was restored (epoch ${epoch}).` };
  if (life.last < cursor.revision)
    return {
      reset: `The engine is at ${life.last}, and ${cursor.revision} was read from it: it was restored from a copy.`,
    };
  return 'go_on';
}

/** What a listing of all keys shows that the watch did not: what to read again, and what is missing. */
export function planReconcile(
  known: ReadonlyMap<string, number>,
  listed: ReadonlyMap<string, number>,
): { read: string[]; missing: string[] } {
  const read = [...listed].filter(([key, revision]) => (known.get(key) ?? 0) < revision).map(([key]) => key);
  const missing = [...known.keys()].filter((key) => !listed.has(key));
  return { read, missing };
}
