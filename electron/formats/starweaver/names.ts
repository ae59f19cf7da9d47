import { type Outcome, type RefusalCode, refused } from '../../../shared/refusal.js';

/** The schema ids of the records that Holdpoint reads (FORMATS 4). */
export const CHECKPOINT = 'starweaver.runtime.checkpoint';
export const APPROVAL = 'starweaver.session.approval_record';
export const DEFERRED = 'starweaver.session.deferred_tool_record';
export const CLAIM = 'starweaver.session.hitl_resume_claim';

/** Asks the user instead of doing something: answered by the clarification operation, never approved (S9). */
export const QUESTION_TOOL = 'ask_user_question';

/** starweaver's own name of a refusal (S11, S18), with the code that it goes under in Holdpoint. */
const CODES = {
  IdentityMismatch: 'changed_since_you_looked',
  SourceNotWaiting: 'not_waiting',
  MissingCheckpoint: 'not_found',
  NoPendingHitl: 'nothing_to_continue',
  DuplicateDecision: 'ids_collide',
  MissingDecision: 'incomplete_decision',
  UnknownDecision: 'bad_request',
  MismatchedDecisionIdentity: 'changed_since_you_looked',
  MismatchedDecisionEvidence: 'changed_since_you_looked',
  InconsistentApproval: 'blocked_by_warning',
  NotFound: 'not_found',
  AlreadyExists: 'already_known',
  Conflict: 'changed_since_you_looked',
  StaleFence: 'wrong_token',
  IdempotencyConflict: 'bad_request',
  QuotaExceeded: 'not_allowed',
  RunConflict: 'already_claimed',
  RetryableStorage: 'in_doubt',
  Failed: 'fault',
} as const satisfies Record<string, RefusalCode>;
export type UpstreamName = keyof typeof CODES;

/** A refusal under starweaver's own name, which stands in the facts as `upstream`. `code` where a closer one is known. */
export function refusedAs(
  name: UpstreamName,
  text: string,
  facts: Record<string, unknown> = {},
  code: RefusalCode = CODES[name],
): Extract<Outcome<never>, { ok: false }> {
  return refused(code, `${name}: ${text}`, { upstream: name, ...facts });
}

export function isUpstreamName(name: string): name is UpstreamName {
  return Object.hasOwn(CODES, name);
}

/** Of the store's errors only this one is worth a second try with the same command (S18). */
export function mayRetry(name: UpstreamName): boolean {
  return name === 'RetryableStorage';
}

/** The durable id of the record beside a pending call (FORMATS 4.3). */
export function approvalId(runId: string, callId: string): string {
  return `approval_${runId}_${callId}`;
}

export function deferredId(runId: string, callId: string): string {
  return `deferred_${runId}_${callId}`;
}
