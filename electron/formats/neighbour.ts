import type { Decision } from '../../shared/decision.js';
import type { Outcome, Refusal } from '../../shared/refusal.js';

/** A record that belongs beside a checkpoint: it is kept with the run, and decides nothing by itself. */
export interface Neighbour {
  kind: string;
  runId: string;
  /** Names it among the records of its kind. */
  id: string;
  /** Its call; null when it is about the whole run. */
  callId: string | null;
  /** As text, where it counts revisions; the higher one takes the place of the lower. */
  revision: bigint | null;
  /** Of a claim that somebody else holds. */
  claim: ForeignClaim | null;
  /** One line: what it says. */
  words: string;
  /** Refused when `next` may not take the place of this one, in the system's own words. */
  mayBecome(next: Neighbour): Outcome<null>;
}

/** `started`: calls may have run, and nobody here can say (S17). `held`: claimed, nothing has run. */
export interface ForeignClaim {
  state: 'held' | 'started';
  id: string;
  at: string;
  words: string;
}

/** A checkpoint and the records beside it. */
export interface NeighbourCheck {
  claim: ForeignClaim | null;
  /** Why the claim of somebody else refuses; null without one. */
  refusal: Refusal | null;
  /** One line for each record beside the checkpoint. */
  lines: { name: string; value: string }[];
  /** What a decision would make of them; refused by the system's own names (S8-S13). */
  decided(decision: Decision): Outcome<string[]>;
  /** The system's own record of the claim that an agent gets; null where the record beside it needs is not here. */
  claimText(token: string, at: string): string | null;
}
