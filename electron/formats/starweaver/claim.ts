import { z } from 'zod';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import { durableBytes, readDurable } from './durable-record.js';
import { canonicalTime } from './instants.js';
import { CLAIM } from './names.js';
import { textOf } from './nodes.js';
import { OBJECT, text, time } from './scalars.js';

export const CLAIM_STATES = ['preflight', 'admitted', 'started'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** starweaver's latch: one a waiting run, without an end in time (S16). */
export interface Claim {
  claimId: string;
  sessionId: string;
  runId: string;
  state: ClaimState;
  /** RFC 3339. */
  createdAt: string;
}

const Shape = z.object(
  {
    claim_id: text,
    session_id: text,
    run_id: text,
    state: z.enum(CLAIM_STATES, { error: `must be one of ${CLAIM_STATES.join(', ')}` }),
    created_at: time,
  },
  { error: OBJECT },
);

/** Reads a claim. A bare one is refused: nobody can say what an old one meant (S2 BareV0Unsupported). */
export function readClaim(bytes: Uint8Array): Outcome<Claim> {
  const read = readDurable(bytes, { schema: CLAIM, bareV0: false, shape: Shape });
  if (!read.ok) return read;
  const at = (key: string): string => textOf(read.value.payload, key) ?? '';
  return accepted({
    claimId: at('claim_id'),
    sessionId: at('session_id'),
    runId: at('run_id'),
    state: CLAIM_STATES.find((known) => known === at('state')) ?? 'started',
    createdAt: at('created_at'),
  });
}

export function writeClaim(claim: Claim): Uint8Array {
  return durableBytes(
    CLAIM,
    jsonObject([
      ['claim_id', jsonText(claim.claimId)],
      ['session_id', jsonText(claim.sessionId)],
      ['run_id', jsonText(claim.runId)],
      ['state', jsonText(claim.state)],
      ['created_at', jsonText(canonicalTime(claim.createdAt))],
    ]),
  );
}

/** What a claim means for whoever finds it; a second claim is never allowed beside it. */
export function meaningOf({ state }: Claim): { releasable: boolean; effectsPossible: boolean; words: string } {
  switch (state) {
    case 'preflight':
      return { releasable: true, effectsPossible: false, words: 'claimed; nothing has run, and it may be released' };
    case 'admitted':
      return { releasable: false, effectsPossible: false, words: 'a new run was admitted; nothing has run yet' };
    case 'started':
      return { releasable: false, effectsPossible: true, words: 'started: approved calls may have run' };
  }
}
