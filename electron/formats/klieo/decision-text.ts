import { z } from 'zod';
import { member, readJsonText, stringifyStrict } from '../../../shared/json.js';
import { accepted, type Outcome, refused } from '../../../shared/refusal.js';
import { readStruct } from '../struct.js';

/** klieo's ApprovalDecision: one verdict for a whole batch, without reviewer, time or edits. */
export type ApprovalDecision = { verdict: 'approve' } | { verdict: 'reject'; reason: string };

const Rejected = z.object({
  Rejected: z.object({ reason: z.string({ error: 'must be a text' }) }, { error: 'must be an object' }),
});

/** Reads `"Approved"` or `{"Rejected":{"reason":"..."}}`; anything else is refused as `unreadable`. */
export function decisionFromText(text: string): Outcome<ApprovalDecision> {
  const document = readJsonText(text);
  if (!document.ok) return refused('unreadable', `Not a decision: ${document.fault.text}`, { fault: document.fault });
  const { root, duplicates } = document;
  const [duplicate] = duplicates;
  if (duplicate !== undefined) return refused('unreadable', `Not a decision: ${duplicate.text}`);
  if (root.kind === 'string' && root.value === 'Approved') return accepted({ verdict: 'approve' });
  if (root.kind !== 'object' || root.entries.length !== 1 || member(root, 'Rejected') === undefined) {
    return refused('unreadable', 'Not a decision: "Approved" or {"Rejected":{"reason":"..."}} should stand there.');
  }
  const struct = readStruct(Rejected, document, new Set());
  if (!struct.ok) return refused('unreadable', `Not a decision: ${struct.refusal.text}`, { read: struct.refusal });
  return accepted({ verdict: 'reject', reason: struct.value.Rejected.reason });
}

export function decisionToText(decision: ApprovalDecision): string {
  return decision.verdict === 'approve' ? '"Approved"' : stringifyStrict({ Rejected: { reason: decision.reason } });
}
