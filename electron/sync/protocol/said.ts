import type { OtherSaid } from '../../../shared/fate.js';
import type { DecisionRef, SharedHead } from './head.js';

/**
 * What the decisions of a head come to (H10). Of everything that arrived before the claim those count that nobody named;
 * the rest follows from that set, so the order of arrival changes nothing but which of two equal ones is named first.
 */
export type Said =
  | { kind: 'nothing' }
  | { kind: 'one'; inForce: DecisionRef; live: DecisionRef[] }
  | { kind: 'held'; live: DecisionRef[] };

export function saidBy(decisions: readonly DecisionRef[]): Said {
  const live = decisions.filter(
    (one) => one.verdict !== 'taken_back' && overrulerOf(decisions, one.decisionId) === null,
  );
  const [first] = live;
  if (first === undefined) return { kind: 'nothing' };
  const same = live.every((one) => one.mark === first.mark && one.verdict !== 'objection');
  return same ? { kind: 'one', inForce: first, live } : { kind: 'held', live };
}

/** Who named a decision; null while it counts. */
export function overrulerOf(decisions: readonly DecisionRef[], decisionId: string): DecisionRef | null {
  return decisions.find((other) => other.decisionId !== decisionId && other.names.includes(decisionId)) ?? null;
}

/** Two effects that exclude each other: approving and refusing, or other arguments. */
export const isRefusal = ({ verdict }: Pick<DecisionRef, 'verdict'>): boolean => verdict !== 'approve';

/** The head with these decisions: its state and the one in force follow. */
export function withDecisions(head: SharedHead, decisions: DecisionRef[]): SharedHead {
  const said = saidBy(decisions);
  return said.kind === 'one'
    ? { ...head, decisions, state: 'decided', decision: said.inForce.decisionId }
    : { ...head, decisions, state: 'suspended', decision: null };
}

export function otherSaid({ decisionId, by, at, verdict }: DecisionRef): OtherSaid {
  return { decisionId, by, at, verdict: verdict === 'taken_back' ? 'objection' : verdict };
}
