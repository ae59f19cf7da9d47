import { textDigest } from '../../electron/formats/text-digest.js';
import type { SharedHead } from '../../electron/sync/protocol/head.js';
import type { SharedSuspension } from '../../electron/sync/protocol/keys.js';
import { type Decision, Decision as DecisionSchema } from '../../shared/decision.js';

export const suspensionOf = (source: string, n: number): SharedSuspension & { system: 'klieo' } => ({
  system: 'klieo',
  source,
  runId: `run.${n}`,
  seq: 1,
});

export const bodyOf = (suspension: SharedSuspension, version: number): string =>
  JSON.stringify({ run: suspension.runId, of: suspension.source, version });

export function headOf(
  suspension: SharedSuspension,
  inc: string,
  { version = 0, once = true }: { version?: number; once?: boolean } = {},
): SharedHead {
  const text = bodyOf(suspension, version);
  return {
    v: 1,
    suspension,
    resumeStep: 1,
    inc,
    digest: textDigest(text),
    body: { at: 'inline', text },
    nonIdempotent: once ? ['pay'] : [],
    reason: null,
    state: 'suspended',
    decision: null,
    decisions: [],
    latch: null,
    end: null,
    epoch: 0,
  };
}

export function decisionOn(
  head: Pick<SharedHead, 'suspension' | 'digest' | 'resumeStep'>,
  said: { id: string; by: string; verdict: 'approve' | 'reject'; supersedes?: string[]; edit?: string },
): Decision {
  const edit = said.edit === undefined ? {} : { editedArguments: said.edit, editedSha256: textDigest(said.edit) };
  return DecisionSchema.parse({
    v: 1,
    decisionId: said.id,
    suspension: head.suspension,
    resumeStep: head.resumeStep,
    revision: 1,
    digest: head.digest,
    verdicts: [{ index: 0, argumentsSha256: textDigest('{}'), verdict: said.verdict, ...edit }],
    reviewer: { name: said.by },
    decidedAt: '2026-05-01T10:00:00Z',
    notBefore: '2026-05-01T10:00:00Z',
    ...(said.supersedes ? { supersedes: said.supersedes } : {}),
    signatures: [],
  });
}
