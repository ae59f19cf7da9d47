import { z } from 'zod';
import { accepted, type Outcome } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import type { ToolApprovalDecision } from './decision.js';
import { type DurableRecord, durableBytes, readDurable } from './durable-record.js';
import { APPROVAL, refusedAs } from './names.js';
import { numberOf, textOf } from './nodes.js';
import { rawMember, withMembers } from './raw-object.js';
import {
  type ApprovalStatus,
  approvalStatus,
  type RecordedDecision,
  readRecorded,
  recordedShape,
  statusOf,
} from './recorded-decision.js';
import { metadata, OBJECT, optionalValue, text, time, traceContext, u64 } from './scalars.js';

/** The durable question beside a pending approval, and what became of it (FORMATS 4.3). */
export interface ApprovalRecord {
  approvalId: string;
  /** u64 as text (J6). */
  revision: string;
  sessionId: string;
  runId: string;
  /** The call it is about. */
  actionId: string;
  actionName: string;
  /** JSON texts; null is what an absent one reads as. */
  request: string;
  reviewedArguments: string | null;
  status: ApprovalStatus;
  decision: RecordedDecision | null;
  createdAt: string;
  updatedAt: string;
  source: DurableRecord;
}

const Shape = z.object(
  {
    approval_id: text,
    revision: u64.optional(),
    session_id: text,
    run_id: text,
    action_id: text,
    action_name: text,
    request: optionalValue,
    reviewed_arguments: optionalValue,
    status: approvalStatus.optional(),
    decision: recordedShape.nullish(),
    created_at: time,
    updated_at: time,
    trace_context: traceContext.optional(),
    metadata,
  },
  { error: OBJECT },
);
const ORDER = Object.keys(Shape.shape);

/** Reads an approval record, v1 or bare v0; an absent revision is 1, an absent status pending (FORMATS 4.3). */
export function readApproval(bytes: Uint8Array): Outcome<ApprovalRecord> {
  const read = readDurable(bytes, { schema: APPROVAL, bareV0: true, shape: Shape });
  if (!read.ok) return read;
  const { text: whole, payload } = read.value;
  const at = (key: string): string => textOf(payload, key) ?? '';
  const reviewed = rawMember(whole, payload, 'reviewed_arguments') ?? 'null';
  return accepted({
    approvalId: at('approval_id'),
    revision: numberOf(payload, 'revision') ?? '1',
    sessionId: at('session_id'),
    runId: at('run_id'),
    actionId: at('action_id'),
    actionName: at('action_name'),
    request: rawMember(whole, payload, 'request') ?? 'null',
    reviewedArguments: reviewed === 'null' ? null : reviewed,
    status: statusOf(textOf(payload, 'status')),
    decision: readRecorded(whole, payload),
    createdAt: at('created_at'),
    updatedAt: at('updated_at'),
    source: read.value,
  });
}

/** The record in starweaver's own form, always v1; what it does not know stays as written (S3, J2). */
export function writeApproval(record: ApprovalRecord): Uint8Array {
  return approvalWith(record, new Map());
}

/** The same with some members set, as JSON texts. */
export function approvalWith(
  { source, revision, status }: ApprovalRecord,
  set: ReadonlyMap<string, string>,
): Uint8Array {
  const changes = new Map([['revision', revision], ['status', jsonText(status)], ...set]);
  return durableBytes(APPROVAL, withMembers(source.text, source.payload, changes, ORDER));
}

/** What a decided record says to the run that goes on; expired and cancelled go on as denied (S10). */
export function resumesAs(record: ApprovalRecord): Outcome<ToolApprovalDecision> {
  const { decision, status: current, actionId } = record;
  if (current === 'pending' || decision === null) {
    const missing = `missing terminal durable approval decision for ${actionId}`;
    return refusedAs('MissingDecision', missing, { kind: 'approval', id: actionId });
  }
  const ended = current === 'expired' || current === 'cancelled';
  if (decision.status !== current && !(ended && decision.status === 'denied')) {
    return refusedAs('InconsistentApproval', `inconsistent durable approval decision for ${actionId}`, {
      id: actionId,
    });
  }
  const reason = decision.reason ?? (ended ? `approval ${current}` : undefined);
  const common = {
    ...(decision.decidedBy === undefined ? {} : { decidedBy: decision.decidedBy }),
    ...(reason === undefined ? {} : { reason }),
    ...(decision.metadata === undefined ? {} : { metadata: jsonObject(decision.metadata) }),
  };
  if (current !== 'approved') return accepted({ decision: 'denied', ...common });
  const override = decision.overrideArguments;
  return accepted({
    decision: 'approved',
    ...common,
    ...(override === undefined ? {} : { overrideArguments: override }),
  });
}
