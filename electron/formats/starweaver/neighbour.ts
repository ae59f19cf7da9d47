import { readJson } from '../../../shared/json.js';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { compareTimes } from '../../../shared/time.js';
import type { Neighbour } from '../neighbour.js';
import { type ApprovalRecord, readApproval } from './approval-record.js';
import { CLAIM_STATES, type Claim, meaningOf, readClaim } from './claim.js';
import { type DeferredRecord, readDeferred } from './deferred-record.js';
import { APPROVAL, CLAIM, refusedAs } from './names.js';
import { neighbourSchema } from './neighbour-kinds.js';

/** A record that belongs beside a checkpoint, read strictly; null when these bytes are none (FORMATS 4.3). */
export function neighbour(bytes: Uint8Array): Outcome<Neighbour> | null {
  const document = readJson(bytes);
  const schema = document.ok ? neighbourSchema(document.root) : null;
  switch (schema) {
    case null:
      return null;
    case APPROVAL: {
      const read = readApproval(bytes);
      return read.ok ? accepted(ofApproval(read.value)) : read;
    }
    case CLAIM: {
      const read = readClaim(bytes);
      return read.ok ? accepted(ofClaim(read.value)) : read;
    }
    default: {
      const read = readDeferred(bytes);
      return read.ok ? accepted(ofDeferred(read.value)) : read;
    }
  }
}

function ofApproval(record: ApprovalRecord): Neighbour {
  const { approvalId: id, runId, actionId, actionName, status } = record;
  const by = record.decision?.decidedBy === undefined ? '' : ` by ${record.decision.decidedBy}`;
  return {
    ...counted(`approval ${id}`, record.revision),
    kind: 'approval',
    runId,
    id,
    callId: actionId,
    claim: null,
    words: `approval of ${actionName}: ${status}${by}, revision ${record.revision}`,
  };
}

function ofDeferred(record: DeferredRecord): Neighbour {
  const { deferredId: id, runId, callId, name, status } = record;
  return {
    ...counted(`deferred tool ${id}`, record.revision),
    kind: 'deferred',
    runId,
    id,
    callId,
    claim: null,
    words: `deferred call of ${name}: ${status}, revision ${record.revision}`,
  };
}

/** S8: a revision only goes up; an equal one with other content is a conflict too. */
function counted(what: string, written: string): Pick<Neighbour, 'revision' | 'mayBecome'> {
  const revision = BigInt(written);
  return {
    revision,
    mayBecome: (next) => {
      if (next.revision !== null && next.revision > revision) return accepted(null);
      const text = `${what} revision mismatch: ${revision} is known, and ${next.revision} does not come after it`;
      return refusedAs('Conflict', text, { actual: String(revision), next: String(next.revision) }, 'superseded');
    },
  };
}

/**
 * S16: one claim a run, which goes forward only. A claim record says nothing of its release; but that a later one could be
 * taken says that this one, of which nothing had started, was released or aborted before (S17). One that has started
 * takes the place of any that has not, whatever its time: calls may have run.
 */
function ofClaim(claim: Claim): Neighbour {
  const { runId, claimId, state, createdAt: at } = claim;
  const { effectsPossible, words } = meaningOf(claim);
  return {
    kind: 'claim',
    runId,
    id: runId,
    callId: null,
    revision: BigInt(CLAIM_STATES.indexOf(state)),
    claim: { state: effectsPossible ? 'started' : 'held', id: claimId, at, words },
    words: `resume claim ${claimId}: ${state} (${words})`,
    mayBecome: ({ revision, claim: next }) => {
      const forward = revision !== null && revision > BigInt(CLAIM_STATES.indexOf(state));
      const follows =
        next?.id === claimId
          ? forward
          : !effectsPossible && next !== null && (next.state === 'started' || compareTimes(next.at, at) > 0);
      if (follows) return accepted(null);
      const text = `run ${runId} already has an active resume claim`;
      return refusedAs('Conflict', text, { claimId, state, createdAt: at }, 'already_claimed');
    },
  };
}
