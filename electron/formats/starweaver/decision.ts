import { z } from 'zod';
import type { PendingCall } from '../../../shared/checkpoint.js';
import type { Verdict } from '../../../shared/decision.js';
import { readJsonText } from '../../../shared/json.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { jsonObject, jsonText } from '../json-text.js';
import { readStruct } from '../struct.js';
import { textOf } from './nodes.js';
import { decisionMetadata, questionsOf } from './question.js';
import { present, rawMember } from './raw-object.js';
import { metadata, OBJECT, OPAQUE, optionalText, optionalValue } from './scalars.js';

/** starweaver's ToolApprovalDecision: what was said about one call. Values of free form are JSON texts. */
export type ToolApprovalDecision = {
  decidedBy?: string;
  reason?: string;
  /** A JSON object with whatever else belongs to the decision. */
  metadata?: string;
} & ({ decision: 'approved'; overrideArguments?: string } | { decision: 'denied' });

const Shape = z.discriminatedUnion(
  'decision',
  [
    z.object({
      decision: z.literal('approved'),
      decided_by: optionalText,
      reason: optionalText,
      override_arguments: optionalValue,
      metadata,
    }),
    z.object({ decision: z.literal('denied'), decided_by: optionalText, reason: optionalText, metadata }),
  ],
  { error: (issue) => (issue.code === 'invalid_union' ? 'must be one of approved, denied' : OBJECT) },
);

/** Reads a decision; anything else is refused as `unreadable`, with the field, and so is a repeated key (I5). */
export function decisionFromText(written: string): Outcome<ToolApprovalDecision> {
  const document = readJsonText(written);
  if (!document.ok) return refused('unreadable', `Not a decision: ${document.fault.text}`, { fault: document.fault });
  const [duplicate] = document.duplicates;
  if (duplicate !== undefined) return refused('unreadable', `Not a decision: ${duplicate.text}`);
  const struct = readStruct<unknown>(Shape, document, OPAQUE);
  if (!struct.ok) return refused('unreadable', `Not a decision: ${struct.refusal.text}`, { read: struct.refusal });
  const { text, root } = document;
  const common = said(textOf(root, 'decided_by'), textOf(root, 'reason'), rawMember(text, root, 'metadata'));
  if (textOf(root, 'decision') === 'denied') return accepted({ decision: 'denied', ...common });
  const override = rawMember(text, root, 'override_arguments');
  return accepted({
    decision: 'approved',
    ...common,
    ...(override === undefined || override === 'null' ? {} : { overrideArguments: override }),
  });
}

/** The decision in starweaver's compact form: the tag first, then the keys in declared order, empty ones left out. */
export function decisionToText(decision: ToolApprovalDecision): string {
  const override = decision.decision === 'approved' ? decision.overrideArguments : undefined;
  return jsonObject(
    present([
      ['decision', jsonText(decision.decision)],
      ['decided_by', decision.decidedBy === undefined ? undefined : jsonText(decision.decidedBy)],
      ['reason', decision.reason === undefined ? undefined : jsonText(decision.reason)],
      ['override_arguments', override],
      ['metadata', decision.metadata],
    ]),
  );
}

/**
 * A reviewer's verdict as starweaver's decision: an edit becomes the override, byte for byte (S14); the answer to a question
 * approves it, and stands in the metadata, where the tool looks for it (S9).
 */
export function decisionOf(
  call: Pick<PendingCall, 'name' | 'arguments'>,
  verdict: Verdict,
  reviewer: string,
): ToolApprovalDecision {
  if (verdict.answer?.status === 'completed') {
    const questions = questionsOf(call.name, call.arguments)?.questions ?? [];
    return { decision: 'approved', decidedBy: reviewer, metadata: decisionMetadata(questions, verdict.answer.text) };
  }
  if (verdict.verdict === 'approve') {
    return {
      decision: 'approved',
      decidedBy: reviewer,
      ...(verdict.editedArguments === undefined ? {} : { overrideArguments: verdict.editedArguments }),
    };
  }
  const why = verdict.answer?.text ?? verdict.reason;
  return { decision: 'denied', decidedBy: reviewer, ...(why?.trim() ? { reason: why } : {}) };
}

function said(
  decidedBy: string | null,
  reason: string | null,
  metadata: string | undefined,
): Pick<ToolApprovalDecision, 'decidedBy' | 'reason' | 'metadata'> {
  return {
    ...(decidedBy === null ? {} : { decidedBy }),
    ...(reason === null ? {} : { reason }),
    ...(metadata === undefined || metadata === '{}' ? {} : { metadata }),
  };
}
