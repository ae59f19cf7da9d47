import { z } from 'zod';
import type { JsonObject } from '../../../shared/json.js';
import { jsonObject, jsonText } from '../json-text.js';
import { canonicalTime } from './instants.js';
import { objectOf, textOf } from './nodes.js';
import { membersWithout, present, rawMember } from './raw-object.js';
import { metadata, OBJECT, optionalText, time } from './scalars.js';

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired', 'cancelled'] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What stands in an approval record once somebody, or the time, has decided. Free-form values are JSON texts. */
export interface RecordedDecision {
  status: ApprovalStatus;
  decidedBy?: string;
  /** RFC 3339. */
  decidedAt: string;
  reason?: string;
  /** Replaces the arguments of the call; it stands in the decision's metadata. */
  overrideArguments?: string;
  /** The other members of the metadata, sorted. */
  metadata?: readonly (readonly [key: string, value: string])[];
}

const OVERRIDE = 'override_arguments';
export const approvalStatus = z.enum(APPROVAL_STATUSES, { error: `must be one of ${APPROVAL_STATUSES.join(', ')}` });
export const recordedShape = z.object(
  { status: approvalStatus, decided_by: optionalText, decided_at: time, reason: optionalText, metadata },
  { error: OBJECT },
);

/** The decision of a record; null while there is none. */
export function readRecorded(whole: string, payload: JsonObject): RecordedDecision | null {
  const node = objectOf(payload, 'decision');
  if (node === undefined) return null;
  const [by, reason] = [textOf(node, 'decided_by'), textOf(node, 'reason')];
  const override = rawMember(whole, objectOf(node, 'metadata'), OVERRIDE);
  const others = membersWithout(whole, objectOf(node, 'metadata'), new Set([OVERRIDE]));
  return {
    status: statusOf(textOf(node, 'status')),
    ...(by === null ? {} : { decidedBy: by }),
    decidedAt: textOf(node, 'decided_at') ?? '',
    ...(reason === null ? {} : { reason }),
    ...(override === undefined ? {} : { overrideArguments: override }),
    ...(others.length === 0 ? {} : { metadata: others }),
  };
}

/** In declared order; the override stands in the metadata, whose keys are sorted (J2). */
export function recordedText(decision: RecordedDecision): string {
  const others = decision.metadata ?? [];
  const override = decision.overrideArguments;
  const all = override === undefined ? others : [...others, [OVERRIDE, override] as const];
  const sorted = all.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return jsonObject(
    present([
      ['status', jsonText(decision.status)],
      ['decided_by', decision.decidedBy === undefined ? undefined : jsonText(decision.decidedBy)],
      ['decided_at', jsonText(canonicalTime(decision.decidedAt))],
      ['reason', decision.reason === undefined ? undefined : jsonText(decision.reason)],
      ['metadata', sorted.length === 0 ? undefined : jsonObject(sorted)],
    ]),
  );
}

/** An absent status is pending. */
export function statusOf(written: string | null): ApprovalStatus {
  return APPROVAL_STATUSES.find((known) => known === written) ?? 'pending';
}
