import { accepted } from '../../../shared/refusal.js';
import type { NeighbourCheck } from '../neighbour.js';
import { type ApprovalRecord, readApproval } from './approval-record.js';
import { readClaim, writeClaim } from './claim.js';
import { decideNeighbours } from './decide-neighbours.js';
import { type DeferredRecord, readDeferred } from './deferred-record.js';
import { uuidOf } from './derived-ids.js';
import { matchNeighbours, type Neighbours } from './match-neighbours.js';
import { refusedAs } from './names.js';
import { neighbour } from './neighbour.js';
import { textOf } from './nodes.js';
import { viewAgain } from './view.js';

const NOTHING: NeighbourCheck = {
  claim: null,
  refusal: null,
  lines: [],
  decided: () => accepted([]),
  claimText: () => null,
};

/** What the records beside a checkpoint say to deciding it and to going on with it (S8-S13, S16, S17). */
export function withNeighbours(bytes: Uint8Array, beside: readonly Uint8Array[]): NeighbourCheck {
  if (beside.length === 0) return NOTHING;
  const all = neighboursOf(beside);
  const [claim] = matchNeighbours(bytes, all).claims;
  const read = beside.flatMap((one) => {
    const found = neighbour(one);
    return found?.ok ? [found.value] : [];
  });
  const foreign = read.find((one) => one.claim !== null)?.claim ?? null;
  const runId = textOf(viewAgain(bytes).payload, 'run_id') ?? '';
  return {
    claim: foreign,
    refusal: claim
      ? refusedAs(
          'Conflict',
          `run ${runId} already has an active resume claim (${claim.claimId}, ${claim.state} since ${claim.createdAt}): ${foreign?.words}`,
          { claimId: claim.claimId, state: claim.state, createdAt: claim.createdAt },
          'already_claimed',
        ).refusal
      : null,
    lines: read.map(({ kind, words }) => ({ name: kind, value: words })),
    decided: (decision) =>
      all.approvals.length + all.deferred.length === 0 ? accepted([]) : decideNeighbours(bytes, all, decision),
    claimText: (token, at) => {
      const sessionId = [...all.approvals, ...all.deferred][0]?.sessionId;
      if (sessionId === undefined) return null;
      const claimId = `claim_${uuidOf(`claim\u0000${token}`)}`;
      return new TextDecoder().decode(writeClaim({ claimId, sessionId, runId, state: 'preflight', createdAt: at }));
    },
  };
}

function neighboursOf(beside: readonly Uint8Array[]): Neighbours {
  const approvals: ApprovalRecord[] = [];
  const deferred: DeferredRecord[] = [];
  const claims: Neighbours['claims'][number][] = [];
  for (const bytes of beside) {
    const found = neighbour(bytes);
    if (!found?.ok) continue;
    const approval = found.value.kind === 'approval' ? readApproval(bytes) : null;
    if (approval?.ok) approvals.push(approval.value);
    const result = found.value.kind === 'deferred' ? readDeferred(bytes) : null;
    if (result?.ok) deferred.push(result.value);
    const claim = found.value.kind === 'claim' ? readClaim(bytes) : null;
    if (claim?.ok) claims.push(claim.value);
  }
  return { approvals, deferred, claims };
}
